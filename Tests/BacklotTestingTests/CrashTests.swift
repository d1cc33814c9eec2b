import BacklotTesting
import Testing

/// A client that crashes ends the test run, so the process prints what the client was doing.
@Suite struct CrashTests {
    private struct Crashing: Sendable {
        func list() -> [String] {
            let pets: [String] = []
            return [pets[0]]
        }
    }

    private static func client() -> ClientUnderTest<Crashing> {
        ClientUnderTest(
            "Crashing",
            contract: "Guide/Contracts/pets/openapi.json",
            stories: "Guide/Scenarios/pets"
        ) { _ in
            Crashing()
        } session: { _ in
            ObservedSession(tokens: [:])
        } calls: {
            Call("listPets") { $0.list() }
        } flows: {
            Flow("PET-01") { client, _ in _ = client.list() }
        }
    }

    @Test func `A crash during a call is reported with the operation and its line`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await CrashTests.client().testDocumentedResponses()
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        let report = "Backlot: the process has crashed during these calls:\n  listPets, CrashTests.swift:23\n"
        #expect(text.contains(report), "\(text)")
        #expect(text.contains("Index out of range"), "\(text)")
    }

    @Test func `A crash during a story is reported with the line of its flow`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try await CrashTests.client().testStories("PET-01")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("during these calls:\n  the story PET-01, CrashTests.swift:25\n"), "\(text)")
    }
}
