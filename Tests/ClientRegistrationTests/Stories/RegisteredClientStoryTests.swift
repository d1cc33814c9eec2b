import ClientRegistration
import ContractRunner
import Testing

/// Every client of this package before every story of its backend.
@Suite(.timeLimit(.minutes(5)))
struct `The user of a registered client` {
    @Test(arguments: RegisteredClients.all.map(\.name))
    func `is served well in every story`(name: String) async throws {
        let adapter = try #require(RegisteredClients.all.first { $0.name == name })
        guard !PlayedStories.isLeftOut(adapter) else { return }
        let outcome = await PlayedStories.outcome(of: adapter)
        #expect(outcome.isPassed, "\(outcome.text)")
    }
}
