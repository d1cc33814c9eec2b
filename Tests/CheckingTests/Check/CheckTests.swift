import Basics
import Checking
import ClientTesting
import Reports
import TestSupport
import Testing

@Suite
struct `A check` {
    @Test func `holds where contract, scenario and fixtures agree`() throws {
        let report = try PetProject().check()
        #expect(report.allFindings.map(\.description) == [])
        #expect(report.verdict == .held)
    }

    @Test func `counts the scenarios that it failed`() throws {
        var files = ["Scenarios/backend.json": #"{"backend": "B", "routes": {"GET /a": {}}}"#]
        for id in ["a", "b", "c"] {
            files["Scenarios/\(id).json"] =
                #"{"extends": "backend.json", "id": "\#(id)", "title": "T", "expct": [{"request": "GET /a"}]}"#
        }
        let text = TextReport(try Check(files: MemoryFiles(files)).run()).text
        #expect(text.hasPrefix("3 of 5 checks failed: 3 in scenarios\n"), "\(text)")
    }

    @Test func `judges every response once, whichever stories share it`() throws {
        let report = try PetProject().check()
        let names = report.checks.map { "\($0.group) \($0.name)" }
        #expect(
            names == [
                "Contracts/pets.json contract",
                "Scenarios/pets/backend.json scenario",
                "Scenarios/pets/backend.json GET /pets 200",
                "Scenarios/pets/backend.json POST /pets 201",
                "Scenarios/pets/backend.json GET /pets/{id} 404, case 1",
                "Scenarios/pets/backend.json GET /pets/{id} 200",
                "Scenarios/pets/backend.json DELETE /pets/{id} 204",
                "Scenarios/pets/backend.json access token refused 401",
                "Scenarios/pets/backend.json guard \"closed\" 503",
                "Scenarios/pets/late.json scenario",
                "Scenarios/pets/late.json GET /pets/{id} 404",
            ]
        )
    }

