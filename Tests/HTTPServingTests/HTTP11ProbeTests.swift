import Foundation
import HTTPServing
import HTTPWire
import Testing

/// The requests of http11probe.json, when that file is there, over sockets.
@Suite(.timeLimit(.minutes(1)))
struct HTTP11ProbeTests {
    struct Probe: Sendable, Decodable, CustomTestStringConvertible {
        var id: String
        var level: String
        var want: String
        var send: [String]
        var codes: [Int]?
        var testDescription: String { id }
    }

    static let file: URL = {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let suites = ProcessInfo.processInfo.environment["BACKLOT_SUITES"].map { URL(fileURLWithPath: $0) }
        return (suites ?? root.appendingPathComponent("../shared/suites")).appendingPathComponent(
            "http/http11probe.json"
        )
    }()

    static let probes: [Probe] = {
        guard let data = try? Data(contentsOf: file) else { return [] }
        return (try? JSONDecoder().decode([Probe].self, from: data)) ?? []
    }()

    /// Where the file asks for more than RFC 9110 and 9112 do.
    static let excused = [
        "COMP-UPGRADE-INVALID-VER": "a server that does not upgrade ignores Upgrade (RFC 9110, section 7.8)"
    ]

    private let handler = ScriptedHandler { request, _, _ in
        switch request.method {
        case .get, .head, .post, .options: .now(HTTPReply(HTTPResponse(status: .ok, body: request.body)))
        default: .now(HTTPReply(HTTPResponse(status: .methodNotAllowed, fields: ["Allow": "GET, HEAD, POST, OPTIONS"])))
        }
    }

    @Test func `The probes are there`() throws {
        if Self.probes.isEmpty { try Test.cancel("no \(Self.file.path), so the probes are skipped") }
        #expect(Self.probes.count > 100)
    }

    @Test(arguments: probes)
    func `A probe is answered as the RFCs want it`(probe: Probe) async throws {
        try await withServer(HTTPServer.Configuration(), handler) { _, port in
            let statuses = try statuses(probe, port)
            if let reason = Self.excused[probe.id] {
                withKnownIssue("\(reason)") { judge(probe, statuses) }
            } else {
                judge(probe, statuses)
            }
        }
    }

    private func judge(_ probe: Probe, _ statuses: [Int]) {
        switch probe.want {
        case "accept":
            #expect(statuses.first.map { 200..<300 ~= $0 } == true, "answered \(statuses)")
        case "reject":
            // Closing without a reply is a refusal, too.
            let isRefused = statuses.first.map { (probe.codes ?? Array(400..<600)).contains($0) || $0 >= 400 } ?? true
            #expect(isRefused, "answered \(statuses)")
        default:
            #expect(statuses.allSatisfy { 200..<600 ~= $0 }, "answered \(statuses)")
        }
        if let refused = statuses.firstIndex(of: 400) {
            #expect(refused == statuses.count - 1, "something was served after a refusal: \(statuses)")
        }
    }

    /// The statuses of all replies until the server ends the connection.
    private func statuses(_ probe: Probe, _ port: UInt16) throws -> [Int] {
        let client = try HTTPClient(port: port)
        for text in probe.send {
            let text = text.replacingOccurrences(of: "@OK@", with: "/")
                .replacingOccurrences(of: "@POST@", with: "/echo")
                .replacingOccurrences(of: "@H@", with: "localhost:\(port)")
            try? client.send(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
        }
        // Every probe ends so, whether or not its request does.
        client.endSending()
        var statuses: [Int] = []
        let isHead = probe.send.first?.hasPrefix("HEAD ") == true
        while true {
            client.expectReply(to: isHead ? .head : .get)
            do {
                statuses.append(try client.receive().status.code)
            } catch {
                guard error == .closedWithoutReply else { throw error }
                return statuses
            }
        }
    }
}
