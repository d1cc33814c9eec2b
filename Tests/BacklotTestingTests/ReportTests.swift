import Basics
import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

@Suite struct `The report on a client` {
    @Test func `names what is wrong with its requests and its session`() async throws {
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses()
        #expect(!report.passed)
        let ids = Set(report.failures.map(\.id))
        #expect(ids.isSuperset(of: ["responses/request", "responses/wrong-success"]))
        let missing = report.findings.filter { $0.id == "responses/no-adapter" }
        #expect(
            missing.map(\.message) == [
                "Beginner has no call for 4 of 6 operations: refresh, listPets, addPet and removePet"
            ]
        )
        let finding = try #require(missing.first)
        #expect(finding.severity == .note)
        #expect(finding.file?.hasSuffix("Guide/Contracts/pets/openapi.json") == true)
        #expect(finding.line != nil)
        #expect("\(finding)".hasSuffix("[responses/no-adapter]"))
        let lines = "\(report)".split(separator: "\n")
        #expect(lines.count <= 14, "a screen, and not the whole report")
        #expect(lines.last?.starts(with: "documented responses of Beginner: ") == true)
    }

    @Test func `leaves out what is not wanted`() async throws {
        let pets = PetsOfABeginner.underTest()
        let report = try await pets.testDocumentedResponses(except: ["list*", "addPet", "refresh"])
        let missing = report.findings.filter { $0.id == "responses/no-adapter" }.map(\.message)
        #expect(missing == ["Beginner has no call for 1 of 3 operations: removePet"])
        let rest = try await pets.testDocumentedResponses(except: ["*"])
        #expect(rest.findings.isEmpty && !rest.passed, "nothing was checked")
        #expect(try await !pets.testResponseVariants(except: ["get*"]).passed, "nothing was checked")
        let problem = try await #require(throws: TestProblem.self) {
            try await pets.testDocumentedResponses(except: ["getPets"])
        }
        #expect(problem.description.hasSuffix("openapi.json contains no operation \"getPets\"; did you mean getPet?"))
    }

    @Test(arguments: [("session", "refresh"), ("bearer", "renewal-refresh"), ("accessToken", "refreshToken")])
    func `knows the tokens by the names that the scenario has for them`(access: String, refresh: String) async throws {
        let report = try await PetsOfABeginner.naming(access, refresh).testDocumentedResponses()
        #expect(report.passed, "\(report)")
        #expect(report.failures.isEmpty)
    }

    @Test func `is an issue for each failure, at the call that it is about`() async throws {
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses(of: "getPet")
        let issues = report.recordedIssues
        #expect(issues.count == min(report.failures.count, 12) + (report.failures.count > 12 ? 1 : 0))
        let first = try #require(issues.first)
        #expect(first.sourceLocation?.fileName == "PetsOfABeginner.swift")
        #expect(first.comments.map(\.rawValue) == report.failures.prefix(1).map(\.description))
        // Nothing is recorded where all is well.
        try await PetsClientTests().pets.testDocumentedResponses(of: "signIn").recordIssues()
    }

    @Test func `is an issue where nothing was checked`() async throws {
        let report = try await PetsOfABeginner.underTest().testDocumentedResponses(of: "sign*")
        withKnownIssue {
            report.recordIssues()
        } matching: { issue in
            issue.comments.first?.rawValue.starts(with: "nothing was checked: ") ?? false
        }
    }

    @Test func `is about a flow where a story fails`() async throws {
        let flow = Flow<PetsOfABeginner>("PET-01") { _, _ in }
        let report = try await PetsOfABeginner.underTest(contract: nil, stories: "Guide/Scenarios/pets", flows: [flow])
            .testStories("PET-01")
        #expect(!report.passed)
        #expect(report.failures.allSatisfy { $0.subject == "PET-01" }, "\(report)")
        let lines = report.recordedIssues.map { $0.sourceLocation?.line }
        #expect(Set(lines) == [flow.location.line])
    }

    @Test func `names what is wrong with its models`() async throws {
        let report = try await PetsOfABeginner.underTest().testResponseVariants()
        #expect(!report.passed)
        let ids = Set(report.failures.map(\.id))
        #expect(
            ids.isSuperset(of: ["variants/refused-variant", "variants/changed-value", "variants/accepted-illegal"])
        )
    }

    @Test func `says whether a change of the contract breaks the client`() async throws {
        let folder = try TemporaryFolder()
        let contracts = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Guide/Contracts")
        let now = try String(contentsOf: contracts.appending(path: "pets/openapi.json"), encoding: .utf8)
        let pet = try #require(now.firstRange(of: #""id": { "type": "integer", "format": "int64" },"#))
        let narrow = now.replacing(
            now[pet],
            with: #""id": { "type": "integer", "format": "int32" },"#,
            maxReplacements: 1
        )
        try folder.write(narrow, to: "narrow.json")
        let report = try await PetsOfABeginner.underTest().testResponseVariants(since: "\(folder.path)/narrow.json")
        #expect(report.failures.map(\.id) == ["variants/refused-variant"], "\(report)")
        #expect(report.failures.first?.message.contains("/id") == true)
        #expect(report.text(.text).contains("the changes break Beginner"))
        let wide = try await PetsClientTests().pets.testResponseVariants(since: "\(folder.path)/narrow.json")
        #expect(wide.passed, "\(wide)")
        #expect(wide.text(.text).contains("the changes do not break Pets"))
        let none = try await PetsOfABeginner.underTest().testResponseVariants(
            since: "Guide/Contracts/pets/openapi.json"
        )
        #expect(none.passed && none.findings.isEmpty, "\(none)")
        let problem = await #expect(throws: TestProblem.self) {
            try await PetsOfABeginner.underTest().testResponseVariants(since: "no-such-revision")
        }
        #expect(problem?.description.contains("no-such-revision") == true)
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
    }
}

