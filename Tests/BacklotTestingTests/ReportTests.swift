import BacklotTesting
import Foundation
import TestSupport
import Testing

@Suite struct `The report on a client` {
    @Test func `names what is wrong with its requests and its session`() async throws {
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses()
        #expect(!report.passed)
        let ids = Set(report.failures.map(\.id))
        #expect(ids.isSuperset(of: ["responses/request", "responses/wrong-success", "responses/no-adapter"]))
        let missing = report.findings.filter { $0.id == "responses/no-adapter" }.map(\.message)
        #expect(missing.contains { $0.contains("listPets") })
        #expect(!missing.contains { $0.contains("signIn") })
        let finding = try #require(report.findings.first { $0.id == "responses/no-adapter" })
        #expect(finding.file?.hasSuffix("Guide/Contracts/pets/openapi.json") == true)
        #expect(finding.line != nil)
        #expect("\(finding)".hasSuffix("[responses/no-adapter]"))
    }

    @Test func `names what is wrong with its models`() async throws {
        let report = try await PetsOfABeginner.underTest().testResponseVariants()
        #expect(!report.passed)
        let ids = Set(report.failures.map(\.id))
        #expect(
            ids.isSuperset(of: ["variants/refused-variant", "variants/changed-value", "variants/accepted-illegal"])
        )
    }

    @Test func `is about the calls that are wanted`() async throws {
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses(of: "sign*")
        #expect(report.findings.isEmpty)
        #expect(!report.passed, "nothing was checked")
    }

    @Test func `hears from the call where its tokens stand`() async throws {
        let elsewhere = try await PetsOfABeginner.signingIn(["access": "/refreshToken"]).testDocumentedResponses(
            of: "signIn"
        )
        #expect(elsewhere.failures.contains { $0.id == "responses/tokens-changed" })
        let found = try await PetsOfABeginner.signingIn(["access": "/accessToken"]).testDocumentedResponses(
            of: "signIn"
        )
        #expect(found.passed, "\(found)")
    }

    @Test func `says how to play a story again`() async throws {
        let report = try await PetsClientTests().pets.testStories("PET-01")
        #expect(report.text(.json).contains(#"testStories(\"PET-01\", seed: "#), "\(report.text(.json))")
    }

    @Test func `can be a file of any form`() async throws {
        let folder = try TemporaryFolder()
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses(of: "getPet")
        try report.write(.junit, to: "\(folder.path)/reports/pets.xml")
        let text = try String(contentsOfFile: "\(folder.path)/reports/pets.xml", encoding: .utf8)
        #expect(text.hasPrefix("<?xml"))
        #expect(text == report.text(.junit))
        for format in CheckReport.Format.allCases { #expect(!report.text(format).isEmpty) }
        #expect(report.text(.text) == report.description)
    }
}

@Suite struct `A client that cannot be tested` {
    @Test func `hears where its contract was looked for`() async throws {
        let pets = PetsOfABeginner.underTest(contract: "Contracts/lost.json")
        let problem = try await #require(throws: TestProblem.self) { try await pets.testDocumentedResponses() }
        let lines = problem.description.split(separator: "\n")
        #expect(lines.first == "there is no contract \"Contracts/lost.json\"; looked for")
        #expect(lines.dropFirst().first?.hasSuffix("/Support/Contracts/lost.json") == true)
        #expect(lines.last == "  /Contracts/lost.json")
    }

    @Test func `hears what is wrong with its contract`() async throws {
        let pets = PetsOfABeginner.underTest(contract: "Support/PetsOfABeginner.swift")
        let problem = try await #require(throws: TestProblem.self) { try await pets.testResponseVariants() }
        #expect(problem.description.contains("PetsOfABeginner.swift:1:1") == true)
    }

    @Test func `hears which operation was meant`() async throws {
        let pets = PetsOfABeginner.underTest()
        let problem = try await #require(throws: TestProblem.self) {
            try await pets.testDocumentedResponses(of: "getPets")
        }
        #expect(problem.description.hasSuffix("openapi.json has no operation \"getPets\"; did you mean getPet?"))
        await #expect(throws: TestProblem.self) { try await pets.testResponseVariants(of: "getPet", "remove?") }
    }

    @Test func `hears that it has no stories`() async throws {
        let problem = try await #require(throws: TestProblem.self) {
            try await PetsOfABeginner.underTest().testStories()
        }
        #expect(problem.description == "Beginner has no folder of stories")
    }

    @Test func `hears that a story has two flows`() async throws {
        let flow = Flow<PetsOfABeginner>("PET-01") { _, _ in }
        let pets = PetsOfABeginner.underTest(stories: "Guide/Scenarios/pets", flows: [flow, flow])
        let problem = try await #require(throws: TestProblem.self) { try await pets.testStories() }
        #expect(problem.description == "Beginner has more than one flow for the story \"PET-01\"; leave one of them")
    }
}
