import ClientRegistration
import ContractRunner
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A registered client in the matrix` {
    @Test(arguments: RegisteredClients.all.map(\.name))
    func `does well by every documented answer and every fault`(name: String) async throws {
        let adapter = try #require(RegisteredClients.all.first { $0.name == name })
        let result = try await adapter.matrix()
        #expect(result.findings == [], "\(result)")
        #expect(result.cells.count > 100)
    }

    @Test(arguments: RegisteredClients.all.map(\.name))
    func `does as well over the platform's networking`(name: String) async throws {
        let adapter = try #require(RegisteredClients.all.first { $0.name == name })
        let result = try await adapter.matrix(MatrixOptions(network: .urlSession))
        #expect(result.findings == [], "\(result)")
        #expect(result.cells.contains { $0.skipped != nil && $0.answer == "never" })
    }
}
