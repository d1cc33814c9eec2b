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

    private func stage(_ clock: String) throws -> Stage {
        try Stage("\"clock\": { \(clock) }, \(Self.routes)")
    }

    private func ask(_ target: String, in stage: inout Stage) -> Decision {
        stage.session.decide(HTTPRequest(target: target), at: stage.now)
    }

    private func output(of stage: inout Stage) -> [String] {
        stage.session.takeStreamOutput().map { part in
            String(decoding: part.bytes, as: UTF8.self) + (part.isLast ? "end of \(part.exchange)" : "")
        }
    }

    @Test func `a frozen clock that is moved sends what is due on the way, and nothing twice`() throws {
        var stage = try stage(#""frozen": true"#)
        let decision = ask("/two", in: &stage)
        #expect(decision.isStream)
        #expect(output(of: &stage).isEmpty)
        stage.session.advance(by: .milliseconds(1_500), at: stage.now)
        #expect(output(of: &stage) == ["data: a\n\n"])
        stage.session.advance(by: .seconds(3_600), at: stage.now)
        #expect(output(of: &stage) == ["data: b\n\nend of 1"])
        stage.session.advance(by: .seconds(3_600), at: stage.now)
        #expect(output(of: &stage).isEmpty)
    }

    @Test func `an automatic clock jumps from event to event while a stream is all that waits`() throws {
        var stage = try stage(#""automatic": true"#)
        _ = ask("/two", in: &stage)
        #expect(stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(output(of: &stage) == ["data: a\n\n"])
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(output(of: &stage) == ["data: b\n\nend of 1"])
    }

    @Test func `an automatic clock does not wait for a stream on which nothing more is due`() throws {
        var stage = try stage(#""automatic": true"#)
        _ = ask("/open", in: &stage)
        _ = ask("/silent", in: &stage)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(output(of: &stage) == ["data: a\n\n"])
        #expect(!stage.session.isWaitingForTime)
        #expect(stage.session.hasOpenStreams)
        let slow = ask("/slow", in: &stage)
        #expect(stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.session.takeReleased() == [slow.exchange])
        for exchange: UInt64 in 1...3 { stage.session.end(exchange, .clientGone, at: stage.now) }
        #expect(!stage.session.hasOpenStreams)
    }

    @Test func `a head that waits on the virtual clock comes before the first event`() throws {
        var stage = try stage(#""automatic": true"#)
        let decision = ask("/late", in: &stage)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(stage.session.takeReleased() == [decision.exchange])
        #expect(output(of: &stage).isEmpty)
        #expect(stage.session.isWaitingForTime)
        stage.session.jumpIfWaiting(at: stage.now)
        #expect(output(of: &stage) == ["data: a\n\nend of 1"])
    }

    @Test func `a client that has left gets nothing more`() throws {
        var stage = try stage(#""frozen": true"#)
        _ = ask("/two", in: &stage)
        stage.session.advance(by: .seconds(1), at: stage.now)
        #expect(output(of: &stage).count == 1)
        stage.session.end(1, .clientGone, at: stage.now)
        stage.session.advance(by: .seconds(1), at: stage.now)
        #expect(output(of: &stage).isEmpty)
    }

    @Test func `a request that opens no WebSocket is refused, and is no stream`() throws {
        var stage = try stage(#""frozen": true"#)
        let decision = ask("/socket", in: &stage)
        #expect(decision.response.status.code == 426)
        #expect(!decision.isStream)
        #expect(decision.webSocket == nil)
    }
}
