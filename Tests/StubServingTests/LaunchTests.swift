import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// A runner of stories starts the client at its moments.
struct LaunchTests {
    @Test func `A launch lets the served story's time pass, and responses that are due on the way leave`() async throws
    {
        let story = """
            {"backend": "Test", "clock": {"frozen": true}, "timeline": [{"at": "14d", "launch": 2}],
             "routes": {"GET /": {}, "GET /slow": {"latency": {"fixed": "1h", "clock": "virtual"}, "json": 1}}}
            """
        try await withStub(story) { stub in
            #expect(stub.server.launches == [1, 2])
            _ = try stub.client().get("/")
            let slow = try stub.client()
            try slow.send(HTTPRequest(target: "/slow"))
            try stub.untilDecided(2)
            stub.server.begin(launch: 2)
            #expect(try slow.receive().code == 200)
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-15T09:00:00Z")
            _ = try stub.client().get("/")
            let exchanges = try stub.admin(.get, "journal")["exchanges"]
            #expect(exchanges?[0]?["launch"] == nil && exchanges?[2]?["launch"] == 2)
        }
    }
}
