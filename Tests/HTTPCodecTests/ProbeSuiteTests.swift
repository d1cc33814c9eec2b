import HTTPCodec
import TestSupport
import Testing

/// The cases of `suites/http/http11probe.json`, played into a parser without a socket.
@Suite(.enabled(if: Suites.has(HTTPProbe.file), "suites/http/http11probe.json is not there; set BACKLOT_SUITES"))
struct ProbeSuiteTests {
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

    @Test(arguments: HTTPProbe.all)
    func `A probe meets its expectation`(_ probe: HTTPProbe) {
        let bytes = probe.pieces(authority: "127.0.0.1:8080", ok: "/ok", post: "/post").flatMap { $0 }
        let whole = WireTranscript(bytes)
        let isRefused = whole.refusal != nil
        // A client that closes its side within a message gets no response: the server closes too.
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
        #expect(WireTranscript(bytes, pieces: [1]) == whole, "byte by byte")
    }

    @Test func `Every exception names a probe`() {
        let ids = Set(HTTPProbe.all.map(\.id))
        #expect(ids.count > 100)
        #expect(Self.exceptions.keys.allSatisfy(ids.contains) && Self.otherStatus.keys.allSatisfy(ids.contains))
    }
}
