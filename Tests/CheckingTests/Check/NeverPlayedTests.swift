import Basics
import Checking
import ClientTesting
import Reports
import TestSupport
import Testing

/// What no request can get, and what is waited for in vain, without a contract and with one.
@Suite struct `A check of what can never be played` {
    /// A backend's members, a story's members, and what is found: place, id and the beginning of the sentence.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var backend: String
        var story: String?
        var found: [String] = []

        init(_ name: String, _ backend: String, story: String? = nil, finds found: [String] = []) {
            testDescription = name
            self.backend = backend
            self.story = story
            self.found = found
        }
    }

    private static let cases = [
        // Behind something that takes everything.
        Case(
            "a case behind one that asks for nothing",
            #""routes": {"GET /a": {"cases": [{"when": {}}, {"when": {"query": {"x": "1"}}, "status": 404}]}}"#,
            finds: ["backend.json:2:47: check/never-played: case 2 of GET /a is never played: case 1"]
        ),
        Case(
            "a case behind one that asks for less",
            #"""
            "routes": {"GET /a": {"cases": [
             {"when": {"query": {"x": "1"}}, "status": 400},
             {"when": {"query": {"x": "2"}}, "status": 402},
             {"when": {"all": [{"query": {"x": "1"}}, {"header": {"X": "y"}}]}, "status": 404}], "json": 1}}
            """#,
            finds: ["backend.json:5:2: check/never-played: case 3 of GET /a is never played: case 1"]
        ),
        Case(
            "a response behind a case that asks for nothing",
            #""routes": {"GET /a": {"cases": [{"when": {}}], "status": 201}}"#,
            finds: ["backend.json:2:48: check/never-played: the response of GET /a is never played: case 1"]
        ),
        Case(
            "a list behind a case that asks for the route's own method",
            #""routes": {"PUT /a": {"cases": [{"when": {"method": "PUT"}}], "responses": [{"status": 500}]}}"#,
            finds: ["backend.json:2:63: check/never-played: the responses of PUT /a is never played: case 1"]
        ),
        Case(
            "a guard behind another one",
            #"""
            "guards": [{"name": "late", "order": "afterTokens", "when": {"header": {"x-a": "1"}}, "status": 500},
             {"name": "early", "when": {"header": {"X-A": "1"}}, "status": 503}], "routes": {"GET /a": {}}
            """#,
            finds: ["backend.json:2:12: check/never-played: the guard \"late\" is never played: the guard \"early\""]
        ),
        Case(
            "a story's case behind another one",
            #""routes": {"GET /a": {}}"#,
            story: #""routes": {"GET /a": {"cases": [{"when": {}, "status": 500}, {"when": {"device": "a"}}]}}"#,
            finds: ["story.json:2:62: check/never-played: case 2 of GET /a is never played: case 1"]
        ),
        // What looks alike and can be played, or is hidden on purpose.
        Case(
            "a story's case that hides what its backend has",
            #""routes": {"GET /a": {"status": 200}}"#,
            story: #""routes": {"GET /a": {"cases": [{"when": {}, "status": 500}]}}"#
        ),
        Case(
            "cases that ask for different things",
            #"""
            "routes": {"GET /a": {"cases": [
             {"when": {"query": {"x": "1", "y": "1"}}, "status": 400}, {"when": {"query": {"x": "1"}}, "status": 402},
             {"when": {"method": "GET"}, "status": 403}, {"when": {"not": {"query": {"x": "1"}}}, "status": 404}],
             "json": 1}}
            """#
        ),
        Case(
            "a story's list, which goes before the case of its backend",
            #""routes": {"GET /a": {"cases": [{"when": {}, "status": 404}]}}"#,
            story: #""routes": {"GET /a": {"responses": [{"status": 500}]}}"#
        ),
        // Statuses.
        Case(
            "an expectation of a status that the route does not have",
            #""routes": {"GET /a": {"status": 200}}"#,
            story: #""expect": [{"request": "GET /a", "status": 404}]"#,
            finds: ["story.json:2:44: check/unexpected-status: GET /a never answers with 404"]
        ),
        Case(
            "an event and a gate that wait for such a status",
            #""routes": {"GET /a": {"status": 200}, "GET /b": {}}"#,
            story: #"""
                "timeline": [{"after": {"request": "GET /a", "status": 403}, "freeze": true}],
                "hold": {"requests": "GET /b", "until": {"answered": "GET /a", "status": [403, 404]}}
                """#,
            finds: [
                "story.json:2:56: check/unexpected-status: GET /a never answers with 403",
                "story.json:3:75: check/unexpected-status: GET /a never answers with 403",
                "story.json:3:80: check/unexpected-status: GET /a never answers with 404",
            ]
        ),
        Case(
            "statuses that come from elsewhere",
            #"""
            "tokens": {"kinds": {"access": {"lifetime": "1h", "reject": {"expired": {"status": 419}}}}},
            "guards": [{"when": {"device": "x"}, "status": 503}], "invalidRequest": {"status": 422},
            "routes": {"GET /a": {"requires": "access", "cases": [{"when": {"query": {"x": "1"}}, "responses": [{"status": 409}]}]}}
            """#,
            story: #"""
                "expect": [{"request": "GET /a", "status": [419, 410]}, {"request": "GET /a", "status": 503},
                 {"request": "GET /a", "status": 422}, {"request": "GET /a", "status": 409},
                 {"request": "GET /a", "status": 401}, {"request": "GET /a", "status": 404},
                 {"request": "GET /a", "status": 500}, {"request": "GET /a", "status": 410, "count": 0},
                 {"request": "GET /a", "status": 410, "count": {"atMost": 2}}]
                """#
        ),
    ]

    @Test(arguments: cases) func `finds it at its place, and nothing else`(example: Case) throws {
        var files = ["Scenarios/backend.json": "{\"backend\": \"Test\",\n\(example.backend)}"]
        if let story = example.story {
            files["Scenarios/story.json"] =
                "{\"extends\": \"backend.json\", \"id\": \"s\", \"title\": \"S\",\n\(story)}"
        }
        let report = try Check(files: MemoryFiles(files)).run()
        let found = report.allFindings.map { finding in
            let line = finding.place?.description.replacing("Scenarios/", with: "") ?? ""
            return "\(line): \(finding.id): \(finding.message)"
        }
        #expect(found.count == example.found.count, "\(found)")
        for (found, wanted) in zip(found, example.found) { #expect(found.hasPrefix(wanted)) }
        #expect(report.allFindings.allSatisfy { $0.severity == .error && $0.advice != nil })
    }

    @Test func `tells of a documented status that no response of the route has, where one must come`() throws {
        var project = PetProject()
        let expectation = "\"expect\": [{ \"request\": \"DELETE /pets/{id}\", \"status\": 204 }],"
        project.replace("\"title\"", with: expectation + "\n  \"title\"", in: PetProject.story)
        #expect(try project.check().errors.map(\.description) == [])
        project.replace(
            "\"status\": 204, \"empty\": true",
            with: "\"status\": 200, \"breaks\": \"old\"",
            in: PetProject.backend
        )
        let finding = try #require(try project.check().errors.first)
        #expect(finding.id == "check/unexpected-status" && finding.advice?.contains("documents 204") == true)
        project.replace("204 }", with: "204, \"count\": 0 }", in: PetProject.story)
        #expect(try project.check().errors.map(\.description) == [])
    }

    @Test func `4.5 asks no body of a response that is lost`() throws {
        var project = PetProject(PetProject.story, #""status": 404,"#, with: #""fault": "lost","#)
        project.replace(#""fault": "lost","#, with: #""fault": "lost", "empty": true"#, in: PetProject.story)
        project.replace(#""fixture": "fixtures/problem.json""#, with: "", in: PetProject.story)
        let report = try project.check()
        #expect(report.errors.map(\.description) == [])
        #expect(report.checks.last?.skipped == "no response arrives, because of the fault lost")
        // What it would have been is judged where the story says it.
        project.replace(#""empty": true"#, with: #""json": {"id": "7"}"#, in: PetProject.story)
        #expect(try project.check().errors.isEmpty == false)
    }
}
