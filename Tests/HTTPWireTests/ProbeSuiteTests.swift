import Foundation
import HTTPWire
import Testing

/// The cases of `suites/http/http11probe.json`, played into a parser without a socket.
struct ProbeSuiteTests {
    struct Probe: Decodable, Sendable, CustomTestStringConvertible {
        let id: String
        let want: String
        let send: [Piece]
        /// Status codes that count as the right refusal.
        let codes: [Int]?
        /// Whether the client closes its side after sending.
        let half: Bool?

        var testDescription: String { id }

        var pieces: [[UInt8]] {
            send.compactMap(\.text).map { text in
                wire(
                    text.replacingOccurrences(of: "@OK@", with: "/ok")
                        .replacingOccurrences(of: "@POST@", with: "/post")
                        .replacingOccurrences(of: "@H@", with: "127.0.0.1:8080")
                )
            }
        }
    }

    /// A string is sent; anything else is a pause.
    struct Piece: Decodable, Sendable {
        let text: String?

        init(from decoder: any Decoder) throws {
            text = try? decoder.singleValueContainer().decode(String.self)
        }
    }

    static let probes: [Probe] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let suites =
            ProcessInfo.processInfo.environment["BACKLOT_SUITES"].map { URL(filePath: $0) }
            ?? root.deletingLastPathComponent().appending(path: "shared/suites")
        guard let data = try? Data(contentsOf: suites.appending(path: "http/http11probe.json")) else { return [] }
        return (try? JSONDecoder().decode([Probe].self, from: data)) ?? []
    }()

    /// Probes that want a refusal which is not the parser's to give.
    static let exceptions = [
        "COMP-UPGRADE-INVALID-VER":
            "RFC 9110, 7.8: a server may ignore Upgrade; 426 is for one that speaks the protocol",
        "COMP-UNKNOWN-METHOD": "RFC 9110, 9.1: methods are extensible; routing answers 404, 405 or 501",
        "COMP-405-ALLOW": "RFC 9110, 15.5.6: whether a known method is allowed is known to routing only",
    ]

    /// Probes whose refusal has another status than they list.
    static let otherStatus = [
        "MAL-POST-CL-HUGE-NO-BODY": "RFC 9110, 15.5.14: content beyond what the server takes is 413, said at once"
    ]

    @Test(.enabled(if: !probes.isEmpty, "suites/http/http11probe.json is not beside the project"), arguments: probes)
    func `A probe meets its expectation`(_ probe: Probe) {
        let whole = WireTranscript(probe.pieces.flatMap { $0 })
        let isRefused = whole.refusal != nil
        // A client that closes its side within a message gets no answer: the server closes too.
        let isLeftWaiting = whole.phase == .head || whole.phase == .body
        switch probe.want {
        case "accept":
            #expect(!isRefused && !isLeftWaiting && !whole.requests.isEmpty)
        case "reject":
            let isRejected = isRefused || isLeftWaiting && probe.half == true
            #expect(isRejected == (Self.exceptions[probe.id] == nil), "an exception that is not needed, or is missing")
        default: break
        }
        if let refusal = whole.refusal, let codes = probe.codes {
            let isListed = codes.contains(refusal.status.code)
            #expect(isListed == (Self.otherStatus[probe.id] == nil), "\(refusal)")
        }
        #expect(WireTranscript(probe.pieces.flatMap { $0 }, pieces: [1]) == whole, "byte by byte")
    }

    @Test(.enabled(if: !probes.isEmpty, "suites/http/http11probe.json is not beside the project"))
    func `Every exception names a probe`() {
        let ids = Set(Self.probes.map(\.id))
        #expect(Self.exceptions.keys.allSatisfy(ids.contains) && Self.otherStatus.keys.allSatisfy(ids.contains))
    }
}