@Suite struct `A client that cannot be tested` {
    @Test func `hears where its contract was looked for`() async throws {
        let pets = PetsOfABeginner.underTest(contract: "Contracts/lost.json")
        let problem = try await #require(throws: TestProblem.self) { try await pets.testDocumentedResponses() }
        let lines = problem.description.split(separator: "\n")
        #expect(lines.first == "the contract \"Contracts/lost.json\" does not exist; searched for")
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
        #expect(problem.description.hasSuffix("openapi.json contains no operation \"getPets\"; did you mean getPet?"))
        await #expect(throws: TestProblem.self) { try await pets.testResponseVariants(of: "getPet", "remove?") }
    }

    @Test func `hears that it has no contract`() async throws {
        let pets = PetsOfABeginner.underTest(contract: nil)
        let problem = try await #require(throws: TestProblem.self) { try await pets.testDocumentedResponses() }
        #expect(
            problem.description == "Beginner has no contract; set the path of its OpenAPI file, such as contract: "
                + "\"openapi.json\""
        )
    }

    @Test func `hears which place is not a JSON Pointer`() async throws {
        let problem = try await #require(throws: TestProblem.self) {
            try await PetsOfABeginner.signingIn(["access": "data.token"]).testDocumentedResponses()
        }
        #expect(problem.description.contains("PetsOfABeginner.swift:"))
        #expect(
            problem.description.hasSuffix(
                "\"data.token\" is not a JSON Pointer (RFC 6901); did you mean \"/data.token\"?"
            )
        )
    }

    @Test func `hears that it has no stories`() async throws {
        let problem = try await #require(throws: TestProblem.self) {
            try await PetsOfABeginner.underTest().testStories()
        }
        #expect(
            problem.description == "Beginner has no stories; set the path of the story folder, such as stories: "
                + "\"Scenarios\""
        )
    }

    @Test func `hears that a story has two flows`() async throws {
        let flow = Flow<PetsOfABeginner>("PET-01") { _, _ in }
        let pets = PetsOfABeginner.underTest(stories: "Guide/Scenarios/pets", flows: [flow, flow])
        let problem = try await #require(throws: TestProblem.self) { try await pets.testStories() }
        let place = "ReportTests.swift:\(flow.location.line)"
        #expect(
            problem.description == "\(place): Beginner has more than one flow for the story \"PET-01\"; keep only one"
        )
    }
}
