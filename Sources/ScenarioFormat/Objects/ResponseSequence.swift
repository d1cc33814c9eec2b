import Basics
import HTTPCodec
package import JSON

/// The answers of a route or a case: a sequence, and its own response.
package struct ResponseSequence: Sendable, KeyedModel {
    package var own: StubResponse?
    /// The position of the first key that defines the response outside the list; `nil` if no key does.
    package var ownPosition: JSONPosition?
    package var listed: [StubResponse] = []
    package var afterLast = AfterLast.repeatLast

    package var all: [StubResponse] { listed + [own].compactMap(\.self) }
}

extension ResponseSequence {
    /// The keys of listed responses, which routes, cases and fallbacks have.
    static let keys = [
        Key("responses", \.listed, .list(of: .response), "Responses to send in order, one per request.")
            .example([["status": 503, "empty": true]]),
        Key("afterLast", \.afterLast, .word)
            .summary(
                """
                The behavior after the last response: repeat it, loop, fail with 500, or send the route's \
                own response.
                """
            ).otherwise("`\"own\"` if the route has one; otherwise `\"repeat\"`"),
    ]

    /// The rules of an object with listed responses and perhaps its own one.
    ///
    /// - Parameter others: the keys next to which there is no own response unless it is written.
    static func rules(alsoWith others: [String]) -> ObjectRules {
        let isUsual = ValueTest.all([.not(.member("responses", .filled))] + others.map { .lacks($0) })
        return [
            .idle("afterLast", unless: .member("responses", .filled), "without \"responses\""),
            .idle(
                "breaks",
                unless: .any([.hasAny(StubResponse.ownKeys), isUsual]),
                "here, because this object defines no response",
                advice: "move this key to the response that violates the contract"
            ),
        ]
    }
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
