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
                "response 1 of GET /me: exchange 1 received a token refusal and exchange 2 received closed"
            ]
        ),
        Tale(
            "a response that the request cannot fill is left to the backend",
            #""routes": {"POST /notes": {"responses": [{"status": 503, "json": "{{request.body#/text}}"}]}}"#,
            ["POST /notes?bad=1"],
            gives: [400],
            without: ["response 1 of POST /notes: exchange 1 received case 1 (/project/backend.json:7:30)"]
        ),
        // What was not played.
        Tale(
            "a response that was never asked for",
            #""routes": {"GET /notes/{id}": {"responses": [{"status": 500}]}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["response 1 of GET /notes/{id}: no request to GET /notes/{id} arrived"]
        ),
        Tale(
            "a response that others came before",
            #""routes": {"GET /notes": {"responses": [{"status": 500}, {"status": 502}]}}"#,
            ["GET /notes"],
            gives: [500],
            without: ["response 2 of GET /notes: exchange 1 received another response"]
        ),
        Tale(
            "the route's own response, hidden by a case",
            #""routes": {"POST /notes": {"status": 403}}"#,
            ["POST /notes?worse=1"],
            gives: [422],
            without: ["the response of POST /notes: exchange 1 received case 2 (/project/backend.json:8:30)"]
        ),
        Tale(
            "the route's own status that no request got",
            #""routes": {"POST /notes": {"status": 403}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the response of POST /notes: no request to POST /notes arrived"]
        ),
        Tale(
            "the route's own body, and a status that the backend has",
            #""routes": {"POST /notes": {"json": "other", "status": 201}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the response of POST /notes: no request to POST /notes arrived"]
        ),
        Tale(
            "a status that the backend has",
            #""routes": {"POST /notes": {"status": 201}}"#,
            ["GET /notes"],
            gives: [200]
        ),
        Tale(
            "a route that the backend does not have",
            #""routes": {"GET /new": {}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the response of GET /new: no request to GET /new arrived"]
        ),
        Tale("a new route that was asked", #""routes": {"GET /new": {}}"#, ["GET /new"], gives: [200]),
        Tale(
            "the route's own response after a list that was not given to its end",
            #""routes": {"GET /notes": {"responses": [{"status": 500}], "json": ["new"]}}"#,
            ["GET /notes"],
            gives: [500],
            without: ["the response of GET /notes: exchange 1 received another response"]
        ),
        Tale(
            "the latency of a route that no request got",
            #""routes": {"POST /notes": {"latency": {"fixed": "3s", "clock": "virtual"}}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the latency of POST /notes: no request to POST /notes arrived"]
        ),
        Tale(
            "the latency of a route that a case answered",
            #""routes": {"POST /notes": {"latency": {"fixed": "3s", "clock": "virtual"}}}"#,
            ["POST /notes?bad=1"],
            gives: [400]
        ),
        Tale(
            "the latency of a route whose token was refused",
            #""routes": {"GET /me": {"latency": {"fixed": "3s", "clock": "virtual"}}}"#,
            ["GET /me"],
            gives: [401],
            without: ["the latency of GET /me: exchange 1 received a token refusal"]
        ),
        Tale(
            "a latency that belongs to a response which the story adds",
            #""routes": {"GET /notes": {"latency": "1ms", "responses": [{"status": 500}]}}"#,
            ["POST /notes"],
            gives: [201],
            without: ["response 1 of GET /notes: no request to GET /notes arrived"]
        ),
        Tale(
            "a slow line that no request got",
            #""routes": {"POST /notes": {"bandwidth": {"up": "8kB/s"}}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the bandwidth of POST /notes: no request to POST /notes arrived"]
        ),
        Tale(
            "a case of the story beside cases of the backend",
            #"""
            "routes": {"POST /notes": {"cases": [
              {"when": {"query": {"bad": "1"}}, "status": 400}, {"when": {"query": {"full": "1"}}, "status": 507}]}}
            """#,
            ["POST /notes"],
            gives: [201],
            without: ["case 2 of POST /notes: exchange 1 received another response"]
        ),
        Tale(
            "a fault that no request met",
            #""given": [{"fault": "lost", "route": "POST /notes"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "the fault \"lost\" of POST /notes (event 1 of given): no request to POST /notes arrived"
            ]
        ),
        Tale(
            "a fault of the route itself that no request met",
            #""routes": {"POST /notes": {"fault": "never"}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the fault \"never\" of POST /notes: no request to POST /notes arrived"]
        ),
        Tale(
            "an event that is not due",
            #""timeline": [{"at": "2h", "expire": "access"}]"#,
            ["GET /notes"],
            after: .seconds(3600),
            gives: [200],
            without: [
                "event 1 of the timeline (expire access): the event is due 2h after the start, but the story"
                    + " ended 1h after the start"
            ]
        ),
        Tale(
            "an event that waits for more",
            #""timeline": [{"after": {"request": "GET /notes", "count": 2}, "expire": "access"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "event 1 of the timeline (expire access): the event waits until GET /notes responds twice,"
                    + " which happened only once"
            ]
        ),
        Tale(
            "a fault of the timeline whose moment did not come",
            #""timeline": [{"at": "2h", "fault": "reset", "route": "GET /notes"}]"#,
            ["GET /notes"],
            gives: [200],
            without: [
                "the fault \"reset\" of GET /notes (event 1 of the timeline): the event is due 2h after the start, but the"
                    + " story ended 0s after the start"
            ]
        ),
        // What happened and changed nothing.
        Tale(
            "a revocation of a device that does not exist",
            #""given": [{"signIn": "phone"}, {"revoke": "access", "device": "tablet"}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 2 of given (revoke access): the event changed nothing on the server"]
        ),
        Tale(
            "a revocation of a device that exists",
            #""given": [{"signIn": "phone"}, {"revoke": "access", "device": "phone"}]"#,
            ["GET /notes"],
            gives: [200]
        ),
        Tale(
            "an expiry of what has expired by itself",
            #""given": [{"signIn": "phone", "ago": "2h"}, {"expire": "access", "ago": "1m"}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 2 of given (expire access): the event changed nothing on the server"]
        ),
        Tale(
            "an expiry of what is revoked, in the timeline",
            #"""
            "given": [{"signIn": "phone"}, {"revoke": "*"}], "timeline": [{"at": "1m", "expire": "access"}]
            """#,
            ["GET /notes"],
            after: .seconds(60),
            gives: [200],
            without: ["event 1 of the timeline (expire access): the event changed nothing on the server"]
        ),
        Tale(
            "an expiry of a valid token, in the timeline",
            #""given": [{"signIn": "phone"}], "timeline": [{"at": "1m", "expire": "access"}]"#,
            ["GET /notes"],
            after: .seconds(60),
            gives: [200]
        ),
        Tale(
            "an expiry after a request, of nothing",
            #""timeline": [{"after": {"request": "GET /notes"}, "expire": "access"}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of the timeline (expire access): the event changed nothing on the server"]
        ),
        Tale(
            "a sign-out of nobody",
            #""given": [{"signOut": "phone"}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of given (signOut phone): the event changed nothing on the server"]
        ),
        Tale(
            "two stored copies that are forgotten, and one that was forgotten before",
            #"""
            "given": [{"signIn": "phone"}, {"forget": "access"}, {"forget": "access"}]
            """#,
            ["GET /notes"],
            gives: [200],
            without: ["event 3 of given (forget access): the event changed nothing on the server"]
        ),
        Tale(
            "a token that is issued to nobody",
            #""given": [{"issue": "access", "device": "tablet"}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of given (issue access): the event changed nothing on the server"]
        ),
        Tale(
            "a state that has the value already, and one that gets it",
            #"""
            "states": {"plan": ["trial", "paid"]},
            "given": [{"state": {"plan": "trial"}}, {"state": {"plan": "paid"}}]
            """#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of given (state): the event changed nothing on the server"]
        ),
        Tale(
            "a counter that has the number already",
            #""counters": {"n": 5}, "given": [{"counter": {"n": 5}}, {"counter": {"n": 6}}]"#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of given (counter): the event changed nothing on the server"]
        ),
        Tale(
            "items that are not there, and one that is made",
            #"""
            "collections": {"things": {}}, "given": [{"delete": {"one": "things"}}, {"create": "things", "item": {"id": 1}}]
            """#,
            ["GET /notes"],
            gives: [200],
            without: ["event 1 of given (delete): the event changed nothing on the server"]
        ),
        Tale(
            "no time that passes, and the clock that is steered",
            #""timeline": [{"at": "1m", "advance": "0s"}, {"at": "1m", "freeze": true}, {"at": "2m", "advance": "1m"}]"#,
            ["GET /notes"],
            after: .seconds(120),
            gives: [200],
            without: ["event 1 of the timeline (advance 0s): the event changed nothing on the server"]
        ),
        // How often.
        Tale(
            "five faults of which four were met",
            #""given": [{"fault": "reset", "route": "GET /notes", "times": 5}]"#,
            ["GET /notes", "GET /notes", "POST /notes", "GET /notes", "GET /notes"],
            gives: [0, 0, 201, 0, 0],
            without: [
                "the fault \"reset\" of GET /notes (event 1 of given) only 4 times instead of 5 times: exchanges 1, 2, 4"
                    + " and 5"
            ]
        ),
        Tale(
            "five faults that were met",
            #""given": [{"fault": "reset", "route": "GET /notes", "times": 5}]"#,
            Array(repeating: "GET /notes", count: 6),
            gives: [0, 0, 0, 0, 0, 200]
        ),
        Tale(
            "a response that is listed three times, and came twice",
            #""routes": {"GET /notes": {"responses": [{"status": 503}, {"status": 503}, {"status": 503}]}}"#,
            ["GET /notes", "GET /notes"],
            gives: [503, 503],
            without: ["response 3 of GET /notes: exchanges 1 and 2 received another response"]
        ),
        // Chance.
        Tale(
            "a fault that chance never lets occur",
            #""given": [{"fault": {"kind": "reset", "probability": 0}, "route": "GET /notes", "times": 3}]"#,
            ["GET /notes", "GET /notes"],
            gives: [200, 200],
            without: [
                "the fault \"reset\" of GET /notes (event 1 of given): the random fault affected none of exchanges 1 and 2"
            ]
        ),
        Tale(
            "a fault of the route that chance never lets occur",
            #""routes": {"GET /notes": {"fault": {"kind": "reset", "probability": 0}}}"#,
            ["GET /notes"],
            gives: [200],
            without: ["the fault \"reset\" of GET /notes: the random fault affected none of exchange 1"]
        ),
        Tale(
            "a fault that chance lets occur once in twenty requests",
            #""given": [{"fault": {"kind": "reset", "probability": 0.05}, "route": "GET /notes", "times": 20}], "seed": 1"#,
            Array(repeating: "GET /notes", count: 20),
            gives: []
        ),
        // What was played, or need not be.
        Tale(
            "everything was played",
            #"""
            "given": [{"fault": "lost", "route": "POST /notes"}, {"signIn": "phone"}],
            "timeline": [{"at": "30m", "expire": "access"}],
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
                       "GET /notes/{id}": {"optional": true, "responses": [{"status": 500}]},
                       "POST /notes": {"optional": true, "latency": "1ms"}, "GET /me": {"optional": true, "status": 203},
                       "GET /turns": {"cases": [{"optional": true, "when": {"query": {"x": "1"}}, "status": 409}]}}
            """#,
            ["GET /notes"],
            gives: [500],
            optional: [
                "response 2 of GET /notes: exchange 1 received another response",
                "response 1 of GET /notes/{id}: no request to GET /notes/{id} arrived",
                "the latency of POST /notes: no request to POST /notes arrived",
                "case 1 of GET /turns: no request to GET /turns arrived",
                "the response of GET /me: no request to GET /me arrived",
                "the fault \"lost\" of POST /notes (event 1 of given): no request to POST /notes arrived",
                "event 1 of the timeline (expire access): the event is due 1h after the start, but the story"
                    + " ended 0s after the start",
            ]
        ),
        Tale(
            "what is marked as optional and was played",
            #""routes": {"GET /notes": {"optional": true, "status": 206}}"#,
            ["GET /notes"],
            gives: [206]
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
            without: ["response 1 of GET /notes/{id}: no request to GET /notes/{id} arrived"]
        ),
        Tale(
            "what the story of a variant adds that adds nothing itself",
            #"""
            "routes": {"GET /notes": {"responses": [{"status": 500}]}}, "variants": {"other": {"seed": 2}}
            """#,
            variant: "other",
            ["POST /notes"],
            gives: [201],
            without: ["response 1 of GET /notes: no request to GET /notes arrived"]
        ),
    ]

    @Test(arguments: tales) func `4.1 is played first, and a story that did not play it is incomplete`(tale: Tale)
        throws
    {
        let (statuses, recording) = try play(tale)
        #expect(tale.statuses.isEmpty ? statuses.contains(0) && statuses.contains(200) : statuses == tale.statuses)
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
