import Basics
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI
import Simulation

/// The tool's own responses where a contract cannot give one. All of their words are here.
extension Problem {
    static func notAcceptable(_ operation: Operation, _ status: Int, _ types: [String]) -> Problem {
        Problem(
            "not-acceptable",
            status: 406,
            title: "No documented media type is acceptable",
            detail:
                "\(operation.label) documents \(types.joined(separator: ", ")) for \(status); the request's Accept"
                + " allows none of these media types.",
            members: [("available", .array(types.map(JSONValue.string)))]
        )
    }

    /// The answer to a request without the credentials that its operation documents, where it documents no 401.
    static func missingCredentials(_ operation: Operation, challenges: [String]) -> Problem {
        Problem(
            "missing-credentials",
            status: 401,
            title: "The request lacks credentials",
            detail: "\(operation.label) requires credentials; this server accepts any credentials in the right form."
                + " With --auth ignore, it requires no credentials.",
            fields: challenges.map { ("WWW-Authenticate", $0) }
        )
    }

    static func nothingDocumented(_ operation: Operation) -> Problem {
        Problem(
            "nothing-documented",
            status: 501,
            title: "The contract documents no response",
            detail: operation.unavailableSentence ?? "The contract documents no responses for \(operation.label)."
        )
    }

    /// Only responses that another one has to follow.
    ///
    /// - Parameter code: the one that a client asked for; `nil` where no other is documented.
    static func onlyInformational(_ operation: Operation, _ code: String? = nil) -> Problem {
        let codes = code ?? operation.responses.map(\.status.description).joined(separator: ", ")
        return Problem(
            "nothing-documented",
            status: 501,
            title: "The contract documents no final response",
            detail: "\(operation.label) \(codes) is informational, so a final response or another protocol must follow."
                + " A route in a scenario can open a WebSocket."
        )
    }

    static func unknownCode(_ code: String, _ operation: Operation) -> Problem {
        let codes = operation.responses.map(\.status.description)
        return Problem(
            "unknown-preference",
            status: 400,
            title: "The contract does not document the requested response",
            detail: operation.unavailableSentence
                ?? "\(operation.label) documents \(codes.joined(separator: ", ")), but not \(code.shortened).",
            members: [("documented", .array(codes.map(JSONValue.string)))]
        )
    }

    static func unknownExample(
        _ name: String,
        _ operation: Operation,
        _ responses: [DocumentedResponse]
    ) -> Problem {
        var names: [String] = []
        for name in responses.flatMap(\.content).flatMap(\.exampleNames) where !names.contains(name.exact) {
            names.append(name)
        }
        let list = names.isEmpty ? "no named example" : names.joined(separator: ", ")
        return Problem(
            "unknown-preference",
            status: 400,
            title: "The contract does not document the requested example",
            detail: "\(operation.label) documents \(list), but not \"\(name.shortened)\".",
            members: [("documented", .array(names.map(JSONValue.string)))]
        )
    }

    /// The schema of the response is invalid: a reference cannot be resolved, or a keyword has an invalid value.
    ///
    /// - Parameter first: the first error with its place, where it is known.
    static func brokenSchema(_ operation: Operation, _ status: Int, _ path: String, _ first: String?) -> Problem {
        Problem(
            "broken-schema",
            status: 501,
            title: "The contract's schema cannot be used",
            detail: "The schema for \(operation.label) \(status) has errors; run \"backlot check \(path)\" to see them."
                + (first.map { " The first: \($0)" } ?? "")
        )
    }

    /// A media type whose form the schema does not say.
    static func unwritten(
        _ operation: Operation,
        _ status: Int,
        _ mediaType: String,
        as encoding: String,
        isText: Bool
    ) -> Problem {
        Problem(
            "no-sample",
            status: 501,
            title: "Values cannot be generated as \(encoding)",
            detail:
                "\(operation.label) \(status) is \(mediaType), and the contract contains no example for this response."
                + (isText
                    ? " Add a string that contains \(encoding) as an example."
                    : " Write a route whose response sends a \"file\".")
        )
    }

