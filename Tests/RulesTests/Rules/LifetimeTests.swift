import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import Testing

@Suite struct `B13 expires-in-against-exp` {
    /// Tokens of an hour that are said to live for two, and a client that has signed in.
    private func signedIn() throws -> Traffic {
        var traffic = try Traffic(
            """
            "clock": {"frozen": true},
            "tokens": {"kinds": {
              "access": {"lifetime": "1h", "jti": true}, "refresh": {"lifetime": "30d", "in": {"body": "/refresh"}}}},
            "routes": {
              "POST /login": {
                "grants": {"access": "new", "refresh": "new"},
                "json": {"data": {"access_token": "{{token.access}}", "expires_in": 7200}}},
              "POST /refresh": {
                "requires": "refresh", "grants": {"access": "new"},
                "json": {"access_token": "{{token.access}}", "expires_in": 7200}},
              "GET /notes": {"requires": "access", "json": []}}
            """
        )
        traffic.send("POST /login")
        return traffic
    }

    @Test func `is a client that renews ahead, but by the later of the two`() throws {
        var traffic = try signedIn()
        traffic.advance(.seconds(5_400))
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /refresh", refresh: "refresh-1")
        traffic.send("GET /notes", bearing: "access-2")
        traffic.advance(.seconds(7_190))
        traffic.send("POST /refresh", refresh: "refresh-1")
        #expect(
            traffic.sentences(of: ExpiresInAgainstExp.self) == [
                "exchange 2 GET /notes sent access-1 1h30m after it was issued: exchange 1 had announced 2h in expires_in "
                    + "and 1h in exp, and the client used the later expiry"
            ]
        )
    }

    @Test func `is no client that waits for refusals, nor one that goes by the earlier`() throws {
        var waiting = try signedIn()
        waiting.advance(.seconds(5_400))
        waiting.send("GET /notes", bearing: "access-1")
        waiting.send("POST /refresh", refresh: "refresh-1")
        #expect(waiting.sentences(of: ExpiresInAgainstExp.self) == [])

        var careful = try signedIn()
        careful.advance(.seconds(3_580))
        careful.send("POST /refresh", refresh: "refresh-1")
        careful.send("GET /notes", bearing: "access-2")
        #expect(careful.sentences(of: ExpiresInAgainstExp.self) == [])
    }
}

@Suite struct `B19 upload-restarted` {
    private func put(_ range: String, bearing token: String, _ traffic: inout Traffic) {
        traffic.send(
            "PUT /files/1",
            bearing: token,
            fields: ["Content-Range": "bytes \(range)/48", "Content-Type": "image/png"],
            body: String(repeating: "x", count: 16)
        )
    }

    /// Two parts of three, the second of them after a refresh.
    private func interrupted() throws -> Traffic {
        var traffic = try Traffic()
        traffic.send("POST /login")
        put("0-15", bearing: "access-1", &traffic)
        traffic.advance(.seconds(3_601))
        put("16-31", bearing: "access-1", &traffic)
        traffic.send("POST /refresh", refresh: "refresh-1")
        put("16-31", bearing: "access-2", &traffic)
        return traffic
    }

    @Test func `is an upload that begins anew after a refresh`() throws {
        var traffic = try interrupted()
        put("0-15", bearing: "access-2", &traffic)
        #expect(
            traffic.sentences(of: UploadRestarted.self) == [
                "exchange 6 PUT /files/1 restarted at byte 0, although exchange 5 had reached byte 32 of 48"
            ]
        )
    }

    @Test func `is no upload that goes on, nor another one after it`() throws {
        var traffic = try interrupted()
        put("32-47", bearing: "access-2", &traffic)
        put("0-15", bearing: "access-2", &traffic)
        #expect(traffic.sentences(of: UploadRestarted.self) == [])
    }

    /// A stream that breaks off.
    private func broken() throws -> Traffic {
        var traffic = try Traffic()
        traffic.send("POST /login")
        let feed = traffic.send("GET /feed", bearing: "access-1", ending: .faulted)
        traffic.change(feed) { $0.fault = .truncated }
        return traffic
    }

    @Test func `is a stream that is never opened again`() throws {
        var traffic = try broken()
        traffic.send("GET /notes", bearing: "access-1")
        traffic.wait(.seconds(10))
        traffic.send("GET /notes", bearing: "access-1")
        #expect(
            traffic.sentences(of: UploadRestarted.self) == [
                "exchange 2 GET /feed was interrupted and never reopened, although the client continued until exchange 4"
            ]
        )
    }

    @Test func `is no stream without IDs that starts again`() throws {
        var traffic = try Traffic()
        traffic.send("POST /login")
        let feed = traffic.send("GET /feed", bearing: "access-1", ending: .faulted)
        traffic.change(feed) { exchange in
            exchange.fault = .truncated
            exchange.response.body = Array("data: x\n\ndata: y\n\n".utf8)
        }
        traffic.send("GET /feed", bearing: "access-1")
        #expect(traffic.sentences(of: UploadRestarted.self) == [])
    }

    @Test func `is a stream that starts again although its events have IDs`() throws {
        var traffic = try broken()
        traffic.send("GET /feed", bearing: "access-1")
        #expect(
            traffic.sentences(of: UploadRestarted.self) == [
                "exchange 3 GET /feed restarted the stream without Last-Event-ID, although the events in exchange 2 have IDs"
            ]
        )
    }

    @Test func `is no stream that goes on where it stopped, or that the client has left`() throws {
        var resumed = try broken()
        resumed.send("GET /feed", bearing: "access-1", fields: ["Last-Event-ID": "7"])
        #expect(resumed.sentences(of: UploadRestarted.self) == [])

        var left = try Traffic()
        left.send("POST /login")
        left.send("GET /feed", bearing: "access-1", ending: .clientGone)
        left.send("GET /notes", bearing: "access-1")
        left.wait(.seconds(10))
        left.send("GET /notes", bearing: "access-1")
        #expect(left.sentences(of: UploadRestarted.self) == [])
    }
}
