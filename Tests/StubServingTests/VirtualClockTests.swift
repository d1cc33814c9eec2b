import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StubServing
import Testing

/// Responses that wait on a session's clock, and everything that lets them out.
@Suite(.timeLimit(.minutes(15)))
struct VirtualClockTests {
    private func backend(_ clock: String) -> String {
        """
        {
          "backend": "Clocks",
          "clock": \(clock),
          "defaults": { "headers": { "X-Now": "{{clock}}" } },
          "routes": {
            "GET /now": { "text": "now" },
            "GET /real": { "latency": "40ms", "text": "real" },
            "GET /wait/{time}": {
              "cases": [
                { "when": { "path": { "time": "1h" } }, "text": "1h", "latency": { "fixed": "1h", "clock": "virtual" } },
                { "when": { "path": { "time": "2h" } }, "text": "2h", "latency": { "fixed": "2h", "clock": "virtual" } }
              ]
            }
          }
        }
        """
    }

    @Test(arguments: SelectorKind.allCases)
    func `Advancing lets responses out in the order of their moments`(kind: SelectorKind) async throws {
        try await withStub(backend(#"{ "frozen": true }"#), { $0.selector = kind }) { stub in
            let (late, early) = (try stub.client(), try stub.client())
            try late.send(HTTPRequest(target: "/wait/2h"))
            try stub.untilDecided(1)
            try early.send(HTTPRequest(target: "/wait/1h"))
            try stub.untilDecided(2)
            try stub.advance("90m")
            #expect(try early.receive().text == "1h")
            #expect(try late.peek().isEmpty)
            try stub.advance("30m")
            #expect(try late.receive().text == "2h")
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["waitMilliseconds"] == 7_200_000)
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `A running clock lets responses out by itself`(kind: SelectorKind) async throws {
        try await withStub(backend(#"{ "rate": 3600 }"#), { $0.selector = kind }) { stub in
            let (first, second) = (try stub.client(), try stub.client())
            try second.send(HTTPRequest(target: "/wait/2h"))
            try stub.untilDecided(1)
            try first.send(HTTPRequest(target: "/wait/1h"))
            try stub.untilDecided(2)
            await stub.pass(.milliseconds(1_001))
            #expect(try first.receive().text == "1h")
            #expect(try second.peek().isEmpty)
            await stub.pass(.milliseconds(1_000))
            #expect(try second.receive().text == "2h")
        }
    }

    @Test(arguments: SelectorKind.allCases)
    func `An automatic clock jumps when every request waits for it`(kind: SelectorKind) async throws {
        try await withStub(backend(#"{ "automatic": true }"#), { $0.selector = kind }) { stub in
            let (first, second) = (try stub.client(), try stub.client())
            try second.send(HTTPRequest(target: "/wait/2h"))
            try stub.untilDecided(1)
            try first.send(HTTPRequest(target: "/wait/1h"))
            try stub.untilDecided(2)
            #expect(try stub.admin(.get, "clock")["now"]?.string == Stub.start)
            // Quiet for the first request, but not yet for the second: the moment counts from the last one.
            await stub.pass(.milliseconds(5))
            #expect(try first.receive().text == "1h")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T10:00:00Z")
            await stub.pass(.milliseconds(5))
            #expect(try second.receive().text == "2h")
            #expect(try stub.admin(.get, "clock")["now"] == "2026-03-01T11:00:00Z")
        }
    }

    @Test func `An automatic clock waits for responses that take real time, and jumps after the last`() async throws {
        try await withStub(backend(#"{ "automatic": true }"#)) { stub in
            let (parked, real) = (try stub.client(), try stub.client())
            try real.send(HTTPRequest(target: "/real"))
            try stub.untilDecided(1)
            try parked.send(HTTPRequest(target: "/wait/1h"))
            try stub.untilDecided(2)
            await stub.pass(.milliseconds(20))
            #expect(try parked.peek().isEmpty)
            await stub.pass(.milliseconds(20))
            #expect(try real.receive().text == "real")
            // Nothing arrives any more: the end of the other exchange alone must set the clock going.
            // The end of the other exchange may be noted a moment after its response was read, and holds the clock again.
            for _ in 0..<4 { await stub.pass(.milliseconds(5)) }
            #expect(try parked.receive().text == "1h")
        }
    }

    @Test func `4.3 Traffic holds an automatic clock back`() async throws {
        try await withStub(backend(#"{ "automatic": true }"#)) { stub in
            let (parked, busy) = (try stub.client(), try stub.client())
            try parked.send(HTTPRequest(target: "/wait/1h"))
            try stub.untilDecided(1)
            for _ in 0..<5 {
                await stub.pass(.milliseconds(4))
                #expect(try busy.get("/now").fields["X-Now"] == Stub.start)
            }
            // The end of the other exchange may be noted a moment after its response was read, and holds the clock again.
            for _ in 0..<4 { await stub.pass(.milliseconds(5)) }
            #expect(try parked.receive().text == "1h")
        }
    }

    @Test func `Many responses wait on one alarm`() async throws {
        try await withStub(backend(#"{ "rate": 3600 }"#), { $0.logsExchanges = false }) { stub in
            let clients = try (0..<50).map { _ in try stub.client() }
            for client in clients { try client.send(HTTPRequest(target: "/wait/1h")) }
            try stub.untilDecided(clients.count)
            await stub.pass(.milliseconds(1_001))
            for client in clients { #expect(try client.receive().text == "1h") }
        }
    }
}
