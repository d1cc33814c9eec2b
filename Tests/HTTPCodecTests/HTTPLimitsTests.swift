import HTTPCodec
import Testing

struct HTTPLimitsTests {
    private static let start = "GET / HTTP/1.1\r\nHost: h\r\n"

    /// Feeds bytes without an end and counts how many it takes until they are refused.
    private func bytesUntilRefusal(_ start: String, then filler: String, limits: HTTPLimits) -> (Int, HTTPRefusal?) {
        var parser = HTTPRequestParser(limits: limits)
        var input = InputBuffer(wire(start))
        let filling = wire(filler)
        var fed = start.utf8.count
        while fed < 1 << 20 {
            while true {
                switch parser.next(&input) {
                case .refused(let refusal): return (fed, refusal)
                case .head, .complete: continue
                case .needsMoreBytes: break
                }
                break
            }
            input.append(filling)
            fed += filling.count
        }
        return (fed, nil)
    }

    @Test
    func `A header line without an end is refused as soon as the limit is passed`() {
        let (fed, refusal) = bytesUntilRefusal(Self.start + "X: ", then: "b", limits: .standard)
        #expect(refusal?.reason == .fieldSectionTooLarge(limit: 64 << 10))
        #expect(refusal?.status == 431)
        #expect(fed <= (64 << 10) + 20)
    }

    @Test func `A target without an end is refused soon behind the limit`() {
        let (fed, refusal) = bytesUntilRefusal("GET /", then: "a", limits: .standard)
        #expect(refusal?.reason == .targetTooLong(limit: 8 << 10))
        #expect(refusal?.status == 414)
        #expect(fed <= (8 << 10) + 64)
    }

    @Test func `A method without an end is refused behind the limit`() {
        let (fed, refusal) = bytesUntilRefusal("G", then: "G", limits: .standard)
        #expect(refusal?.reason == .methodTooLong(limit: 64))
        #expect(fed == 65)
    }

    @Test func `Chunk extensions without an end are refused, over several chunks too`() {
        let start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (fed, refusal) = bytesUntilRefusal(start + "5;a=", then: "b", limits: .standard)
        #expect(refusal?.reason == .chunkExtensionsTooLarge(limit: 4 << 10))
        #expect(fed < 5_000)
        let (fedInAll, refusalInAll) = bytesUntilRefusal(start, then: "1;abcdefgh=ijklmnop\r\nx\r\n", limits: .standard)
        #expect(refusalInAll?.reason == .chunkExtensionsTooLarge(limit: 4 << 10))
        #expect(fedInAll < 8_000)
    }

    @Test func `Trailers without an end are refused`() {
        let start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: "
        let (fed, refusal) = bytesUntilRefusal(start, then: "bbbb", limits: .standard)
        #expect(refusal?.reason == .trailerSectionTooLarge(limit: 16 << 10))
        #expect(fed < 17_000)
    }

    @Test func `A chunked body is refused with the chunk that is too much`() {
        let start = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (_, refusal) = bytesUntilRefusal(start, then: "4\r\nabcd\r\n", limits: HTTPLimits(body: 10))
        #expect(refusal?.reason == .bodyTooLarge(limit: 10))
        #expect(refusal?.status == 413)
    }

    @Test(arguments: [
        (100, true), (101, false),
    ])
    func `So many fields are taken`(count: Int, isTaken: Bool) {
        let fields = (1..<count).map { "X\($0): \($0)\r\n" }.joined()
        let transcript = WireTranscript(wire(Self.start + fields + "\r\n"))
        #expect((transcript.refusal == nil) == isTaken)
        if !isTaken { #expect(transcript.refusal?.reason == .tooManyFields(limit: 100)) }
    }

    @Test(arguments: -3...3)
    func `Limits are exact and do not depend on the cuts`(beyond: Int) {
        let limits = HTTPLimits(method: 8, target: 20, fieldSection: 40, body: 5, leadingEmptyLines: 1)
        let texts = [
            "GET /\(String(repeating: "a", count: 19 + beyond)) HTTP/1.1\r\nHost: h\r\n\r\n",
            "\(String(repeating: "M", count: 8 + beyond)) / HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: h\r\nX: \(String(repeating: "b", count: 25 + beyond))\r\n\r\n",
            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: \(5 + beyond)\r\n\r\n\(String(repeating: "c", count: 5 + beyond))",
        ]
        for text in texts {
            let whole = WireTranscript(wire(text), limits: limits)
            #expect((whole.refusal == nil) == (beyond <= 0), "\(text)")
            #expect(WireTranscript(wire(text), pieces: [1], limits: limits) == whole)
        }
    }

    @Test func `The limit of one body can be lowered at its head`() {
        var parser = HTTPRequestParser()
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n"
        var input = InputBuffer(wire(head + "hello" + head + "hello"))
        guard case .head = parser.next(&input) else { Issue.record("no head"); return }
        guard case .complete = parser.next(&input) else { Issue.record("not complete"); return }
        guard case .head = parser.next(&input) else { Issue.record("no head"); return }
        parser.limitBody(to: 4)
        guard case .refused(let refusal) = parser.next(&input) else { Issue.record("not refused"); return }
        #expect(refusal.reason == .bodyTooLarge(limit: 4))
    }

    @Test func `A body can be let pass without keeping it, within a budget`() {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        for (budget, passes) in [(10, true), (9, false)] {
            var parser = HTTPRequestParser()
            var input = InputBuffer(wire(head + "5\r\nhello\r\n"))
            guard case .head = parser.next(&input) else { Issue.record("no head"); return }
            do {
                let step = parser.next(&input)
                #expect(step == .needsMoreBytes)
            }
            #expect(parser.receivedBodyBytes == 5)
            parser.discardBody(atMost: budget)
            input.append(wire("a\r\n0123456789\r\n0\r\n\r\n"))
            switch parser.next(&input) {
            case .complete(let request): #expect(passes && request.body.isEmpty)
            case .refused(let refusal): #expect(!passes && refusal.status == 413)
            default: Issue.record("neither complete nor refused")
            }
        }
    }
}
