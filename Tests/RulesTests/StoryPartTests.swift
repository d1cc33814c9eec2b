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

        init(
            _ name: String,
            _ story: String,
            variant: String? = nil,
            _ requests: [String],
            after elapsed: Duration = .zero,
            gives statuses: [Int],
            without unplayed: [String] = []
        ) {
            testDescription = name
            self.story = story
            self.variant = variant
            self.requests = requests
            self.elapsed = elapsed
            self.statuses = statuses
            self.unplayed = unplayed
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
        let now = RealTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        var statuses: [Int] = []
        for line in tale.requests {
            let words = line.split(separator: " ").map(String.init)
            var request = HTTPRequest(method: HTTPMethod(rawValue: words[0]), target: words[1])
            if words.count > 2 { request.fields.append(words[2], "yes") }
            let decision = session.decide(request, at: now)
            statuses.append(decision.fault == nil ? decision.response.status.code : 0)
        }
        session.advance(by: tale.elapsed, at: now)
        return (statuses, Recording(session, file: "story.json", in: loaded.sources, at: now))
    }

    private static let tales = [
        // What goes first.
        Tale(
            "a list goes before the backend's cases, and the backend goes on after it",
            #""routes": {"POST /notes": {"responses": [{"status": 503}]}}"#,
            ["POST /notes?bad=1", "POST /notes?bad=1", "POST /notes"],
            gives: [503, 400, 201]
        ),
        Tale(
            "a list that repeats leaves the backend's cases nothing",
            #""routes": {"POST /notes": {"responses": [{"status": 503}], "afterLast": "repeat"}}"#,
            ["POST /notes?bad=1", "POST /notes?bad=1", "POST /notes"],
            gives: [503, 503, 503]
        ),
        Tale(
            "a story that writes cases beside its list means them to go first",
            #"""
            "routes": {"POST /notes": {"responses": [{"status": 503}],
                                       "cases": [{"when": {"query": {"full": "1"}}, "status": 507}]}}
            """#,
            ["POST /notes?full=1", "POST /notes?bad=1", "POST /notes"],
            gives: [507, 503, 201]
        ),
        Tale(
            "a list waits for a token and for guards as the route does",
            #""routes": {"GET /me": {"responses": [{"status": 503}]}}"#,
            ["GET /me", "GET /me X-Closed"],
            gives: [401, 503],
            without: [
                "response 1 of GET /me: exchange 1 got the refusal of a token and exchange 2 got closed"
            ]
        ),
        Tale(
            "a response that the request cannot fill is left to the backend",
            #""routes": {"POST /notes": {"responses": [{"status": 503, "json": "{{request.body#/text}}"}]}}"#,
            ["POST /notes?bad=1"],
            gives: [400],
            without: ["response 1 of POST /notes: exchange 1 got case 1 (/project/backend.json:7:30)"]
        ),
        // What was not played.
        Tale(
            "a response that was never asked for",
            #""routes": {"GET /notes/{id}": {"responses": [{"status": 500}]}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["response 1 of GET /notes/{id}: GET /notes/{id} was never asked for"]
        ),
        Tale(
            "a response that others came before",
            #""routes": {"GET /notes": {"responses": [{"status": 500}, {"status": 502}]}}"#,
            ["GET /notes"],
            gives: [500],
            without: ["response 2 of GET /notes: exchange 1 got another response"]
        ),
        Tale(
            "the route's own response, hidden by a case",
            #""routes": {"POST /notes": {"status": 403}}"#,
            ["POST /notes?worse=1"],
            gives: [422],
            without: ["the response of POST /notes: exchange 1 got case 2 (/project/backend.json:8:30)"]
        ),
        Tale(
            "the route's own response that nobody needs",
            #""routes": {"POST /notes": {"status": 403}}"#,
            ["GET /notes"],
            gives: [200]
        ),
        Tale(
            "a case of the story beside cases of the backend",
            #"""
            "routes": {"POST /notes": {"cases": [
              {"when": {"query": {"bad": "1"}}, "status": 400}, {"when": {"query": {"full": "1"}}, "status": 507}]}}
            """#,
            ["POST /notes"],
            gives: [201],
            without: ["case 2 of POST /notes: exchange 1 got another response"]
        ),
        Tale(
            "a fault that no request met",
            #""given": [{"fault": "lost", "route": "POST /notes"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "the fault \"lost\" of POST /notes (event 1 of given): POST /notes was never asked for"
            ]
        ),
        Tale(
            "a fault of the route itself that no request met",
            #""routes": {"POST /notes": {"fault": "never"}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the fault \"never\" of POST /notes: POST /notes was never asked for"]
        ),
        Tale(
            "an event that is not due",
            #""timeline": [{"at": "2h", "expire": "access"}]"#,
            ["GET /notes"],
            after: .seconds(3600),
            gives: [200],
            without: [
                "event 1 of the timeline (expire access): it is due 2h after the start, and the clock stood at 1h"
            ]
        ),
        Tale(
            "an event that waits for more",
            #""timeline": [{"after": {"request": "GET /notes", "count": 2}, "expire": "access"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "event 1 of the timeline (expire access): it waits for GET /notes to be answered twice,"
                    + " which happened only once"
            ]
        ),
        Tale(
            "a fault of the timeline whose moment did not come",
            #""timeline": [{"at": "2h", "fault": "reset", "route": "GET /notes"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "the fault \"reset\" of GET /notes (event 1 of the timeline): it is due 2h after the start, and the"
                    + " clock stood at 0s"
            ]
        ),
        // What was played, or need not be.
        Tale(
            "everything was played",
            #"""
            "given": [{"fault": "lost", "route": "POST /notes"}],
            "timeline": [{"at": "1h", "expire": "access"}],
            "routes": {"GET /notes": {"responses": [{"status": 500}, {"status": 502}], "afterLast": "loop"},
                       "POST /notes": {"cases": [{"when": {"query": {"full": "1"}}, "status": 507}]}}
            """#,
            ["POST /notes", "POST /notes?full=1", "GET /notes", "GET /notes", "GET /notes"],
            after: .seconds(3600),
            gives: [0, 507, 500, 502, 500]
        ),
        Tale(
            "what is marked as optional",
            #"""
            "given": [{"fault": "lost", "route": "POST /notes", "optional": true}],
            "timeline": [{"at": "1h", "expire": "access", "optional": true}],
            "routes": {"GET /notes": {"responses": [{"status": 500}, {"status": 502, "optional": true}]},
                       "GET /notes/{id}": {"optional": true, "responses": [{"status": 500}]}}
            """#,
            ["GET /notes"],
            gives: [500]
        ),
        Tale(
            "what chance decides",
            #""given": [{"fault": {"kind": "reset", "probability": 0}, "route": "GET /notes"}]"#,
            ["GET /notes"],
            gives: [200]
        ),
        Tale(
            "what the story expects never to happen",
            #"""
            "routes": {"GET /notes/{id}": {"cases": [{"when": {"query": {"bad": "1"}}, "status": 418}], "status": 419}}
            """#,
            ["GET /notes"],
            gives: [200]
        ),
        Tale("what the backend has", #""seed": 2"#, ["GET /notes"], gives: [200]),
        Tale(
            "what a variant's story adds and the variant does not need",
            #"""
            "routes": {"GET /notes": {"responses": [{"status": 500}]}},
            "variants": {"other": {"routes": {"GET /notes/{id}": {"responses": [{"status": 502}]}}}}
            """#,
            variant: "other",
            ["GET /notes/1"],
            gives: [502]
        ),
        Tale(
            "what a variant adds",
            #"""
            "routes": {"GET /notes": {"responses": [{"status": 500}]}},
            "variants": {"other": {"routes": {"GET /notes/{id}": {"responses": [{"status": 502}]}}}}
            """#,
            variant: "other",
            ["GET /notes"],
            gives: [500],
            without: ["response 1 of GET /notes/{id}: GET /notes/{id} was never asked for"]
        ),
        Tale(
            "what the story of a variant adds that adds nothing itself",
            #"""
            "routes": {"GET /notes": {"responses": [{"status": 500}]}}, "variants": {"other": {"seed": 2}}
            """#,
            variant: "other",
            ["POST /notes"],
            gives: [201],
            without: ["response 1 of GET /notes: GET /notes was never asked for"]
        ),
    ]

    @Test(arguments: tales) func `4.1 is played first, and a story that did not play it is incomplete`(tale: Tale)
        throws
    {
        let (statuses, recording) = try play(tale)
        #expect(statuses == tale.statuses)
        let verdict = recording.verdict
        let unplayed = verdict.expectations.filter { $0.id == "expect/not-played" }
        #expect(unplayed.map(\.sentence) == tale.unplayed.map { "the story did not play \($0)" })
        #expect(verdict.outcome == (tale.unplayed.isEmpty ? .passed : .incomplete))
        for judged in unplayed {
            #expect(judged.status == .incomplete && judged.place?.file == "/project/story.json")
            #expect(judged.place?.position != nil)
        }
        if tale.unplayed.count == 1 { #expect(verdict.summary.hasSuffix(", a part of the story was not played")) }

        // A saved journal tells the same.
        let saved = try Recording(recording.json)
        #expect(saved.evidence.plays == recording.evidence.plays)
        let again = Verdict(on: try loaded(tale).scenario, by: saved.evidence, in: try loaded(tale).sources)
        #expect(again.outcome == verdict.outcome)
        #expect(again.expectations.map(\.sentence) == verdict.expectations.map(\.sentence))
    }

    @Test func `is refused with both places where the backend would let it hide the cases for ever`() throws {
        let refused = Tale("inherited", #""routes": {"GET /turns": {"responses": [{"status": 503}]}}"#, [], gives: [])
        let problem = #expect(throws: LoadedScenario.Unplayable.self) { try loaded(refused) }
        let words = try #require(problem?.description)
        #expect(words.hasPrefix("/project/story.json:3:"))
        #expect(words.contains("\"afterLast\": \"loop\" at /project/backend.json:10:"))
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

    @Test func `counts only where it was sent, and not where the contract put something else in its place`() throws {
        let tale = Tale(
            "replaced",
            #""routes": {"GET /notes": {"responses": [{"status": 500}]}}"#,
            ["GET /notes"],
            gives: [500]
        )
        let loaded = try loaded(tale)
        let now = RealTime(nanoseconds: 1_000_000_000)
        var session = loaded.session(at: now)
        let decision = session.decide(HTTPRequest(method: .get, target: "/notes"), at: now)
        #expect(session.plays == ["response 1 of GET /notes": 1])
        session.note([], of: decision.exchange, replacement: decision.response)
        #expect(session.plays.isEmpty)
    }
}
