import ClientRegistration
import ClientTesting
import Testing

extension Clients {
    /// Every client of this package: all that its contract documents, and every story of its backend.
    @Suite struct `A registered client` {
        private static let names = RegisteredClients.all.map(\.name)

        private func adapter(_ name: String) throws -> any ClientAdapter {
            try #require(RegisteredClients.all.first { $0.name == name })
        }

        @Test(arguments: names) func `has every operation of its contract`(name: String) throws {
            #expect(try adapter(name).omissions.isEmpty)
        }

        @Test(arguments: names)
        func `does well by every documented answer and every fault`(name: String) async throws {
            let result = try await adapter(name).responses()
            #expect(result.findings == [], "\(result)")
            #expect(result.cells.count > 100)
        }

        @Test(arguments: names)
        func `does as well over the platform's networking`(name: String) async throws {
            let result = try await adapter(name).responses(ResponseCheckOptions(network: .urlSession))
            #expect(result.findings == [], "\(result)")
            #expect(result.cells.contains { $0.skipped != nil && $0.answer == "never" })
        }

        @Test(arguments: names)
        func `reads what its contract allows, and nothing else`(name: String) async throws {
            let result = try await adapter(name).variants()
            #expect(result.findings == [], "\(result)")
            #expect(result.calls > 1_000)
        }

        @Test(arguments: names)
        func `serves its user well in every story`(name: String) async throws {
            let adapter = try adapter(name)
            guard !PlayedStories.isLeftOut(adapter) else { return }
            let outcome = await PlayedStories.outcome(of: adapter)
            #expect(outcome.isPassed, "\(outcome.text)")
        }
    }
}
