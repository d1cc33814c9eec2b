import BacklotTesting
import Basics
import TestSupport
import Testing

@Suite struct `Exploring a client in a test` {
    @Test func `finds nothing in the guide's client, and says how much it has tried`() async throws {
        let report = try await PetsClientTests().pets.explore("PET-01", runs: 24)
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.checkCount > 12, "\(report)")
    }

    @Test func `fails where nothing could be tried, and says what to write`() async throws {
        let report = try await PetsClientTests().pets.explore("PET-02")
        #expect(!report.passed)
        #expect(report.failures.map(\.id) == ["explore/nothing-tried"], "\(report)")
        let failure = try #require(report.failures.first)
        #expect(failure.message.hasSuffix("access-1 was expired before the client started"), "\(failure)")
        #expect(failure.advice?.contains("explore a story without failures") == true, "\(failure)")
        #expect(report.text(.junit).contains("failures=\"1\""))
        let beginner = PetsOfABeginner.underTest(
            contract: nil,
            stories: "Guide/Scenarios/pets",
            flows: [Flow("PET-01") { client, _ in _ = try? await client.pet(1) }]
        )
        let wrong = try await beginner.explore("PET-01")
        #expect(!wrong.passed)
        #expect(
            wrong.text(.text).contains("the client's token is not an access token of this server"),
            "\(wrong.text(.text))"
        )
    }

    @Test func `of all stories passes where one could be tried, and notes the others`() async throws {
        let report = try await PetsClientTests().pets.explore(runs: 8)
        #expect(report.passed, "\(report)")
        #expect(report.findings.map(\.id) == ["explore/nothing-tried"] && report.failures.isEmpty, "\(report)")
    }

    @Test func `plays a story that extends another one with the flow of that one`() async throws {
        let folder = try TemporaryFolder()
        let guide = "\(Project.folder)/Tests/BacklotTestingTests/Guide"
        for name in ["Scenarios/pets", "Contracts/pets"] {
            for file in DiskFiles().entries(of: "\(guide)/\(name)") {
                let bytes = try DiskFiles().read("\(guide)/\(name)/\(file)")
                try folder.write(String(decoding: bytes, as: UTF8.self), to: "\(name)/\(file)")
            }
        }
        let found = #"{"extends": "back-after-lunch.json", "id": "PET-01-B7-token-dies", "title": "Found"}"#
        try folder.write(found, to: "Scenarios/pets/found.json")
        let client = PetsOfABeginner.underTest(
            contract: nil,
            stories: "\(folder.path)/Scenarios/pets",
            flows: [Flow("PET-01") { client, _ in _ = try? await client.pet(1) }]
        )
        let report = try await client.testStories("PET-01-B7-token-dies")
        #expect(!report.findings.contains { $0.id == "story/no-flow" } && report.checkCount > 0, "\(report)")
    }

    @Test func `needs a flow that sends something`() async throws {
        let silent = PetsOfABeginner.underTest(
            contract: nil,
            stories: "Guide/Scenarios/pets",
            flows: [Flow("PET-01") { _, _ in }]
        )
        let error = await #expect(throws: TestProblem.self) { try await silent.explore("PET-01") }
        #expect(error?.description.contains("[explore/nothing-tried]") == true, "\(error?.description ?? "")")
    }

    @Test func `needs a flow that ends, and names the story's file`() async throws {
        let hanging = PetsOfABeginner.underTest(
            contract: nil,
            stories: "Guide/Scenarios/pets",
            flows: [
                Flow("PET-01") { client, _ in
                    _ = try? await client.pet(1)
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                }
            ]
        )
        let error = await #expect(throws: TestProblem.self) { try await hanging.explore("PET-01") }
        let text = error?.description ?? ""
        #expect(text.contains("/back-after-lunch.json: ") && text.contains("[client/hung]"), "\(text)")
    }

    @Test func `needs a story that the client has a flow for`() async throws {
        await #expect(throws: TestProblem.self) { try await PetsClientTests().pets.explore("PET-99") }
    }
}
