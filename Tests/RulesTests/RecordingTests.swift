import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// A recording that is saved, and read again without server or scenario.
struct RecordingTests {
    /// A session in which most things happened that can.
    static func recording() throws -> Recording {
        var play = try Play(
            expecting:
                #"{"request": "GET /notes", "count": 1}, {"client": {"signedOut": false}}, {"token": "refresh", "is": "valid"}"#
        )
        try play.perform([
            "login phone", "notes", "wait 2h", "notes", "refresh", "notes", #"tell {"signedOut": true, "name": "é"}"#,
            "login tablet", #"POST /notes {"title": 1.0, "tags": [null, "a"]}"#, "POST /notes not json",
            "DELETE /notes/7", "POST /join", "GET /nowhere?x=%20", #"POST /notes {"a": 1, "a": 2}"#,
        ])
        var recording = play.recording
        recording.evidence.gates = [
            GateStatistics(
                gate: "race",
                wanted: 3,
                waitsFor: "3 requests in flight",
                openings: [GateStatistics.Opening(cause: .quiet, exchanges: [4, 2])]
            ),
            GateStatistics(gate: "gate 2", wanted: nil, waitsFor: "POST /refresh to be answered"),
        ]
        recording.evidence.collections = [
            FinalCollection(name: "posts", items: [["title": "é", "likes": [1.0, .null]], .object(JSONObject())]),
            FinalCollection(name: "lectures", account: "ann", items: []),
        ]
        recording.evidence.roles.acceptedElsewhere = ["shop": [], "images": ["access"]]
        recording.evidence.roles.kinds[0].refusals = [401, 419]
        recording.evidence.dateOffset = DateOffset(largest: .milliseconds(-1_500), lastRight: 3)
        recording.evidence.exchanges[0].request.body = [0xFF, 0x00, 0xFE]
        recording.evidence.exchanges[1].request.trailers = ["X-Sum": "12"]
        recording.evidence.exchanges[1].request.version = .http10
        recording.evidence.exchanges[2].hold = GateHold(gate: "race", duration: .microseconds(12_345))
        recording.evidence.exchanges[2].launch = 2
        recording.evidence.exchanges[3].origin = "images"
        recording.evidence.exchanges[3].fault = .lost
        recording.evidence.exchanges[3].isCommitted = false
        recording.evidence.exchanges[3].wait = .microseconds(1_500)
        recording.evidence.exchanges[4].end = nil
        recording.evidence.exchanges[4].outcome = .open
        recording.evidence.exchanges[4].breaks = "an old server"
        recording.evidence.exchanges[4].answeredBy = "case 2"
        recording.evidence.exchanges[5].findings = [
            Finding(
                .warning,
                id: "traffic/duplicate-name",
                "the body has \"error: \" twice [sic]",
                at: Place(position: TextPosition(line: 3, column: 4), exchange: 6),
                advice: "say it once"
            )
        ]
        recording.evidence.exchanges[5].violations = [
            Violation(
                "contract/response-body",
                .warning,
                in: .response,
                part: "body",
                pointer: "/a",
                message: "requires a string",
                place: "openapi.json:3:4",
                contractPointer: "/paths"
            )
        ]
        return recording
    }

    @Test func `A recording comes back from its document byte by byte`() throws {
        let text = try Self.recording().json.text(.pretty)
        let read = try Recording(JSONParser().parse(text).root)
        #expect(read.json.text(.pretty) == text)
    }

    @Test func `Exchanges, tokens and facts come back as they were`() throws {
        let recording = try Self.recording()
        let read = try Recording(JSONParser().parse(recording.json.text()).root)
        let (old, new) = (recording.evidence, read.evidence)
        #expect(new.exchanges.count == 12)
        #expect(new.exchanges.map(\.response.status) == old.exchanges.map(\.response.status))
        #expect(new.exchanges.map(\.offered) == old.exchanges.map(\.offered))
        #expect(new.exchanges.map(\.granted) == old.exchanges.map(\.granted))
        #expect(new.exchanges.map(\.stateChanges) == old.exchanges.map(\.stateChanges))
        #expect(new.exchanges.map(\.violations) == old.exchanges.map(\.violations))
        #expect(new.exchanges.map(\.hold) == old.exchanges.map(\.hold))
        #expect(new.exchanges.map(\.nearest) == old.exchanges.map(\.nearest))
        #expect(new.exchanges.map(\.request.body.count).prefix(1) == [3])
        #expect(new.exchanges.map(\.request.path) == old.exchanges.map(\.request.path))
        #expect(new.exchanges.map(\.request.query) == old.exchanges.map(\.request.query))
        #expect(new.exchanges[1].request.trailers == old.exchanges[1].request.trailers)
        #expect(new.ledger.tokens.map(\.id) == old.ledger.tokens.map(\.id))
        #expect(new.ledger.tokens.map(\.changes) == old.ledger.tokens.map(\.changes))
        #expect(new.ledger.tokens.map(\.expires) == old.ledger.tokens.map(\.expires))
        #expect(new.ledger.devices.map(\.name) == old.ledger.devices.map(\.name))
        #expect(new.roles == old.roles)
        #expect(new.states == old.states)
        #expect(new.collections.map(\.name) == ["posts", "lectures"])
        #expect(new.collections.map(\.account) == [nil, "ann"])
        #expect(new.collections.map(\.items) == old.collections.map(\.items))
        #expect(new.gates == old.gates)
        #expect(new.exits == [0, 3])
        #expect(new.clientFacts.names == old.clientFacts.names)
        #expect(new.statements.map(\.afterExchange) == old.statements.map(\.afterExchange))
        #expect(read.verdict.outcome == recording.verdict.outcome)
        #expect(read.verdict.expectations == recording.verdict.expectations)
        #expect(read.verdict.summary == recording.verdict.summary)
        #expect(read.heading == recording.heading)
    }

