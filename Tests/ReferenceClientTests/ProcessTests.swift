import Foundation
import TestSupport
import Testing

@testable import ReferenceClients

private let program = SpawnedCommand.path(of: "reference-client")

/// A sample of the proof that `reference-client prove` makes in full.
@Suite(.serialized, .enabled(if: program != nil, "reference-client was not built"))
struct ProcessTests {
    @Test(arguments: Connections.allCases)
    func `Clients in processes of their own are judged as in the matrix`(_ connections: Connections) async throws {
        var proof = ProcessProof(program: try #require(program), environment: ProcessInfo.processInfo.environment)
        proof.connections = [connections]
        proof.schedules = BugCase.all.count
        proof.schedulesWithBug = 2
        // Other tests run beside it.
        proof.parallel = 4
        // Coprime to the numbers of designs, scenes and bugs, so that some of each are among them.
        proof.share = 29
        var words: [String] = []
        let rows = try await proof.run { words.append($0) }
        #expect(rows.allSatisfy { $0.alarms == 0 && $0.missed == 0 }, "\(words.joined(separator: "\n"))")
        #expect(rows.contains { $0.plays > 0 } && rows.contains { !$0.found.isEmpty })
    }
}
