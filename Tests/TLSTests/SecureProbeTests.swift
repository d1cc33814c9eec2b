import HTTPCodec
import HTTPServing
import TLS
import TestSupport
import Testing

/// The requests of `suites/http/http11probe.json`, with and without TLS.
@Suite(
    .enabled(if: Suites.has(HTTPProbe.file), "suites/http/http11probe.json is not there; set BACKLOT_SUITES"),
    .enabled(if: Machine.isReady, Machine.reason),
    .timeLimit(.minutes(15))
)
struct SecureProbeTests {
    @Test("a probe has the same responses over TLS")
    func answersAlike() async throws {
        #expect(HTTPProbe.all.count > 100)
        try await withSecureServer { port, handler in
            for probe in HTTPProbe.all {
                let plain = try statuses(probe, HTTPClient(port: port), port)
                let secure = try statuses(probe, HTTPClient(port: port, tls: Machine.client()), port)
                #expect(plain == secure, "\(probe)")
            }
            #expect(handler.failures.withLock { $0 }.isEmpty)
        }
    }

    /// The statuses of all responses until the server ends the connection.
    private func statuses(_ probe: HTTPProbe, _ client: HTTPClient, _ port: UInt16) throws -> [Int] {
        for piece in probe.pieces(authority: "localhost:\(port)", ok: "/5", post: "/echo") { try? client.send(piece) }
        client.endSending()
        var statuses: [Int] = []
        while true {
            client.expectResponse(to: probe.isHead ? .head : .get)
            do {
                statuses.append(try client.receive().status.code)
            } catch {
                guard error == .closedWithoutResponse else { throw error }
                return statuses
            }
        }
    }
}
