@testable import ReferenceClients

/// A rule that finds something in a client with another bug, and why that is right.
struct DeclaredHit: Sendable {
    let bug: Bug
    let rule: String
    /// The clients in which it happens.
    let designs: [ClientDesign]
    let reason: String

    init(_ bug: Bug, _ rule: String, in designs: [ClientDesign] = ClientDesign.allCases, _ reason: String) {
        self.bug = bug
        self.rule = rule
        self.designs = designs
        self.reason = reason
    }

    /// Every hit that was thought of before the matrix was made.
    static let all = [
        DeclaredHit(.signedOutThoughFresh, "B2", "the refresh that meets the conflict is one too many"),
        DeclaredHit(.winnerErased, "B24", "the refresh that is refused is the second one with the token"),
    ]

    static func isDeclared(_ rule: String, in cell: MatrixCell) -> Bool {
        all.contains { $0.bug == cell.bug && $0.rule == rule && $0.designs.contains(cell.design) }
    }
}
