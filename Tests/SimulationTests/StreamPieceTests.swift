import HTTPCodec
import ScenarioFormat
import Simulation
import Testing

/// Streams in the engine: what is due leaves when the clock comes to it, whatever moves the clock.
struct StreamPieceTests {
    private static let routes = #"""
        "routes": {
          "GET /two": { "events": [{ "after": "1s", "text": "a" }, { "after": "1s", "text": "b" }] },
          "GET /open": { "staysOpen": true, "events": [{ "after": "1s", "text": "a" }] },
          "GET /silent": { "staysOpen": true, "events": [] },
          "GET /late": { "latency": { "fixed": "1m", "clock": "virtual" }, "events": [{ "after": "1s", "text": "a" }] },
          "GET /slow": { "latency": { "fixed": "1h", "clock": "virtual" }, "text": "slow" },
          "GET /socket": { "webSocket": { "echo": true, "tokenClose": 4401 } }
        }
        """#

    private func client(_ clock: String) throws -> SessionClient {
        try SessionClient("\"clock\": { \(clock) }, \(Self.routes)")
    }

    private func ask(_ target: String, in client: inout SessionClient) -> Decision {
        client.session.decide(IncomingRequest(HTTPRequest(target: target)), at: client.now)
    }

    private func output(of client: inout SessionClient) -> [String] {
        client.session.takeStreamOutput().map { part in
            String(decoding: part.bytes, as: UTF8.self) + (part.isLast ? "end of \(part.exchange)" : "")
        }
    }

    @Test func `a frozen clock that is moved sends what is due on the way, and nothing twice`() throws {
        var client = try client(#""frozen": true"#)
        let decision = ask("/two", in: &client)
        #expect(decision.isStream)
        #expect(output(of: &client).isEmpty)
        client.session.advance(by: .milliseconds(1_500), at: client.now)
        #expect(output(of: &client) == ["data: a\n\n"])
        client.session.advance(by: .seconds(3_600), at: client.now)
        #expect(output(of: &client) == ["data: b\n\nend of 1"])
        client.session.advance(by: .seconds(3_600), at: client.now)
        #expect(output(of: &client).isEmpty)
    }

    @Test func `an automatic clock jumps from event to event while a stream is all that waits`() throws {
        var client = try client(#""automatic": true"#)
        _ = ask("/two", in: &client)
        #expect(client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(output(of: &client) == ["data: a\n\n"])
        client.session.jumpIfWaiting(at: client.now)
        #expect(output(of: &client) == ["data: b\n\nend of 1"])
    }

    @Test func `an automatic clock does not wait for a stream on which nothing more is due`() throws {
        var client = try client(#""automatic": true"#)
        _ = ask("/open", in: &client)
        _ = ask("/silent", in: &client)
        client.session.jumpIfWaiting(at: client.now)
        #expect(output(of: &client) == ["data: a\n\n"])
        #expect(!client.session.isWaitingForTime)
        #expect(client.session.hasOpenStreams)
        let slow = ask("/slow", in: &client)
        #expect(client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.session.takeReleased() == [slow.exchange])
        for exchange: UInt64 in 1...3 { client.session.end(exchange, .clientGone, at: client.now) }
        #expect(!client.session.hasOpenStreams)
    }

    @Test func `a head that waits on the virtual clock comes before the first event`() throws {
        var client = try client(#""automatic": true"#)
        let decision = ask("/late", in: &client)
        client.session.jumpIfWaiting(at: client.now)
        #expect(client.session.takeReleased() == [decision.exchange])
        #expect(output(of: &client).isEmpty)
        #expect(client.session.isWaitingForTime)
        client.session.jumpIfWaiting(at: client.now)
        #expect(output(of: &client) == ["data: a\n\nend of 1"])
    }

    @Test func `a client that has left gets nothing more`() throws {
        var client = try client(#""frozen": true"#)
        _ = ask("/two", in: &client)
        client.session.advance(by: .seconds(1), at: client.now)
        #expect(output(of: &client).count == 1)
        client.session.end(1, .clientGone, at: client.now)
        client.session.advance(by: .seconds(1), at: client.now)
        #expect(output(of: &client).isEmpty)
    }

    @Test func `a request that opens no WebSocket is refused, and is no stream`() throws {
        var client = try client(#""frozen": true"#)
        let decision = ask("/socket", in: &client)
        #expect(decision.response.status.code == 426)
        #expect(!decision.isStream)
        #expect(decision.webSocket == nil)
    }
}
