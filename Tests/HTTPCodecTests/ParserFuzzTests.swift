import Basics
import HTTPCodec
import TestSupport
import Testing

/// Mutated messages from a fixed seed: the parsers end, stay within their limits and do not mind the cuts.
@Suite
struct ParserFuzzTests {
    private static let requests = [
        "GET /a/b?c=d HTTP/1.1\r\nHost: h:80\r\nAccept: */*\r\nConnection: keep-alive\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\nhello world",
        "PUT /x HTTP/1.1\r\nHost: [::1]:8\r\nTransfer-Encoding: chunked\r\n\r\n5;a=\"b\"\r\nhello\r\n0\r\nX: y\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\nHEAD http://h/ HTTP/1.0\r\nConnection: close\r\n\r\n",
        "\r\nGET / HTTP/1.0\r\n\r\nDELETE /%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    ]
    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nDate: now\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nX: y\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\nConnection: close\r\n\r\ngone",
        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n",
    ]
    private static let spices = [
        "\r", "\n", "\r\n", "\0", " ", "\t", ":", ",", ";", "=", "\"", "%", "#", "+", "-", "0", "F", "ffffffffffffffff",
        "\u{FF}", "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Host: x\r\n", "\r\n\r\n", "HTTP/1.1", "[",
    ]

    private static func mutated(_ seeds: [String], _ chance: inout SeededGenerator) -> [UInt8] {
        var bytes = wire(seeds.randomElement(using: &chance) ?? "")
        if Bool.random(using: &chance) { bytes += wire(seeds.randomElement(using: &chance) ?? "") }
        for _ in 0..<Int.random(in: 0...4, using: &chance) {
            guard !bytes.isEmpty else { break }
            let at = Int.random(in: 0..<bytes.count, using: &chance)
            switch Int.random(in: 0..<6, using: &chance) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &chance)
            case 1: bytes.remove(at: at)
            case 2: bytes.insert(contentsOf: wire(spices.randomElement(using: &chance) ?? ""), at: at)
            case 3:
                let length = Int.random(in: 1...20, using: &chance)
                bytes.insert(contentsOf: bytes[at..<min(at + length, bytes.count)], at: at)
            case 4: bytes.removeSubrange(at..<min(at + Int.random(in: 1...20, using: &chance), bytes.count))
            default: bytes = Array(bytes[..<at])
            }
        }
        return bytes
    }

    private static let limits = HTTPLimits(
        method: 16,
        target: 64,
        fieldSection: 200,
        fieldCount: 8,
        body: 64,
        leadingEmptyLines: 2,
        chunkExtensions: 16,
        trailerSection: 64
    )

    @Test(arguments: 1...8)
    func `Requests`(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<400 * Breadth.factor {
            let bytes = Self.mutated(Self.requests, &chance)
            let whole = WireTranscript(bytes, limits: Self.limits)
            let cuts = (0..<4).map { _ in Int.random(in: 1...40, using: &chance) }
            let cut = WireTranscript(bytes, pieces: cuts, limits: Self.limits)
            let single = WireTranscript(bytes, pieces: [1], limits: Self.limits)
            guard cut == whole, single == whole else {
                Issue.record(
                    "the cuts \(cuts) make a difference for \(String(decoding: bytes, as: UTF8.self).debugDescription)"
                )
                return
            }
            // Request line and fields wait for their end; nothing else does.
            #expect(single.mostWaiting <= 16 + 64 + 34 + 200 + 4)
            #expect(whole.requests.allSatisfy { $0.body.count <= 64 })
        }
    }

    @Test(arguments: 1...4)
    func `Responses`(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed) << 32)
        for _ in 0..<400 * Breadth.factor {
            let bytes = Self.mutated(Self.responses, &chance)
            let whole = ResponseTranscript(bytes, pieces: [bytes.count], limits: Self.limits)
            let cuts = (0..<4).map { _ in Int.random(in: 1...40, using: &chance) }
            let cut = ResponseTranscript(bytes, pieces: cuts, limits: Self.limits)
            guard cut == whole else {
                Issue.record(
                    "the cuts \(cuts) make a difference for \(String(decoding: bytes, as: UTF8.self).debugDescription)"
                )
                return
            }
        }
    }

    @Test(arguments: 1...4)
    func `Forms, templates, dates and types`(seed: Int) {
        var chance = SeededGenerator(seed: UInt64(seed) << 16)
        let form = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"x\"\r\n\r\nbody\r\n--b--\r\n"
        let texts = [
            "/a/{b}/%41/*c", "multipart/form-data; boundary=\"b\"", "a=b&c=%20+d", "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "2024-02-29T23:59:60.5+09:00",
        ]
        for _ in 0..<400 * Breadth.factor {
            let body = Self.mutated([form], &chance)
            let parsed = try? MultipartForm(parsing: body, boundary: "b")
            #expect((parsed?.parts.reduce(0) { $0 + $1.body.count } ?? 0) <= body.count)
            let text = String(decoding: Self.mutated(texts, &chance), as: UTF8.self)
            if let template = try? PathTemplate(parsing: text) { _ = template.match(text) }
            _ = MediaType(parsing: text)
            _ = HTTPDate.parse(text)
            _ = RFC3339.parse(text)
            let items = QueryItems(parsing: text)
            #expect(QueryItems(parsing: items.text) == items)
        }
    }
}
