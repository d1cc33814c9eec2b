import ClientRegistration
import ContractRunner
import Testing

/// What no check of all registered clients says of RunwithU's.
@Suite(.timeLimit(.minutes(5)))
struct `RunwithU's service` {
    @Test func `has every operation of its contract, and a flow for every story`() {
        let adapter = RunwithUAdapter()
        #expect(adapter.omissions.isEmpty)
        #expect(Set(adapter.flows.keys) == Set((1...21).map { "W\($0)" }))
    }

    @Test func `reads all that its contract allows, and nothing else`() async throws {
        let result = try await RunwithUAdapter().sweep()
        #expect(result.findings == [], "\(result)")
        #expect(result.calls > 1000)
    }
}
