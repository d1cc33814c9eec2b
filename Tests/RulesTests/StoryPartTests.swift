import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// What a story adds to its backend: whether it goes first, and what the verdict says where it was not played.
@Suite struct `What a story adds to its backend` {
    /// A backend whose route has a case that hides what stands behind it.
    private static let backend = """
        {"backend": "Notes", "clock": {"frozen": true},
         "tokens": {"kinds": {"access": {"lifetime": "1h"}}},
         "guards": [{"name": "closed", "when": {"header": {"X-Closed": "yes"}}, "status": 503}],
         "routes": {
           "GET /notes": {"json": []},
           "GET /notes/{id}": {"cases": [{"when": {"path": {"id": "9"}}, "status": 404}], "json": "one"},
           "POST /notes": {"cases": [{"when": {"query": {"bad": "1"}}, "status": 400},
                                     {"when": {"query": {"worse": "1"}}, "status": 422}], "status": 201, "json": "made"},
           "GET /turns": {"cases": [{"when": {"query": {"bad": "1"}}, "status": 400}],
                          "responses": [{"json": 1}, {"json": 2}], "afterLast": "loop"},
           "GET /me": {"requires": "access", "json": "me"}}}
        """

    /// A story over that backend, and what its client asks for.
    struct Tale: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The members of the story besides its heading.
        var story: String
        var variant: String?
        var requests: [String] = []
        var elapsed = Duration.zero
        /// The statuses that the requests get; 0 for a connection that breaks.
        var statuses: [Int] = []
        /// What was not played, and why; none for a story that passes.
        var unplayed: [String] = []
        /// The same of what the story need not play.
        var optional: [String] = []

        init(
            _ name: String,
            _ story: String,
            variant: String? = nil,
            _ requests: [String],
            after elapsed: Duration = .zero,
            gives statuses: [Int],
            without unplayed: [String] = [],
            optional: [String] = []
        ) {
            testDescription = name
            self.story = story
            self.variant = variant
            self.requests = requests
            self.elapsed = elapsed
            self.statuses = statuses
            self.unplayed = unplayed
            self.optional = optional
        }

