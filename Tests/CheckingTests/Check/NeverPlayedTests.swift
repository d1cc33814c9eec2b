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
            finds: ["backend.json:2:47: check/never-played: case 2 of GET /a is never used, because case 1"]
        ),
        Case(
            "a case behind one that asks for less",
            #"""
            "routes": {"GET /a": {"cases": [
             {"when": {"query": {"x": "1"}}, "status": 400},
             {"when": {"query": {"x": "2"}}, "status": 402},
             {"when": {"all": [{"query": {"x": "1"}}, {"header": {"X": "y"}}]}, "status": 404}], "json": 1}}
            """#,
            finds: ["backend.json:5:2: check/never-played: case 3 of GET /a is never used, because case 1"]
        ),
        Case(
            "a response behind a case that asks for nothing",
            #""routes": {"GET /a": {"cases": [{"when": {}}], "status": 201}}"#,
            finds: ["backend.json:2:48: check/never-played: the response of GET /a is never used, because case 1"]
        ),
        Case(
            "a list behind a case that asks for the route's own method",
            #""routes": {"PUT /a": {"cases": [{"when": {"method": "PUT"}}], "responses": [{"status": 500}]}}"#,
            finds: ["backend.json:2:77: check/never-played: the response list of PUT /a is never used, because case 1"]
        ),
        Case(
            "a guard behind another one",
            #"""
            "guards": [{"name": "late", "order": "afterTokens", "when": {"header": {"x-a": "1"}}, "status": 500},
             {"name": "early", "when": {"header": {"X-A": "1"}}, "status": 503}], "routes": {"GET /a": {}}
            """#,
            finds: [
                "backend.json:2:12: check/never-played: the guard \"late\" is never used, because the guard \"early\""
            ]
        ),
        Case(
            "a story's case behind another one",
            #""routes": {"GET /a": {}}"#,
            story: #""routes": {"GET /a": {"cases": [{"when": {}, "status": 500}, {"when": {"device": "a"}}]}}"#,
            finds: ["story.json:2:62: check/never-played: case 2 of GET /a is never used, because case 1"]
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
        // Events that change nothing, whatever the client does.
        Case(
            "tokens of a device that never signs in",
            tokens,
            story: #"""
                "given": [{"signIn": "phone"}, {"revoke": "access", "device": "watch"}],
                "timeline": [{"at": "1m", "expire": "access", "device": "car"},
                 {"after": {"request": "GET /a"}, "signOut": "car"}]
                """#,
            finds: [
                "story.json:2:32: check/never-played: event 2 of given (revoke access) never changes anything:"
                    + " no device \"watch\" signs in",
                "story.json:3:14: check/never-played: event 1 of the timeline (expire access) never changes anything:"
                    + " no device \"car\" signs in",
                "story.json:4:2: check/never-played: event 2 of the timeline (signOut car) never changes anything:"
                    + " no device \"car\" signs in",
            ]
        ),
        Case(
            "a device that signs in later",
            tokens,
            story: #"""
                "timeline": [{"at": "1m", "signIn": "car"}, {"at": "2m", "expire": "access", "device": "car"},
                 {"after": {"request": "GET /a"}, "signOut": "car"}]
                """#
        ),
        Case(
            "a device that a route lets sign in under its name, and devices of any name",
            #"""
            "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "devices": {"header": "X-Device"},
            "routes": {"GET /a": {"grants": {"access": "new"}}}
            """#,
            story: #""timeline": [{"at": "1m", "expire": "access", "device": "car"}, {"at": "1m", "signOut": "bus"}]"#
        ),
        Case(
            "a device with a name of the server's own",
            #"""
            "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /a": {"grants": {"access": "new"}}}
            """#,
            story: #""timeline": [{"at": "1m", "expire": "access", "device": "device-1"}]"#
        ),
        Case(
            "tokens that are dead by their lifetime",
            tokens,
            story: #"""
                "given": [{"signIn": "phone", "ago": "2h"}, {"expire": "access", "ago": "1m"}],
                "timeline": [{"at": "1m", "expire": "access"}, {"after": {"request": "GET /a"}, "expire": "access"}]
                """#,
            finds: [
                "story.json:2:45: check/never-played: event 2 of given (expire access) never changes anything:"
                    + " no valid access token",
                "story.json:3:14: check/never-played: event 1 of the timeline (expire access) never changes anything:"
                    + " no valid access token exists at that moment, and no response issues a new one",
                "story.json:3:48: check/never-played: event 2 of the timeline (expire access) never changes anything:"
                    + " no valid access token",
            ]
        ),
        Case(
            "tokens that a route issues anew",
            #"""
            "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
            "routes": {"GET /a": {"json": 1}, "POST /login": {"grants": {"access": "new"}, "json": "{{token.access}}"}}
            """#,
            story: #"""
                "given": [{"signIn": "phone", "ago": "2h"}],
                "timeline": [{"at": "1m", "expire": "access"}, {"at": "2m", "revoke": "*", "device": "phone"}]
                """#
        ),
        Case(
            "a state that it has already, and one that a response changes",
            #"""
            "states": {"plan": ["trial"], "mood": ["calm", "cross"]},
            "routes": {"GET /a": {"then": [{"state": {"mood": "cross"}}]}}
            """#,
            story: #"""
                "timeline": [{"at": "1m", "state": {"plan": "trial"}}, {"at": "1m", "state": {"mood": "calm"}},
                 {"at": "3m", "advance": "0s"}]
                """#,
            finds: [
                "story.json:2:14: check/never-played: event 1 of the timeline (state) never changes anything:"
                    + " plan is trial already",
                "story.json:3:2: check/never-played: event 3 of the timeline (advance 0s) never changes anything:"
                    + " no time passes",
            ]
        ),
        Case(
            "items that nobody makes, and optional events",
            #""collections": {"things": {}}, "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /a": {}}"#,
            story: #"""
                "given": [{"delete": {"all": "things"}}, {"revoke": "*", "optional": true}],
                "timeline": [{"at": "1m", "revoke": "*", "optional": true}]
                """#,
            finds: [
                "story.json:2:11: check/never-played: event 1 of given (delete) never changes anything: the item does not exist"
            ]
        ),
        // More than the story allows.
        Case(
            "more faults, responses and exchanges than the story allows requests",
            #""routes": {"GET /a": {}, "GET /b": {}}"#,
            story: #"""
                "given": [{"fault": "reset", "route": "GET /a", "times": 5}],
                "routes": {"GET /b": {"responses": [{"status": 503}, {"status": 503}]}},
                "timeline": [{"after": {"request": "GET /a", "count": 4}, "advance": "1m"}],
                "expect": [{"request": "GET /a", "count": {"atMost": 3}}, {"request": "GET /b", "count": 1}]
                """#,
            finds: [
                "story.json:2:11: check/never-played: the fault \"reset\" of GET /a (event 1 of given) requires 5 requests to"
                    + " GET /a, but the story expects at most 3",
                "story.json:3:54: check/never-played: response 2 of GET /b requires 2 requests to GET /b, but the story expects"
                    + " at most 1",
                "story.json:4:14: check/never-played: event 1 of the timeline (advance 1m) requires 4 requests to GET /a",
            ]
        ),
        Case(
            "as many as the story allows, or of another status or launch",
            #""routes": {"GET /a": {}}"#,
            story: #"""
                "given": [{"fault": "reset", "route": "GET /a", "times": 3}],
                "timeline": [{"after": {"request": "GET /a", "count": 4, "status": 200}, "advance": "1m", "optional": true}],
                "expect": [{"request": "GET /a", "count": 3}, {"request": "GET /a", "status": 200, "count": {"atMost": 1}},
                 {"request": "GET /a", "count": 0, "header": {"X": "y"}}]
                """#
        ),
    ]

    private static let tokens = #""tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /a": {}}"#

    @Test func `warns of a fault that never occurs and of a story that expects nothing`() throws {
        let files = [
            "Scenarios/backend.json": #"{"backend": "B", "routes": {"GET /a": {}}}"#,
            "Scenarios/story.json": """
            {"extends": "backend.json", "title": "S",
             "id": "s", "given": [{"fault": {"kind": "reset", "probability": 0}, "route": "GET /a"}]}
            """,
            "Scenarios/silent.json": #"{"extends": "backend.json", "id": "q", "title": "Q", "silent": true}"#,
        ]
        let report = try Check(files: MemoryFiles(files)).run()
        #expect(
            report.allFindings.map(\.description) == [
                "Scenarios/story.json:2:66: warning: a fault with the probability 0 never occurs; set a probability"
                    + " above 0, or remove the fault [scenario/idle-fault]",
                "Scenarios/story.json:2:8: warning: the story s expects nothing from the client, so it never passes; add"
                    + " \"expect\" with the behavior of a correct client [check/nothing-expected]",
            ]
        )
        #expect(report.verdict == .held)
    }

    @Test func `tells of stories with the same id in one folder at each of them, and not in another folder`() throws {
        func story(_ id: String) -> String {
            #"{"extends": "backend.json", "title": "T","# + "\n"
                + #" "id": "\#(id)", "expect": [{"request": "GET /a"}]}"#
        }
        let backend = #"{"backend": "B", "routes": {"GET /a": {}}}"#
        let files = [
            "Scenarios/a/backend.json": backend, "Scenarios/a/one.json": story("x"), "Scenarios/a/two.json": story("x"),
            "Scenarios/a/three.json": story("y"), "Scenarios/b/backend.json": backend,
            "Scenarios/b/one.json": story("x"),
            "Scenarios/a/four.json": #"{"extends": "three.json", "title": "It has the id of what it extends"}"#,
        ]
        let report = try Check(files: MemoryFiles(files)).run()
        #expect(Set(report.allFindings.map(\.id)) == ["check/same-id"] && report.errors.count == 4)
        #expect(
            Set(report.errors.map { "\($0.line): \($0.message) \($0.relatedLines)" }) == [
                #"Scenarios/a/one.json:2: another story in this folder also has the id "x" ["Scenarios/a/two.json:2"]"#,
                #"Scenarios/a/two.json:2: another story in this folder also has the id "x" ["Scenarios/a/one.json:2"]"#,
                #"Scenarios/a/three.json:2: another story in this folder also has the id "y" ["Scenarios/a/four.json:1"]"#,
                #"Scenarios/a/four.json:1: another story in this folder also has the id "y" ["Scenarios/a/three.json:2"]"#,
            ]
        )
    }

    @Test(arguments: cases) func `finds it at its place, and nothing else`(example: Case) throws {
        var files = ["Scenarios/backend.json": "{\"backend\": \"Test\",\n\(example.backend)}"]
        if let story = example.story {
            let expect = story.contains("\"expect\"") ? "" : #", "expect": [{"request": "GET /a"}]"#
            files["Scenarios/story.json"] =
                "{\"extends\": \"backend.json\", \"id\": \"s\", \"title\": \"S\",\n\(story)\(expect)}"
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

    /// Each case requires some of six query items; the first one that requires no more is named.
    @Test func `finds the first of many cases that precedes another`() throws {
        var generator = SeededGenerator(seed: 7)
        let asked = (0..<300).map { _ in
            Set((0..<6).filter { _ in Int.random(in: 0..<100, using: &generator) < 60 })
        }
        let cases = asked.map { names in
            let query = names.sorted().map { #""q\#($0)": "1""# }.joined(separator: ", ")
            return #"{"when": {"query": {\#(query)}}}"#
        }
        let routes = #""GET /a": {"cases": [\#(cases.joined(separator: ",\n"))]}"#
        let text = #"{"backend": "B", "routes": {\#(routes)}}"#
        let found = try Check(files: MemoryFiles(["Scenarios/backend.json": text])).run().allFindings
        let wanted = asked.indices.compactMap { number in
            asked[..<number].firstIndex { $0.isSubset(of: asked[number]) }
                .map { "case \(number + 1) of GET /a is never used, because case \($0 + 1) precedes it" }
        }
        #expect(wanted.count > 200 && wanted.count < 300)
        #expect(found.count == wanted.count)
        for (found, wanted) in zip(found, wanted) { #expect(found.message.hasPrefix(wanted)) }
    }

    @Test func `tells of a documented status that no response of the route has, where one must come`() throws {
        var project = PetProject()
        let expectation = "{ \"request\": \"DELETE /pets/{id}\", \"status\": 204 }"
        project.replace(PetProject.expectation, with: expectation, in: PetProject.story)
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
        #expect(report.checks.last?.skipped == "no response arrives because of the fault \"lost\"")
        // What it would have been is judged where the story says it.
        project.replace(#""empty": true"#, with: #""json": {"id": "7"}"#, in: PetProject.story)
        #expect(try project.check().errors.isEmpty == false)
    }
}
