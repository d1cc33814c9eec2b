import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// How clients take up streams that the server has ended: what B19 says of it, and of clients that are right.
@Suite struct `B19 upload-restarted of streams` {
    private static let backend = """
        "clock": {"frozen": true}, "accounts": {"ann": {}},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h"},
          "refresh": {"lifetime": "30d", "format": "opaque", "in": {"body": "/refresh"}, "rotate": {"grace": "0s"}}}},
        "routes": {
          "POST /login": {"signIn": true, "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "GET /notes": {"requires": "access", "json": []},
          "GET /live": {
            "requires": "access", "tokenAt": "events", "staysOpen": true,
            "events": [
              {"id": "1", "text": "a"}, {"after": "10m", "id": "2", "retry": "3s", "text": "b"},
              {"after": "2h", "id": "3", "text": "c"}]},
          "GET /list": {"requires": "access", "events": [{"id": "1", "retry": "3s", "text": "a"}]},
          "GET /down": {"requires": "access", "staysOpen": true, "events": []},
          "GET /socket": {"requires": "access", "webSocket": {"tokenClose": 4401}},
          "POST /drop": {
            "then": [
              {"push": "GET /live", "close": {}}, {"push": "GET /down", "close": {}},
              {"push": "GET /socket", "close": {"code": 1012}}],
            "status": 204, "empty": true}}
        """

