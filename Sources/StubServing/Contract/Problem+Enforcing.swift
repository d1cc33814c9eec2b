import HTTPCodec
import JSON
import OpenAPI
import Simulation

/// The tool's own answers where a contract is enforced. All of their words are here.
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
            title: "The contract does not have this operation",
            detail: violation.message.prefix(1).uppercased() + violation.message.dropFirst() + ".",
            members: [("violations", .array([violation.json]))]
        )
        if !allowed.isEmpty { problem.fields.append(("Allow", allowed.joined(separator: ", "))) }
        if let nearest {
            problem.detail += " The nearest is \(nearest.route): \(nearest.difference)."
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
        let rest = violations.count > 1 ? " There are \(violations.count - 1) more." : ""
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
