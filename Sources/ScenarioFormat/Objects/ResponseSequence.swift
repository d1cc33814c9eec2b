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

    /// Reads the listed responses of a route or a case, and its own one next to them.
    ///
    /// - Parameter always: whether there is an own response even if nothing is said about it.
    init(_ tree: JSONValue, always: Bool, _ builder: inout ScenarioBuilder) {
        for key in Self.keys { key.read(tree, into: &self, &builder) }
        let said = Optional(tree).members.first { StubResponse.ownKeys.contains($0.name) }
        own = said != nil || (always && listed.isEmpty) ? builder.response(tree) : nil
        ownPosition = said?.namePosition
        let written = tree["afterLast"]
        // After a story's list, the route continues as in the extended file, also with a case.
        let listsFirst = builder.listsFirst(in: tree)
        let goesOn = own != nil || listsFirst
        if written == nil { afterLast = goesOn ? .own : .repeatLast }
        if let written, afterLast == .own, !goesOn {
            builder.report(
                "scenario/no-own-response",
                "\"afterLast\": \"own\" requires a response next to \"responses\"",
                at: written.position,
                advice: "add a status or a body to the route, or write \"repeat\""
            )
        }
        if let written, listsFirst, afterLast != .own { expectOwnAfterLast(written, of: tree, &builder) }
        // A story that says it of a route in another file means that the route's own response is not given any more.
        let isOverridden = written.map { $0.position.document != said?.namePosition.document } ?? false
        if let said, !listed.isEmpty, afterLast != .own, !isOverridden {
            builder.report(
                "scenario/idle-key",
                "\"\(said.name)\" has no effect next to \"responses\", because \"afterLast\" is"
                    + " \"\(afterLast.rawValue)\"",
                at: said.namePosition,
                advice: "remove this key, or set \"afterLast\": \"own\" to send the route's own response afterward"
            )
        }
    }

    /// Refuses a list that precedes the cases of a route and that would hide them permanently, because the extended file
    /// sets this for its own list.
    private func expectOwnAfterLast(_ written: JSONValue, of tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard let responses = tree.object?.member(named: "responses"),
            written.position.document != responses.namePosition.document
        else { return }
        builder.report(
            "scenario/inherited-after-last",
            "these responses precede the route's cases, and \"afterLast\": \(written.text(.compact)), set at"
                + " \(builder.sources.place(of: written.position)), would hide the cases permanently",
            at: responses.namePosition,
            advice: "also set \"afterLast\" here; \"own\" continues with the cases"
        )
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
