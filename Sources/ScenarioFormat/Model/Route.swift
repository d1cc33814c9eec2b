package import Basics
package import HTTPCodec
package import JSON

/// What is answered on one method and path.
package struct Route: Sendable {
    package var key: RouteKey
    package var requirements: [TokenRequirement]
    /// What is looked up before the cases are looked at, in this order.
    package var finds: [Find] = []
    package var cases: [Branch]
    package var replies: ReplySequence
    package var position: JSONPosition

    /// Whether the listed replies go before the cases, because a story adds them to a route that has cases.
    package var listsFirst = false
    /// The fastest that a request's body is read, in bytes a second.
    package var uploadRate: Int?

    /// Every reply that it may give, whatever the case.
    package var allReplies: [Reply] {
        ([replies] + cases.map(\.replies)).flatMap { $0.listed + [$0.own].compactMap(\.self) }
    }
}

/// A method and a path template, as the routes of a scenario are named: `GET /diaries/{id}`.
package struct RouteKey: Sendable, Hashable {
    /// `nil` for every method, written `*`.
    package var method: HTTPMethod?
    package var template: PathTemplate
    /// The key as the file has it.
    package var text: String

    package init(method: HTTPMethod?, template: PathTemplate, text: String) {
        self.method = method
        self.template = template
        self.text = text
    }
}

/// What is answered where no route is: as a route, without a key.
package struct Fallback: Sendable {
    package var requirements: [TokenRequirement]
    package var cases: [Branch]
    /// Whether the listed replies go before the cases.
    package var listsFirst = false
    /// Without any reply, what no case takes is left to the tool.
    package var replies: ReplySequence

    /// Every reply that it may give, whatever the case; the token kinds' own refusals are not among them.
    package var allReplies: [Reply] {
        requirements.flatMap(\.rejections).map(\.reply)
            + (cases.map(\.replies) + [replies]).flatMap { $0.listed + [$0.own].compactMap(\.self) }
    }
}

/// Answers for requests that meet a condition.
package struct Branch: Sendable {
    package var condition: Condition
    package var replies: ReplySequence
}

/// A check that may answer instead of any route.
package struct Guard: Sendable {
    package var name: String
    package var condition: Condition
    package var reply: Reply
}

/// The answers of a route or a case: a sequence, and its own reply.
package struct ReplySequence: Sendable {
    package var own: Reply?
    package var listed: [Reply]
    package var afterLast: AfterLast
}

/// What answers when every listed reply was given.
package enum AfterLast: String, Sendable, CaseIterable {
    case repeatLast = "repeat"
    case loop
    /// 500 with a problem that says so.
    case fail
    /// The reply that stands beside the list.
    case own
}
