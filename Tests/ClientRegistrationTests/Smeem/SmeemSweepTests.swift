import ClientRegistration
import ContractRunner
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Smeem's service in the sweep` {
    @Test func `keeps what the contract allows, and refuses what it forbids`() async throws {
        let result = try await SmeemAdapter().sweep()
        #expect(result.findings == [], "\(result)")
        #expect(result.calls > 1000)
    }
}
