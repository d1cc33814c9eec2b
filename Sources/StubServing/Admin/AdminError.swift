import Basics
import JSON
import Simulation

/// Why the admin API does not do what it was asked for.
struct AdminError: Error {
    var problem: Problem

    init(_ problem: Problem) {
        self.problem = problem
    }

    /// A request that makes no sense, with what would be right.
    init(_ name: String, _ detail: String) {
        problem = Problem(name, status: 400, title: "The admin API does not understand this", detail: detail)
    }

    init(findings: [Finding], name: String = "invalid-event") {
        problem = Problem(
            name,
            status: 400,
            title: "The scenario does not allow this",
            detail: findings.map(Self.sentence).joined(separator: " "),
            members: [("findings", .array(findings.map { .string($0.description) }))]
        )
    }

    /// A finding with its place in the body, or in a file of the scenario.
    private static func sentence(_ finding: Finding) -> String {
        let place = finding.place?.position == nil ? "" : finding.place.map { "\($0): " } ?? ""
        let advice = finding.advice.map { "; \($0)" } ?? ""
        let end = (advice.isEmpty ? finding.message : advice).hasSuffix("?") ? "" : "."
        return place + finding.message + advice + end
    }

    static func notFound(_ what: String) -> AdminError {
        AdminError(Problem("not-found", status: 404, title: "There is no such thing", detail: what))
    }
}