        /// The story of an example: its members, the requests, a variant and seconds that pass; the lines name the
        /// statuses, once, and what was not played.
        init(_ example: SheetExample) throws {
            var texts: [String: String] = [:]
            for file in example.files { texts[file.name] = String(file.text.dropLast()) }
            var lines: [String: [String]] = [:]
            for line in example.lines {
                let words = line.split(separator: " ", maxSplits: 1)
                lines[String(words[0]), default: []].append(
                    String(try #require(words.last, "\(example.title): \(line)"))
                )
            }
            try #require(
                Set(texts.keys).isSubset(of: ["story.json", "requests", "variant", "seconds"]),
                "\(example.title)"
            )
            try #require(Set(lines.keys).isSubset(of: ["gives", "without", "optional"]), "\(example.title)")
            let statuses = try #require(lines["gives"], "\(example.title) does not name the statuses")
            try #require(statuses.count == 1, "\(example.title)")
            self.init(
                example.title,
                try #require(texts["story.json"], "\(example.title)"),
                variant: texts["variant"],
                (texts["requests"] ?? "").split(separator: "\n").map(String.init),
                after: .seconds(try texts["seconds"].map { try #require(Int($0), "\(example.title)") } ?? 0),
                gives: try statuses[0].split(separator: " ").map { try #require(Int($0), "\(example.title)") },
                without: lines["without"] ?? [],
                optional: lines["optional"] ?? []
            )
        }
    }

    private func loaded(_ tale: Tale) throws -> LoadedScenario {
        let story = """
            {"extends": "backend.json", "id": "tale", "title": "A tale",
             "expect": [{"request": "GET /notes", "count": {"atLeast": 0}},
                        {"request": "GET /notes/{id}", "status": [418, 419], "count": 0}], \(tale.story)}
            """
        let files = MemoryFiles(["backend.json": Self.backend, "story.json": story])
        let root = try #require(ProjectRoot("/project", files: files))
        do throws(ScenarioError) {
            return try ScenarioLoader(files: files, project: root).load("/project/story.json", variant: tale.variant)
        } catch {
            throw LoadedScenario.Unplayable(description: error.findings.map(\.description).joined(separator: "\n"))
        }
    }

    /// Plays a story, and returns the statuses and the recording.
    private func play(_ tale: Tale) throws -> (statuses: [Int], recording: Recording) {
        let loaded = try loaded(tale)
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        var statuses: [Int] = []
        for line in tale.requests {
            let words = line.split(separator: " ").map(String.init)
            var request = HTTPRequest(method: HTTPMethod(rawValue: words[0]), target: words[1])
            if words.count > 2 { request.fields.append(words[2], "yes") }
            let decision = session.decide(IncomingRequest(request), at: now)
            statuses.append(decision.fault == nil ? decision.response.status.code : 0)
        }
        session.advance(by: tale.elapsed, at: now)
        return (statuses, Recording(session, file: "story.json", in: loaded.sources, at: now))
    }

    /// The stories of `Sheets/story-parts.txt`, with what the verdict must say of each.
    private static let tales = Result {
        let sheet = FilePath.join(FilePath.folder(of: #filePath), "Sheets/story-parts.txt")
        return try SheetExample.all(in: sheet, count: 52).map(Tale.init)
    }

    @Test func `is tried in 52 stories`() throws { #expect(try Self.tales.get().count == 52) }

    @Test(arguments: try tales.get()) func `4.1 is played first, and a story that did not play it is incomplete`(
        tale: Tale
    )
        throws
    {
        let (statuses, recording) = try play(tale)
        #expect(statuses == tale.statuses)
        let verdict = recording.verdict
        let unplayed = verdict.expectations.filter { $0.id == "expect/not-played" }
        #expect(
            unplayed.map(\.sentence)
                == tale.unplayed.map { "the story \($0.contains(" instead of ") ? "played" : "did not play") \($0)" }
        )
        let optional = verdict.expectations.filter { $0.id == "expect/optional-part" }
        #expect(optional.map(\.sentence) == tale.optional.map { "the story did not play \($0)" })
        #expect(optional.allSatisfy { $0.status == .held && $0.place?.position != nil && $0.finding == nil })
        #expect(verdict.outcome == (tale.unplayed.isEmpty ? .passed : .incomplete))
        for judged in unplayed {
            #expect(judged.status == .incomplete && judged.place?.file == "/project/story.json")
            #expect(judged.place?.position != nil)
        }
        if tale.unplayed.count == 1 { #expect(verdict.summary.hasSuffix(", a part of the story was not played")) }

        // A saved journal tells the same.
        let saved = try Recording(recording.json)
        #expect(saved.evidence.plays == recording.evidence.plays)
        #expect(saved.evidence.idleEvents == recording.evidence.idleEvents)
        let again = Verdict(on: try loaded(tale).scenario, by: saved.evidence, in: try loaded(tale).sources)
        #expect(again.outcome == verdict.outcome)
        #expect(again.expectations.map(\.sentence) == verdict.expectations.map(\.sentence))
    }

    @Test func `is refused with both places where the backend would let it hide the cases for ever`() throws {
        let refused = Tale("inherited", #""routes": {"GET /turns": {"responses": [{"status": 503}]}}"#, [], gives: [])
        let problem = #expect(throws: LoadedScenario.Unplayable.self) { try loaded(refused) }
        let words = try #require(problem?.description)
        #expect(words.hasPrefix("/project/story.json:3:"))
        #expect(words.contains("\"afterLast\": \"loop\", set at /project/backend.json:10:"))
        for rule in ["own", "repeat"] {
            let responses = #"{"responses": [{"status": 503}], "afterLast": "\#(rule)"}"#
            let tale = Tale(
                rule,
                #""routes": {"GET /turns": \#(responses)}"#,
                ["GET /turns?bad=1", "GET /turns?bad=1"],
                gives: [503, rule == "own" ? 400 : 503]
            )
            #expect(try play(tale).statuses == tale.statuses)
        }
    }

    @Test func `has not happened where the file has changed since, and says so`() throws {
        let former = try loaded(Tale("before", #""given": [{"signIn": "phone"}]"#, [], gives: []))
        let changed = try loaded(Tale("after", #""given": [{"signIn": "phone"}, {"revoke": "access"}]"#, [], gives: []))
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = former.session(at: now)
        session.replace(CompiledScenario(changed.scenario), at: now)
        _ = session.decide(IncomingRequest(HTTPRequest(method: .get, target: "/notes")), at: now)
        let unplayed = Verdict(on: changed.scenario, by: Evidence(session, at: now), in: changed.sources).findings
        #expect(
            unplayed.map(\.message) == [
                "the story did not play event 2 of given (revoke access): the file has changed since the session began,"
                    + " and the events in \"given\" are played only when a session begins"
            ]
        )
        #expect(unplayed.first?.advice?.hasPrefix("start a new session") == true)
    }

    @Test func `counts only where it was sent, and not where the contract put something else in its place`() throws {
        let tale = Tale(
            "replaced",
            #""routes": {"GET /notes": {"responses": [{"status": 500}]}}"#,
            ["GET /notes"],
            gives: [500]
        )
        let loaded = try loaded(tale)
        let now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        let decision = session.decide(IncomingRequest(HTTPRequest(method: .get, target: "/notes")), at: now)
        #expect(session.plays == ["response 1 of GET /notes": [1]])
        session.note([], of: decision.exchange, replacement: decision.response)
        #expect(session.plays.isEmpty)
    }
}