    private static let handshake: HTTPFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    ]

    /// A client that has read two events of a stream, which the server has ended because of its token.
    private func expired() throws -> Traffic {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        let stream = traffic.begin("GET /live", bearing: "access-1")
        traffic.advance(.seconds(600))
        traffic.advance(.seconds(7_200))
        traffic.end(stream)
        traffic.wait(.seconds(3))
        return traffic
    }

    /// The same client, whose stream the server has dropped while its token was good.
    private func dropped() throws -> Traffic {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        let stream = traffic.begin("GET /live", bearing: "access-1")
        traffic.advance(.seconds(600))
        traffic.send("POST /drop")
        traffic.end(stream)
        return traffic
    }

    private func said(_ traffic: Traffic) -> [String] { traffic.sentences(of: UploadRestarted.self) }

    @Test func `is no stream that goes on with a new token after the last event`() throws {
        var traffic = try expired()
        traffic.send("GET /live", bearing: "access-1", fields: ["Last-Event-ID": "2"])
        traffic.send("POST /refresh", refresh: "refresh-1")
        let again = traffic.begin("GET /live", bearing: "access-2", fields: ["Last-Event-ID": "2"])
        #expect(traffic.status(of: again) == 200)
        #expect(said(traffic) == [])
        #expect(traffic.allSentences == [])
    }

    @Test func `is a stream that starts again although its events have IDs`() throws {
        var traffic = try expired()
        traffic.send("POST /refresh", refresh: "refresh-1")
        _ = traffic.begin("GET /live", bearing: "access-2")
        #expect(
            said(traffic) == [
                "exchange 4 GET /live restarted the stream without Last-Event-ID, although exchange 2 had reached event 2"
            ]
        )
    }

    @Test func `is no stream whose events have no IDs`() throws {
        let backend = Self.backend.replacing(
            #"{"id": "1", "text": "a"}, {"after": "10m", "id": "2", "retry": "3s", "text": "b"}"#,
            with: #"{"text": "a"}, {"after": "10m", "retry": "3s", "text": "b"}"#
        )
        .replacing(#"{"after": "2h", "id": "3", "text": "c"}"#, with: #"{"after": "2h", "text": "c"}"#)
        #expect(!backend.contains(#""id": "2""#))
        var traffic = try Traffic(backend)
        traffic.send("POST /login")
        let stream = traffic.begin("GET /live", bearing: "access-1")
        traffic.advance(.seconds(600))
        traffic.send("POST /drop")
        traffic.end(stream)
        traffic.wait(.seconds(3))
        _ = traffic.begin("GET /live", bearing: "access-1")
        #expect(said(traffic) == [])
    }

    @Test func `is a stream that repeats events`() throws {
        var traffic = try expired()
        traffic.send("POST /refresh", refresh: "refresh-1")
        _ = traffic.begin("GET /live", bearing: "access-2", fields: ["Last-Event-ID": "1"])
        #expect(
            said(traffic) == [
                "exchange 4 GET /live requested events after 1 again, although exchange 2 had reached event 2"
            ]
        )
    }

    @Test func `is a stream that leaves events out`() throws {
        var traffic = try expired()
        traffic.send("POST /refresh", refresh: "refresh-1")
        _ = traffic.begin("GET /live", bearing: "access-2", fields: ["Last-Event-ID": "3"])
        #expect(
            said(traffic) == [
                "exchange 4 GET /live skipped events: the request sent the event ID 3, although exchange 2 had reached"
                    + " only 2"
            ]
        )
    }

    @Test func `is no stream of a client that loads everything anew, nor one of a new launch`() throws {
        var traffic = try expired()
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        _ = traffic.begin("GET /live", bearing: "access-2")
        #expect(said(traffic) == [])
        traffic = try expired()
        traffic.launch(2)
        traffic.send("POST /refresh", refresh: "refresh-1")
        _ = traffic.begin("GET /live", bearing: "access-2")
        #expect(said(traffic) == [])
    }

    @Test func `is no stream that the client has left itself, or that was complete`() throws {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        let stream = traffic.begin("GET /live", bearing: "access-1")
        traffic.advance(.seconds(600))
        traffic.end(stream, .clientGone)
        _ = traffic.begin("GET /live", bearing: "access-1")
        for _ in 0..<5 { traffic.send("GET /list", bearing: "access-1") }
        #expect(said(traffic) == [])
    }

    @Test func `is a stream that is opened before the time that it asked for`() throws {
        var traffic = try dropped()
        traffic.wait(.seconds(1))
        _ = traffic.begin("GET /live", bearing: "access-1", fields: ["Last-Event-ID": "2"])
        #expect(
            said(traffic) == [
                "exchange 4 GET /live was opened 1s after the end of exchange 2, which had requested a pause of 3s"
            ]
        )
    }

    @Test func `is no stream whose client waits, on either clock`() throws {
        for onVirtualClock in [true, false] {
            var traffic = try dropped()
            if onVirtualClock { traffic.advance(.seconds(3)) } else { traffic.wait(.seconds(3)) }
            _ = traffic.begin("GET /live", bearing: "access-1", fields: ["Last-Event-ID": "2"])
            #expect(said(traffic) == [])
        }
    }

    @Test(arguments: [(5, 1), (400, 0)])
    func `is a stream that is opened again and again without a pause`(pause: Int, count: Int) throws {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        for _ in 0..<6 {
            let stream = traffic.begin("GET /down", bearing: "access-1")
            traffic.wait(.milliseconds(5))
            traffic.end(traffic.begin("POST /drop"))
            traffic.end(stream)
            traffic.wait(.milliseconds(pause))
        }
        #expect(said(traffic).count == count)
        #expect(
            said(traffic).allSatisfy { $0.contains("GET /down opened the stream for the 4th time without a pause") }
        )
    }

    /// A WebSocket that was closed because of its token.
    private func closed() throws -> Traffic {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        let socket = traffic.begin("GET /socket", bearing: "access-1", fields: Self.handshake)
        traffic.advance(.seconds(3_600))
        traffic.end(socket)
        traffic.wait(.milliseconds(500))
        return traffic
    }

    @Test func `is a WebSocket that is opened with the token because of which it was closed`() throws {
        var traffic = try closed()
        traffic.send("GET /socket", bearing: "access-1", fields: Self.handshake)
        #expect(
            said(traffic) == [
                "exchange 3 GET /socket sent access-1 again, although exchange 2 was closed with 4401 because of this"
                    + " token"
            ]
        )
    }

    @Test func `is no WebSocket that is opened with a new token, nor one that the server closed for another reason`()
        throws
    {
        var traffic = try closed()
        traffic.send("POST /refresh", refresh: "refresh-1")
        _ = traffic.begin("GET /socket", bearing: "access-2", fields: Self.handshake)
        #expect(traffic.allSentences == [])
        traffic = try Traffic(Self.backend)
        traffic.send("POST /login")
        let socket = traffic.begin("GET /socket", bearing: "access-1", fields: Self.handshake)
        traffic.send("POST /drop")
        traffic.end(socket)
        traffic.wait(.milliseconds(500))
        traffic.advance(.seconds(3_600))
        traffic.send("GET /socket", bearing: "access-1", fields: Self.handshake)
        #expect(said(traffic) == [])
    }
}
