import HTTPCodec
import HTTPServing
import TestSupport
import Testing

/// The requests of `suites/http/http11probe.json` over sockets.
@Suite(
    .enabled(if: Suites.has(HTTPProbe.file), "suites/http/http11probe.json is not there; set BACKLOT_SUITES"),
    .timeLimit(.minutes(15))
)
struct HTTP11ProbeTests {
    /// Where the file asks for more than RFC 9110 and 9112 do.
    static let excused = [
        "COMP-UPGRADE-INVALID-VER": "a server that does not upgrade ignores Upgrade (RFC 9110, section 7.8)"
    ]

    private let handler = ScriptedHandler { request, _, _ in
        switch request.method {
        case .get, .head, .post, .options: .now(OutgoingResponse(HTTPResponse(status: .ok, body: request.body)))
        default:
            .now(
                OutgoingResponse(HTTPResponse(status: .methodNotAllowed, fields: ["Allow": "GET, HEAD, POST, OPTIONS"]))
            )
        }
    }

    @Test func `The probes are there`() {
        #expect(HTTPProbe.all.count > 100)
    }

    @Test(arguments: HTTPProbe.all)
    func `A probe is answered as the RFCs want it`(probe: HTTPProbe) async throws {
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let statuses = try statuses(probe, port)
            if let reason = Self.excused[probe.id] {
                withKnownIssue("\(reason)") { judge(probe, statuses) }
            } else {
                judge(probe, statuses)
            }
        }
    }

    private func judge(_ probe: HTTPProbe, _ statuses: [Int]) {
        switch probe.want {
        case "accept":
            #expect(statuses.first.map { 200..<300 ~= $0 } == true, "answered \(statuses)")
        case "reject":
            // Closing without a response is a refusal, too.
            let isRefused = statuses.first.map { (probe.codes ?? Array(400..<600)).contains($0) || $0 >= 400 } ?? true
            #expect(isRefused, "answered \(statuses)")
        default:
            #expect(statuses.allSatisfy { 200..<600 ~= $0 }, "answered \(statuses)")
        }
        if let refused = statuses.firstIndex(of: 400) {
            #expect(refused == statuses.count - 1, "something was served after a refusal: \(statuses)")
        }
    }

    /// The statuses of all responses until the server ends the connection.
    private func statuses(_ probe: HTTPProbe, _ port: UInt16) throws -> [Int] {
        let client = try HTTPClient(port: port)
        for piece in probe.pieces(authority: "localhost:\(port)", ok: "/", post: "/echo") { try? client.send(piece) }
        // Every probe ends so, whether or not its request does.
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
