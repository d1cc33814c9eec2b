package import Basics

/// What came of a client in a matrix.
package struct ResponseCheckResult: Sendable {
    /// What people call the client.
    package var client: String
    /// The contract's path.
    package var contract: String
    /// In the order of the contract.
    package var cells: [ResponseCheckCell]
    /// What belongs to no call, such as an operation that the client does not have.
    package var general: [Finding]
    /// Operations that the client does not have on purpose, with the reasons, in the order of the contract.
    package var omissions: [(operation: String, reason: String)]
    /// Refusals that are answers to the client, as sentences with the reasons.
    package var answers: [String] = []
    package var network: ResponseCheckOptions.Network
    /// In real time.
    package var duration: Duration

    /// Every finding, what belongs to no call first.
    package var findings: [Finding] { general + cells.flatMap(\.findings) }

    /// What the platform's networking does by itself; empty over the raw client.
    package var facts: [PlatformFact] { network == .urlSession ? PlatformFact.all : [] }
}

extension ResponseCheckResult: CustomStringConvertible {
    /// What a test that fails has to say: a line for each finding.
    package var description: String {
        let findings = findings
        let made = cells.count { $0.skipped == nil }
        var lines = ["\(client): \(made) calls, \(findings.count) findings"]
        lines += findings.map { "\($0)" }
        return lines.joined(separator: "\n")
    }
}
