import Basics
import Checking
import ClientTesting
import Reports
import TestSupport
import Testing

/// What no request can get, and what is waited for in vain, without a contract and with one.
@Suite struct `A check of what can never be played` {
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

    /// Each project of `Projects/never-played.txt` is a backend, mostly with a story.
    @Test func `finds what can never be played at its place, and nothing else`() throws {
        let sheet = FilePath.join(FilePath.folder(of: #filePath), "Projects/never-played.txt")
        let differences = try SheetExample.differences(from: sheet, count: 22) { example in
            let files = Dictionary(uniqueKeysWithValues: example.files.map { ("Scenarios/\($0.name)", $0.text) })
            let report = try Check(files: MemoryFiles(files)).run()
            #expect(report.allFindings.allSatisfy { $0.severity == .error && $0.advice != nil }, "\(example.title)")
            return report.allFindings.map { $0.description.replacing("Scenarios/", with: "") }
        }
        #expect(differences == [])
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