    /// No value was found, or the keywords exclude every one.
    static func noSample(
        _ operation: Operation,
        _ status: Int,
        _ obstacle: SampleObstacle?
    ) -> Problem {
        func place(_ found: SchemaContradiction) -> String {
            found.place.tokens.isEmpty ? "in the body" : "at \(found.place)"
        }
        let (title, reason) =
            switch obstacle {
            case nil: ("No value that the schema allows was found", "")
            case .contradiction(let found):
                (
                    "The schema allows no value",
                    " Keywords contradict each other \(place(found)): \(found.sentence)."
                )
            case .notMade(let found):
                ("No value of the schema can be generated", " The reason is \(place(found)): \(found.sentence).")
            }
        return Problem(
            "no-sample",
            status: 501,
            title: title,
            detail: "No body could be generated for \(operation.label) \(status).\(reason) An example in the contract"
                + " would be sent instead."
        )
    }
}

/// The tool's own responses where a contract is enforced. All of their words are here.
extension Problem {
    /// A request that its contract does not allow; the first violation decides how it is called.
    static func refusedRequest(_ violations: [Violation], of operation: String) -> Problem {
        let first = violations.first
        return Problem(
            first.map(Self.name) ?? "contract",
            status: Self.status(of: violations),
            title: "The contract does not allow this request",
            detail: Self.detail(violations, of: operation),
            members: [("violations", .array(violations.map(\.json)))]
        )
    }

    /// A response that its contract does not allow.
    static func refusedResponse(_ violations: [Violation], status: Int, of operation: String) -> Problem {
        Problem(
            violations.first.map(Self.name) ?? "contract",
            status: 500,
            title: "The contract does not allow the scripted response",
            detail: Self.detail(violations, of: "\(operation), \(status)"),
            members: [("violations", .array(violations.map(\.json)))]
        )
    }

    /// A request for an operation that the contract does not have.
    static func undocumented(_ violation: Violation, nearest: NearestRoute?, allowed: [String]) -> Problem {
        var problem = Problem(
            Self.name(of: violation),
            status: allowed.isEmpty ? 404 : 405,
            title: "The contract does not document this operation",
            detail: violation.message.prefix(1).uppercased() + violation.message.dropFirst() + ".",
            members: [("violations", .array([violation.json]))]
        )
        if !allowed.isEmpty { problem.fields.append(("Allow", allowed.joined(separator: ", "))) }
        if let nearest {
            problem.detail += " The nearest route is \(nearest.route): \(nearest.difference)."
            problem.members.append(
                ("nearest", ["route": .string(nearest.route), "difference": .string(nearest.difference)])
            )
        }
        return problem
    }

    private static func name(of violation: Violation) -> String {
        violation.id.split(separator: "/").joined(separator: "-")
    }

    private static func detail(_ violations: [Violation], of operation: String) -> String {
        guard let first = violations.first else { return operation }
        let rest = violations.count > 1 ? " Further violations: \(violations.count - 1)." : ""
        let place = first.pointer.map { $0.isEmpty ? "" : " at \($0)" } ?? ""
        return "\(operation): \(first.part)\(place): \(first.message).\(rest)"
    }

    /// 415 for a body in the wrong media type, 422 for one that can be read and is wrong, else 400.
    private static func status(of violations: [Violation]) -> Int {
        if violations.contains(where: { $0.part == "media type" }) { return 415 }
        let isUnreadable = violations.contains { ["contract/body-syntax", "contract/missing-body"].contains($0.id) }
        return violations.allSatisfy({ $0.part == "body" }) && !isUnreadable ? 422 : 400
    }
}

extension Operation {
    /// The sentence that a documented response could not be read; `nil` where all could.
    fileprivate var unavailableSentence: String? {
        unavailableResponses.first.map { response in
            "\(label) \(response.status) is not available, because \"\(response.reference.shortened)\""
                + " cannot be resolved. Specify a file for the URL with --map."
        }
    }
}