    @Test func `judges what a story's variants change`() throws {
        let title = "\"title\": \"Nobody is at home\","
        let project = PetProject(
            PetProject.story,
            title,
            with: title + #"""
                 "variants": {
                   "same": {},
                   "odd": { "routes": { "GET /pets/{id}": { "fixture": "fixtures/pet.json" } } }
                 },
                """#
        )
        let report = try project.check()
        let names = report.checks.map { "\($0.group) \($0.name)" }.filter { $0.contains("late.json") }
        #expect(
            names == [
                "Scenarios/pets/late.json scenario", "Scenarios/pets/late.json GET /pets/{id} 404",
                "Scenarios/pets/late.json (same) scenario", "Scenarios/pets/late.json (odd) scenario",
                "Scenarios/pets/late.json (odd) GET /pets/{id} 404",
            ]
        )
        #expect(report.errors.count == 1)
    }

    @Test func `lets no guard that asks for an account answer where the token is somebody else's`() throws {
        var project = PetProject(PetProject.backend, #""method": "POST""#, with: #""account": { "exists": true }"#)
        project.replace(#""kinds": {"#, with: #""kinds": { "social": { "foreign": true },"#, in: PetProject.backend)
        project.replace(
            #""GET /pets": { "requires": "access""#,
            with: #""GET /pets": { "requires": "social""#,
            in: PetProject.backend
        )
        #expect(try project.check().errors.map(\.description) == [])
    }

    @Test func `names the route that the contract does not have, and the one that was meant`() throws {
        let project = PetProject(PetProject.backend, "GET /pets/{id}", with: "GET /pest/{id}")
        let report = try project.check([PetProject.backend])
        let finding = try #require(report.errors.first)
        #expect(report.errors.count == 1)
        #expect(finding.id == "check/undocumented-route")
        #expect(
            finding.line
                == "\(PetProject.backend):\(try #require(project.line(of: "GET /pest", in: PetProject.backend)))"
        )
        #expect(finding.advice == "did you mean GET /pets/{id}?")
    }

    @Test func `names the methods of a path that lacks one`() throws {
        let project = PetProject(PetProject.backend, "POST /pets", with: "PATCH /pets")
        let finding = try #require(try project.check().errors.first)
        #expect(finding.message == "the contract does not document PATCH /pets")
        #expect(finding.advice == "the contract documents GET, POST on this path")
    }

    @Test func `points into the fixture, into the contract and to the route`() throws {
        let project = PetProject(PetProject.list, "\"Mia\"", with: "12")
        let report = try project.check()
        let finding = try #require(report.errors.first)
        #expect(report.errors.count == 1)
        #expect(finding.place?.file == PetProject.list)
        #expect(finding.place?.position == TextPosition(line: 10, column: 13))
        #expect(finding.place?.pointer == "/1/name")
        let contract = try #require(project.line(of: "\"name\": { \"type\"", in: PetProject.contract))
        let route = try #require(project.line(of: "GET /pets", in: PetProject.backend))
        #expect(finding.relatedLines == ["\(PetProject.contract):\(contract)", "\(PetProject.backend):\(route)"])
    }

    @Test func `tells what a backend does wrong once, and not for every story`() throws {
        var project = PetProject(PetProject.problem, "\"no\"", with: "null")
        project.files["Scenarios/pets/later.json"] = project.files[PetProject.story]?.replacing("P-1", with: "P-2")
        let findings = try project.check().errors
        #expect(findings.map(\.line) == ["\(PetProject.problem):2"])
    }

    @Test func `lets a response break the contract that says why`() throws {
        var project = PetProject(PetProject.story, "\"status\": 404", with: "\"breaks\": \"a proxy\", \"status\": 418")
        let report = try project.check()
        #expect(report.verdict == .held)
        #expect(report.allFindings.map(\.severity) == [.note])
        #expect(report.summary.contains("1 deliberate violation, marked \"breaks\""))
        project.replace("418", with: "404", in: PetProject.story)
        let finding = try #require(try project.check().errors.first)
        #expect(finding.id == "check/breaks-nothing")
        #expect(finding.line == "\(PetProject.story):\(try #require(project.line(of: "breaks", in: PetProject.story)))")
    }

    @Test func `takes documented errors for the model of what the server answers beside its routes`() throws {
        let routes = "\"routes\": {"
        func findings(_ body: String) throws -> [String] {
            let unmatched = "\"unmatched\": { \"status\": 410, \"json\": \(body) }, "
            return try PetProject(PetProject.backend, routes, with: unmatched + routes).check().errors.map(\.message)
        }
        #expect(try findings("{ \"message\": \"gone\" }") == [])
        #expect(try findings("{ \"message\": 410 }").count == 1)
        #expect(try findings("{ \"mesage\": \"gone\" }").count == 1)
        let right = "{ \"message\": \"gone\" }"
        let misspelt = "\"status\": 410, \"json\": { \"mesage\": \"gone\" }"
        #expect(try findings("\(right), \"cases\": [{ \"when\": { \"method\": \"PUT\" }, \(misspelt) }]").count == 1)
        let refusal = "{ \"access\": { \"reject\": { \"*\": { \(misspelt) } } } }"
        #expect(try findings("\(right), \"requires\": \(refusal)").count == 1)
    }

    @Test func `finds a story that waits for a status that nothing answers with`() throws {
        var project = PetProject()
        let expectation = "{ \"request\": \"GET /pets\", \"count\": 1, \"status\": 200 }"
        project.replace(PetProject.expectation, with: expectation, in: PetProject.story)
        #expect(try project.check().errors.map(\.description) == [])
        project.replace("\"status\": 200", with: "\"status\": 2000", in: PetProject.story)
        #expect(try project.check().verdict == .failed)
        project.replace("2000", with: "202", in: PetProject.story)
        let finding = try #require(try project.check().errors.first)
        #expect(finding.id == "check/unexpected-status")
        #expect(finding.line == "\(PetProject.story):\(try #require(project.line(of: "202", in: PetProject.story)))")
    }

    @Test func `skips a scenario without a contract, and says so`() throws {
        let report = try PetProject(PetProject.backend, "\"contract\": \"../../Contracts/pets.json\",", with: "")
            .check()
        #expect(
            report.checks.filter { $0.skipped != nil }.map(\.skipped) == [
                "the scenario specifies no contract", "the scenario specifies no contract",
            ]
        )
        #expect(report.verdict == .held)
    }

    @Test func `leaves a response alone that never arrives whole`() throws {
        let project = PetProject(PetProject.story, "\"status\": 404,", with: "\"status\": 418, \"fault\": \"reset\",")
        let report = try project.check()
        #expect(report.errors.map(\.description) == [])
        #expect(report.checks.last?.skipped != nil)
    }
}
