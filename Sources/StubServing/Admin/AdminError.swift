import Findings
import JSONText
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
            detail: findings.map { finding in
                finding.advice.map { "\(finding.message); \($0)" } ?? finding.message
            }.joined(separator: ". "),
            members: [("findings", .array(findings.map { .string($0.description) }))]
        )
    }

    static func notFound(_ what: String) -> AdminError {
        AdminError(Problem("not-found", status: 404, title: "There is no such thing", detail: what))
    }
}
