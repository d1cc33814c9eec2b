import Basics
import HTTPCodec
import JSON
import OpenAPI
import Simulation

/// The tool's own answers where a contract cannot give one. All of their words are here.
extension Problem {
    static func notAcceptable(_ operation: Operation, _ status: Int, _ types: [String]) -> Problem {
        Problem(
            "not-acceptable",
            status: 406,
            title: "No documented media type is acceptable",
            detail: "\(operation.label) answers \(status) as \(types.joined(separator: ", ")); Accept allows none of"
                + " them.",
            members: [("available", .array(types.map(JSONValue.string)))]
        )
    }

    static func nothingDocumented(_ operation: Operation) -> Problem {
        Problem(
            "nothing-documented",
            status: 501,
            title: "The contract documents no response",
            detail: "\(operation.label) has no responses in the contract."
        )
    }

    static func unknownCode(_ code: String, _ operation: Operation) -> Problem {
        let codes = operation.responses.map(\.status.description)
        return Problem(
            "unknown-preference",
            status: 400,
            title: "The contract documents no such response",
            detail: "\(operation.label) documents \(codes.joined(separator: ", ")), and not \(code.shortened).",
            members: [("documented", .array(codes.map(JSONValue.string)))]
        )
    }

    static func unknownExample(
        _ name: String,
        _ operation: Operation,
        _ responses: [DocumentedResponse]
    ) -> Problem {
        var names: [String] = []
        for example in responses.flatMap(\.content).flatMap(\.examples) {
            guard let name = example.name, !names.containsExactly(name) else { continue }
            names.append(name)
        }
        let list = names.isEmpty ? "no example by a name" : names.joined(separator: ", ")
        return Problem(
            "unknown-preference",
            status: 400,
            title: "The contract documents no such example",
            detail: "\(operation.label) has \(list), and not \"\(name.shortened)\".",
            members: [("documented", .array(names.map(JSONValue.string)))]
        )
    }

    /// The schema of the answer is none: a reference leads nowhere, a keyword has a value that it cannot have.
    static func brokenSchema(_ operation: Operation, _ status: Int, _ path: String) -> Problem {
        Problem(
            "broken-schema",
            status: 501,
            title: "The contract's schema cannot be used",
            detail: "The schema of \(status) of \(operation.label) has errors, which \"backlot check \(path)\" shows."
        )
    }

    static func noSample(_ operation: Operation, _ status: Int) -> Problem {
        Problem(
            "no-sample",
            status: 501,
            title: "No value was found that the schema allows",
            detail: "No body could be made for \(status) of \(operation.label). An example in the contract would be"
                + " sent instead."
        )
    }
}
