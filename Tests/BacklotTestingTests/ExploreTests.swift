import BacklotTesting
import Testing

@Suite struct `Exploring a client in a test` {
    @Test func `finds nothing in the guide's client, and says how much it has tried`() async throws {
        let report = try await PetsClientTests().pets.explore("PET-01", runs: 24)
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.checkCount > 12, "\(report)")
    }

    @Test func `needs a story that the client has a flow for`() async throws {
        await #expect(throws: TestProblem.self) { try await PetsClientTests().pets.explore("PET-99") }
    }
}
