package import Basics
package import HTTPCodec
package import JSON

/// The responses to one method and path.
package struct Route: Sendable {
    package var key: RouteKey
    package var requirements: [TokenRequirement]
    /// The selections to look up before the cases, in this order.
    package var finds: [Find] = []
    package var cases: [Branch]
    package var responses: ResponseSequence
    package var position: JSONPosition

    /// A Boolean value that indicates whether the listed responses go before the cases, because a story adds them to a
    /// route that has cases.
    package var listsFirst = false
    /// The fastest that a request's body is read, in bytes a second.
    package var uploadRate: Int?

    /// The tokens that it requires, and those that its cases require.
    package var allRequirements: [TokenRequirement] { requirements + cases.flatMap(\.requirements) }

    /// The kinds of those, each once.
    package var requiredKinds: [String] {
        allRequirements.map(\.kind).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// All responses that it may give, in any case.
    package var allResponses: [StubResponse] {
        ([responses] + cases.map(\.responses)).flatMap(\.all)
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

/// The responses to requests without a route: as a route, without a key.
package struct Fallback: Sendable {
    package var requirements: [TokenRequirement]
    package var cases: [Branch]
    /// A Boolean value that indicates whether the listed responses go before the cases.
    package var listsFirst = false
    /// Without any response, what no case takes is left to the tool.
    package var responses: ResponseSequence

    /// The tokens that it requires, and those that its cases require.
    package var allRequirements: [TokenRequirement] { requirements + cases.flatMap(\.requirements) }

    /// All responses that it may give, in any case; without the refusals of the token kinds.
    package var allResponses: [StubResponse] {
        allRequirements.flatMap(\.rejections).map(\.response)
            + (cases.map(\.responses) + [responses]).flatMap(\.all)
    }
}

/// Answers for requests that meet a condition.
package struct Branch: Sendable {
    package var condition: Condition
    /// The tokens that it requires in addition to those of its route, checked after the condition.
    package var requirements: [TokenRequirement] = []
    package var responses: ResponseSequence
}

/// A check that may answer instead of any route.
package struct Guard: Sendable {
    package var name: String
    package var condition: Condition
    package var response: StubResponse
}

/// The answers of a route or a case: a sequence, and its own response.
package struct ResponseSequence: Sendable {
    package var own: StubResponse?
    package var listed: [StubResponse]
    package var afterLast: AfterLast

    package var all: [StubResponse] { listed + [own].compactMap(\.self) }
}

/// The response after all listed responses.
package enum AfterLast: String, Sendable, CaseIterable {
    case repeatLast = "repeat"
    case loop
    /// 500 with a problem that says so.
    case fail
    /// The route's own response next to the list.
    case own
}
