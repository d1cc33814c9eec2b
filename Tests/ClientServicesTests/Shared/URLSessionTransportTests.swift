import ClientServices
import Foundation
import HTTPCodec
import HTTPServing
import Testing

@Suite(.timeLimit(.minutes(15)))
struct `A transport over URLSession` {
    /// Answers by the path, and with what it was sent.
    private final class Echo: HTTPHandler {
        private let elsewhere: String

        init(elsewhere: String = "") { self.elsewhere = elsewhere }

        func respond(to request: HTTPCodec.HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
            var response = HTTPResponse(status: 200, fields: ["X-Seen": request.fields["Authorization"] ?? "none"])
            response.body = request.body
            switch request.path {
            case "/elsewhere": response = HTTPResponse(status: 302, fields: ["Location": elsewhere + "/there"])
            case "/moved": response = HTTPResponse(status: 302, fields: ["Location": "/here"])
            case "/empty": return .now(OutgoingResponse(response, delivery: Delivery(fault: .empty)))
            case "/teapot": response.status = 418
            default: break
            }
            return .now(OutgoingResponse(response))
        }

        func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
            OutgoingResponse(HTTPResponse(status: refusal.status))
        }
    }

    private func withServer(_ body: (URL) async throws -> Void) async throws {
        let other = HTTPServer(handler: Echo())
        try other.start()
        let elsewhere = try other.addListener(host: "127.0.0.1", port: 0)
        let server = HTTPServer(handler: Echo(elsewhere: "http://127.0.0.1:\(elsewhere)"))
        try server.start()
        let port = try server.addListener(host: "127.0.0.1", port: 0)
        try await body(#require(URL(string: "http://127.0.0.1:\(port)")))
        await server.stop()
        await other.stop()
    }

    @Test func `Method, fields and body arrive, and the answer comes back whatever its status`() async throws {
        try await withServer { url in
            let request = TransportRequest(
                .post,
                url.appendingPathComponent("teapot"),
                fields: ["Authorization": "token", "Content-Type": "text/plain"],
                body: Data("한글".utf8),
                timeout: 3_600
            )
            let response = try await URLSessionTransport().send(request)
            #expect(response.status == 418 && !response.isSuccess)
            #expect(response.fields["x-seen"] == "token")
            #expect(response.body == Data("한글".utf8))
        }
    }

    @Test func `A redirect within the origin is followed, and one to another is the answer`() async throws {
        try await withServer { url in
            let fields: HeaderFields = ["Authorization": "token"]
            let here = TransportRequest(.get, url.appendingPathComponent("moved"), fields: fields, timeout: 3_600)
            #expect(try await URLSessionTransport().send(here).status == 200)
            let there = TransportRequest(.get, url.appendingPathComponent("elsewhere"), fields: fields, timeout: 3_600)
            let response = try await URLSessionTransport().send(there)
            #if canImport(FoundationNetworking)
                // Foundation on Linux follows it whatever the delegate would say; the day it asks, this fails.
                #expect(response.status == 200)
            #else
                #expect(response.status == 302)
                #expect(response.fields["X-Seen"] == nil)
            #endif
        }
    }

    @Test func `A server that is not there is told from an answer that was lost`() async throws {
        try await withServer { url in
            let lost = TransportRequest(.get, url.appendingPathComponent("empty"), timeout: 3_600)
            await #expect(throws: TransportFailure.self) { try await URLSessionTransport().send(lost) }
        }
        // The port of a server that has stopped may be another test's by now.
        let request = TransportRequest(.get, try #require(URL(string: "http://127.0.0.1:1")))
        await #expect(throws: TransportFailure.unreachable) { try await URLSessionTransport().send(request) }
    }
}