    @Test func `Milliseconds between exchanges come back`() throws {
        var recording = try Self.recording()
        let first = recording.evidence.exchanges[0].arrival
        recording.evidence.exchanges[1].arrival = first.advanced(by: .microseconds(1_234_567))
        recording.evidence.exchanges[1].end = first.advanced(by: .microseconds(2_000_000))
        let read = try Recording(recording.json).evidence.exchanges
        #expect(read[1].arrival.since(read[0].arrival) == .microseconds(1_234_567))
        #expect(read[1].end?.since(read[0].arrival) == .seconds(2))
    }

    @Test func `A token's secret is in no token list`() throws {
        let recording = try Self.recording()
        let devices = try #require(recording.json["devices"]?.text())
        #expect(recording.evidence.ledger.tokens.count > 3)
        #expect(recording.evidence.ledger.tokens.allSatisfy { !devices.contains($0.value) })
    }

    @Test func `A filtered document says so, and what it leaves out is lost`() throws {
        let recording = try Self.recording()
        let document = recording.json(of: Array(recording.evidence.exchanges.suffix(2)))
        #expect(document["filtered"] == true)
        let read = try Recording(document)
        #expect(read.isFiltered && read.evidence.exchanges.count == 2)
        #expect(read.evidence.lost == recording.evidence.exchanges.count - 2)
        #expect(read.json.text() == document.text())
        #expect(recording.json["filtered"] == nil && recording.json["lost"] == nil)
    }

    @Test(arguments: [
        (#"{"version": 3}"#, "this journal has version 3, but only version 1 is supported"),
        (#"{"version": "1"}"#, #"this journal has version "1", but only version 1 is supported"#),
        (
            #"{"session": "default", "exchanges": []}"#,
            #"this journal contains no "version"; save a journal with backlot journal --json"#
        ),
        ("[]", "a journal must be an object, not array"),
        (#"{"version": 1}"#, #"lacks "session""#),
        (#"{"version": 1, "session": 5}"#, "/session requires a string, not 5"),
    ])
    func `What is no recording is refused in one sentence`(_ text: String, _ sentence: String) throws {
        #expect(try Self.sentence(reading: JSONParser().parse(text).root) == sentence)
    }

    @Test(arguments: [
        ("/exchanges/1/status", "7", "/exchanges/1/status requires a status from 100 to 999, not 7"),
        (
            "/exchanges/1/time", #""noon""#,
            #"/exchanges/1/time requires a timestamp such as "2026-03-01T09:00:00Z", not "noon""#
        ),
        ("/exchanges/1/number", "1", "/exchanges/1 requires a number above 1, because exchanges are in order"),
        (
            "/exchanges/0/request/body/base64", #""a-==""#,
            "/exchanges/0/request/body/base64 requires bytes in Base64 (RFC 4648, section 4)"
        ),
        ("/kinds/0/role", #""king""#, #"/kinds/0/role requires one of "access", "refresh", "other", not "king""#),
        (
            "/devices/0/tokens/0/expiresAt", "null",
            "/devices/0/tokens/0/expiresAt requires a timestamp such as \"2026-03-01T09:00:00Z\", not null"
        ),
        ("/collections/0/items", "{}", "/collections/0/items requires a list, not object"),
        ("/seed", "-1", "/seed requires a whole number that is not negative, not -1"),
    ])
    func `A document that is wrong somewhere says where`(_ pointer: String, _ value: String, _ sentence: String) throws
    {
        let path = try #require(JSONPointer(pointer))
        let document = try Self.recording().json.replacing(path.tokens[...], with: JSONParser().parse(value).root)
        #expect(Self.sentence(reading: document) == sentence)
    }

    /// Why a document cannot be read.
    static func sentence(reading document: JSONValue) -> String? {
        do throws(RecordingProblem) {
            _ = try Recording(document)
            return nil
        } catch {
            return error.sentence
        }
    }
}

extension JSONValue {
    /// The value with another one at a path that it has.
    func replacing(_ path: ArraySlice<String>, with value: JSONValue?) -> JSONValue {
        guard let name = path.first else { return value ?? .null }
        if var object {
            object[name] = path.count == 1 ? value : object[name]?.replacing(path.dropFirst(), with: value)
            return .object(object)
        }
        guard var array, let index = Int(name), array.indices.contains(index) else { return self }
        if path.count == 1, value == nil {
            array.remove(at: index)
        } else {
            array[index] = array[index].replacing(path.dropFirst(), with: value)
        }
        return .array(array)
    }
}
