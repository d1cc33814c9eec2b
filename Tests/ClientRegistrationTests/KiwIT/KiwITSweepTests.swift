import ClientRegistration
import ContractRunner
import Testing

@Suite struct `kiwIT in the sweep` {
    @Test func `reads what the contract allows, and nothing else`() async throws {
        let swept = try await Swept(KiwITAdapter())
        swept.expectNothing()
        #expect(swept.result.calls > 1_000)
    }
}
