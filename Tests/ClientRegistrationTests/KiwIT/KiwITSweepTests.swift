import ClientRegistration
import ContractRunner
import Findings
import Testing

@Suite struct `kiwIT in the sweep` {
    @Test func `reads what the contract allows, and nothing else`() async throws {
        let result = try await KiwITAdapter().sweep()
        #expect(result.findings == [], "\(result)")
        #expect(result.calls > 1_000)
    }
}
