import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import Testing

/// The raw client, against a peer that sends exactly what the test says.
@Suite(.timeLimit(.minutes(15)))
struct HTTPClientTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var bytes: String
        var failure: HTTPClientFailure?
        var testDescription: String { bytes.debugDescription }
    }

    /// Serves one connection with these bytes and closes it, whatever is asked.
    private func peer(sending bytes: String, _ body: (UInt16) throws -> Void) throws {
        let listener = try ListeningSocket(address: try #require(SocketAddress("127.0.0.1", port: 0)))
        try LoopThread.start {
            let client = ListenerEnd(listener).accept()
            _ = client?.readWhatIsThere()
            client?.write(bytes)
            client?.endWriting()
            _ = client?.readWhatIsThere()
        }
        try body(listener.address.port)
    }

    @Test(
        arguments: [
            Case(bytes: "", failure: .closedWithoutResponse),
            Case(bytes: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", failure: nil),
            Case(bytes: "HTTP/1.1 200 OK\r\n\r\nuntil the end", failure: nil),
            Case(bytes: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n", failure: nil),
            Case(
                bytes: "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello",
                failure: .truncated(received: 5, announced: 50)
            ),
            Case(
                bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
                failure: .truncated(received: 3, announced: nil)
            ),
            Case(
                bytes: String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 200),
                failure: .malformed("received more than 100 interim responses")
            ),
            Case(bytes: "HTTP/1.1 200 OK\r\nConte", failure: .truncated(received: 22, announced: nil)),
        ]
    )
    func `A response is whole, or exactly what is wrong with it is said`(scenario: Case) async throws {
        try peer(sending: scenario.bytes) { port in
            let client = try HTTPClient(host: "127.0.0.1", port: port)
            if let failure = scenario.failure {
                #expect(throws: failure) { try client.exchange(HTTPRequest(target: "/")) }
            } else {
                #expect(try client.exchange(HTTPRequest(target: "/")).status.isSuccessful)
            }
        }
    }

    @Test func `Silence is a timeout`() throws {
        let listener = try ListeningSocket(address: try #require(SocketAddress("127.0.0.1", port: 0)))
        // The kernel accepts for the listener; nobody ever answers.
        let client = try HTTPClient(host: "127.0.0.1", port: listener.address.port, timeout: .milliseconds(1))
        #expect(throws: HTTPClientFailure.timedOut) { try client.exchange(HTTPRequest(target: "/")) }
    }

    @Test func `An unknown host is unreachable`() {
        #expect(throws: HTTPClientFailure.self) { try HTTPClient(host: "127.0.0.256.invalid", port: 1) }
    }

    @Test func `A request can be sent in halves, and the connection used again`() async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            for _ in 0..<2 {
                client.expectResponse(to: .get)
                try client.send("GET /bytes/3 HT")
                try client.send("TP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.receive().body.count == 3)
            }
        }
    }

    @Test func `A connection that the server ended is opened anew for the next request`() async throws {
        try await withServer { _, port in
            let client = try HTTPClient(port: port)
            client.expectResponse(to: .get)
            try client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try client.receive().text == "hello")
            #expect(!client.isOpen)
            #expect(try client.exchange(HTTPRequest(target: "/")).text == "hello")
        }
    }
}

/// Blocking ends for a scripted peer.
private struct ListenerEnd {
    let socket: ListeningSocket

    init(_ socket: ListeningSocket) {
        self.socket = socket
    }

    func accept() -> ConnectedSocket? {
        while true {
            switch socket.accept() {
            case .accepted(let client, from: _): return client
            case .wouldBlock: guard (try? socket.waitUntilReadable(until: .never)) == true else { return nil }
            default: return nil
            }
        }
    }
}

extension ConnectedSocket {
    fileprivate func readWhatIsThere() -> Int {
        guard (try? waitUntilReadable(until: .never)) == true else { return 0 }
        var bytes = [UInt8](repeating: 0, count: 4096)
        guard case .bytes(let count) = bytes.withUnsafeMutableBytes({ read(into: $0) }) else { return 0 }
        return count
    }

    fileprivate func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write($0) }
    }
}
