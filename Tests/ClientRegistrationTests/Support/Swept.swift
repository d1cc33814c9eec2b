import ContractRunner
import Findings
import OpenAPIContracts
import ProjectFiles
import TestSupport
import Testing

/// A client that was swept by its contract of this package.
struct Swept {
    let result: SweepResult

    /// - Parameters:
    ///   - operations: patterns of operations' ids; none for all.
    ///   - checks: patterns of findings' ids; none for all.
    init(_ adapter: some ClientAdapter, operations: [String] = [], checks: [String] = []) async throws {
        let files = DiskFiles()
        let sweep = try Sweep(
            adapter,
            files: files,
            project: try #require(ProjectRoot(Project.folder, files: files)),
            SweepOptions(operations: operations, checks: checks)
        )
        result = await sweep.run()
    }

    /// The findings' ids, each once, in the order of the contract.
    var ids: [String] {
        var ids: [String] = []
        for finding in result.findings where !ids.contains(finding.id) { ids.append(finding.id) }
        return ids
    }

    /// Fails the test with everything that was found, line by line.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        guard !result.findings.isEmpty else { return }
        let lines = result.findings.map(\.description).joined(separator: "\n")
        Issue.record("\(result.findings.count) findings:\n\(lines)", sourceLocation: sourceLocation)
    }
}
