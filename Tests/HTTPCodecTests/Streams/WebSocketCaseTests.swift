import Testing

@testable import HTTPCodec

/// The cases of Autobahn's test suite by their numbers, played to a server that sends everything back.
///
/// Each group has as many cases as there: 301 from 1.1.1 to 10.1.1. The suite itself sends up to 16 MiB in group 9; here it
/// is a 256th of that. Groups 12 and 13 are about compression, which no handshake of ours agrees on.
struct WebSocketCaseTests {
    /// What a client sends, and what it gets.
    private struct Case {
        var number: String
        var bytes: [UInt8]
        var expected: [WebSocketReader.Step]
        /// The size of the pieces in which the bytes come.
        var pieces = Int.max
        /// Whether the client closes after that, and is answered.
        var closes = true

        init(
            _ number: String,
            _ bytes: [UInt8],
            _ expected: [WebSocketReader.Step],
            pieces: Int = .max,
            closes: Bool = true
        ) {
            (self.number, self.bytes, self.expected, self.pieces, self.closes) = (
                number, bytes, expected, pieces, closes
            )
        }

        /// A case that the server ends with a code.
        static func failing(
            _ number: String,
            _ bytes: [UInt8],
            after echoed: [WebSocketReader.Step] = [],
            code: WebSocketCloseCode = .protocolError,
            pieces: Int = .max
        ) -> Case {
            Case(number, bytes, echoed + [.close(code, reason: "")], pieces: pieces, closes: false)
        }
    }

    // MARK: Frames

    private static func frame(_ first: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
        WebSocketReaderTests.frame(first, payload)
    }

    private static func text(_ text: String, first: UInt8 = 0x81) -> [UInt8] { frame(first, Array(text.utf8)) }

    /// A message in fragments of a size.
    private static func fragments(_ payload: [UInt8], of size: Int, opcode: UInt8 = 0x01) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = payload[...]
        repeat {
            let part = rest.prefix(size)
            rest = rest.dropFirst(size)
            let first: UInt8 = (bytes.isEmpty ? opcode : 0x00) | (rest.isEmpty ? 0x80 : 0)
            bytes += frame(first, Array(part))
        } while !rest.isEmpty
        return bytes
    }

    private static func close(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
        frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
    }

    private static func stars(_ count: Int) -> String { String(repeating: "*", count: count) }

    private static let ping = frame(0x89)

    /// Five letters of 2, 3, 2, 2 and 2 bytes.
    private static let greek = Array("\u{3BA}\u{1F79}\u{3C3}\u{3BC}\u{3B5}".utf8)

    // MARK: Groups

    private static var framing: [Case] {
        let sizes = [
            (0, Int.max), (125, .max), (126, .max), (127, .max), (128, .max), (65535, .max), (65536, .max),
            (65536, 997),
        ]
        return sizes.enumerated().flatMap { index, size in
            let bytes = [UInt8](repeating: 0xFE, count: size.0)
            return [
                Case("1.1.\(index + 1)", text(stars(size.0)), [.text(stars(size.0))], pieces: size.1),
                Case("1.2.\(index + 1)", frame(0x82, bytes), [.binary(bytes)], pieces: size.1),
            ]
        }
    }

    private static var pings: [Case] {
        let (hello, odd, long) = (
            Array("Hello, world!".utf8), [0x00, 0xFF, 0xFE, 0xFD] as [UInt8], [UInt8](repeating: 0xFE, count: 125)
        )
        let ten = (0..<10).map { Array("payload-\($0)".utf8) }
        return [
            Case("2.1", ping, [.pong([])]), Case("2.2", frame(0x89, hello), [.pong(hello)]),
            Case("2.3", frame(0x89, odd), [.pong(odd)]), Case("2.4", frame(0x89, long), [.pong(long)]),
            .failing("2.5", frame(0x89, long + [0xFE])), Case("2.6", frame(0x89, long), [.pong(long)], pieces: 1),
            Case("2.7", frame(0x8A), []), Case("2.8", frame(0x8A, hello), []),
            Case("2.9", frame(0x8A, hello) + frame(0x89, odd), [.pong(odd)]),
            Case("2.10", ten.flatMap { frame(0x89, $0) }, ten.map { .pong($0) }),
            Case("2.11", ten.flatMap { frame(0x89, $0) }, ten.map { .pong($0) }, pieces: 1),
        ]
    }

    private static var reservedBits: [Case] {
        let hello = text("Hello, world!")
        return [
            .failing("3.1", text("Hello, world!", first: 0xC1)),
            .failing("3.2", hello + text("Hello, world!", first: 0xA1) + ping, after: [.text("Hello, world!")]),
            .failing("3.3", hello + text("Hello, world!", first: 0xB1) + ping, after: [.text("Hello, world!")]),
            .failing(
                "3.4",
                hello + text("Hello, world!", first: 0xC1) + ping,
                after: [.text("Hello, world!")],
                pieces: 1
            ),
            .failing("3.5", frame(0xD2, [0x00, 0xFF, 0xFE, 0xFD])), .failing("3.6", frame(0xE9, [0x01])),
            .failing("3.7", frame(0xF8, [0x03, 0xE8])),
        ]
    }

    private static var opcodes: [Case] {
        [3, 11].enumerated().flatMap { group, opcode in
            (0..<5).map { index in
                let unknown = frame(0x80 | UInt8(opcode + index), index % 2 == 0 ? [] : Array("x".utf8))
                let number = "4.\(group + 1).\(index + 1)"
                guard index > 1 else { return .failing(number, unknown) }
                return .failing(number, text("a") + unknown + ping, after: [.text("a")], pieces: index == 4 ? 1 : .max)
            }
        }
    }

    private static var fragmentation: [Case] {
        let (first, last) = (text("fragment1", first: 0x01), text("fragment2", first: 0x80))
        let whole = WebSocketReader.Step.text("fragment1fragment2")
        let among = frame(0x89, Array("ping payload".utf8))
        let pong = WebSocketReader.Step.pong(Array("ping payload".utf8))
        let lonely = text("non-continuation payload", first: 0x80), open = text("non-continuation payload", first: 0x00)
        let (piecewise, hello) = ([Int.max, 9, 1], text("Hello, world!"))
        var cases: [Case] = [
            .failing("5.1", frame(0x09, [1]) + frame(0x80, [2])), .failing("5.2", frame(0x0A, [1]) + frame(0x80, [2])),
        ]
        cases += piecewise.enumerated().map { Case("5.\($0 + 3)", first + last, [whole], pieces: $1) }
        cases += piecewise.enumerated().map { Case("5.\($0 + 6)", first + among + last, [pong, whole], pieces: $1) }
        cases += piecewise.enumerated().map { .failing("5.\($0 + 9)", lonely + hello, pieces: $1) }
        cases += piecewise.enumerated().map { .failing("5.\($0 + 12)", open + hello, pieces: $1) }
        let again = text("fragment3", first: 0x00) + text("fragment4", first: 0x01) + text("x", first: 0x80)
        cases.append(.failing("5.15", first + last + again, after: [whole]))
        cases.append(.failing("5.16", (open + first + last) + (open + first + last)))
        cases.append(.failing("5.17", (lonely + first + last) + (lonely + first + last)))
        cases.append(.failing("5.18", first + text("fragment2")))
        let parts = ["1", "2", "3", "4", "5"]
        let five = parts.enumerated().flatMap { index, part in
            text(part, first: (index == 0 ? 0x01 : 0) | (index == 4 ? 0x80 : 0))
                + (index == 1 || index == 3 ? among : [])
        }
        return cases + [
            Case("5.19", five, [pong, pong, .text("12345")]),
            Case("5.20", five, [pong, pong, .text("12345")], pieces: 1),
        ]
    }

    /// Texts of group 6 that are sent in one frame, by their number: bytes, and whether they are valid.
    private static var sequences: [(number: String, bytes: [UInt8], isValid: Bool)] {
        func all(_ group: Int, _ valid: Bool, _ texts: [[UInt8]]) -> [(String, [UInt8], Bool)] {
            texts.enumerated().map { ("6.\(group).\($0 + 1)", $1, valid) }
        }
        /// The first byte, and others that continue it.
        func long(_ first: UInt8, _ next: UInt8, _ count: Int, _ last: UInt8? = nil) -> [UInt8] {
            [first] + [UInt8](repeating: next, count: count - (last == nil ? 0 : 1)) + (last.map { [$0] } ?? [])
        }
        func surrogate(_ code: UInt32) -> [UInt8] { [0xED, UInt8(0x80 | code >> 6 & 0x3F), UInt8(0x80 | code & 0x3F)] }
        let greek = WebSocketCaseTests.greek
        let ends = Set([2, 5, 7, 9, 11])
        let heads: [UInt8] = [0xC0, 0xE0, 0xF0, 0xF8, 0xFC]
        let missing =
            heads.enumerated().map { long($1, 0x80, $0) }
            + [0xDF, 0xEF, 0xF7, 0xFB, 0xFD].enumerated().map { long($1, 0xBF, $0) }
        let pairs: [UInt32] = [0xD800, 0xDB7F, 0xDB80, 0xDBFF]
        let lonely: [ClosedRange<UInt8>] = [0xC0...0xDF, 0xE0...0xEF, 0xF0...0xF7, 0xF8...0xFB, 0xFC...0xFD]
        let planes = (0...16).flatMap { plane in [0xFFFE, 0xFFFF].map { UInt32(plane << 16 | $0) } }
        func utf8(_ code: UInt32) -> [UInt8] { Unicode.Scalar(code).map { Array(String($0).utf8) } ?? [] }
        var found = greek.indices.map { ("6.6.\($0 + 1)", Array(greek[...$0]), ends.contains($0 + 1)) }
        found += all(7, true, [[0x00], [0xC2, 0x80], [0xE0, 0xA0, 0x80], [0xF0, 0x90, 0x80, 0x80]])
        found += all(8, false, [[0xF8, 0x88, 0x80, 0x80, 0x80], [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]])
        found += all(9, true, [[0x7F], [0xDF, 0xBF], [0xEF, 0xBF, 0xBF], [0xF4, 0x8F, 0xBF, 0xBF]])
        found += all(10, false, [long(0xF7, 0xBF, 3), long(0xFB, 0xBF, 4), long(0xFD, 0xBF, 5)])
        found +=
            all(11, true, [0xD7FF, 0xE000, 0xFFFD, 0x10FFFF].map(utf8)) + [("6.11.5", [0xF4, 0x90, 0x80, 0x80], false)]
        found += all(
            12,
            false,
            [[0x80], [0xBF]] + (2...6).map { count in (0..<count).map { $0 % 2 == 0 ? 0x80 : 0xBF } } + [
                Array(0x80...0xBF)
            ]
        )
        found += all(13, false, lonely.map { $0.flatMap { [$0, 0x20] } })
        found += all(14, false, missing) + all(15, false, [missing.flatMap(\.self)])
        found += all(16, false, [[0xFE], [0xFF], [0xFE, 0xFE, 0xFF, 0xFF]])
        found += all(17, false, heads.enumerated().map { long($1, 0x80, $0 + 1, 0xAF) })
        found += all(
            18,
            false,
            [
                [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF8, 0x87, 0xBF, 0xBF, 0xBF],
                [0xFC, 0x83, 0xBF, 0xBF, 0xBF, 0xBF],
            ]
        )
        found += all(19, false, heads.enumerated().map { long($1, 0x80, $0 + 1) })
        found += all(20, false, (pairs + [0xDC00, 0xDF80, 0xDFFF]).map(surrogate))
        found += all(21, false, pairs.flatMap { high in [0xDC00, 0xDFFF].map { surrogate(high) + surrogate($0) } })
        return found + all(22, true, planes.map(utf8)) + all(23, true, (0xFFF9...0xFFFF).map(utf8))
    }

    private static var texts: [Case] {
        let mixed = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8)
        let broken = greek + [0xED, 0xA0, 0x80] + Array("edited".utf8),
            late = greek + [0xF4, 0x90, 0x80, 0x80] + Array("edited".utf8)
        func text(of bytes: [UInt8]) -> WebSocketReader.Step { .text(String(decoding: bytes, as: UTF8.self)) }
        func failing(_ number: String, _ bytes: [UInt8], pieces: Int = .max) -> Case {
            .failing(number, bytes, code: .invalidPayload, pieces: pieces)
        }
        let cases = [
            Case("6.1.1", frame(0x81), [.text("")]),
            Case("6.1.2", frame(0x01) + frame(0x00) + frame(0x80), [.text("")]),
            Case("6.1.3", frame(0x01) + Self.text("middle", first: 0x00) + frame(0x80), [.text("middle")]),
            Case("6.2.1", frame(0x81, mixed), [text(of: mixed)]),
            Case("6.2.2", fragments(mixed, of: 12), [text(of: mixed)]),
            Case("6.2.3", fragments(mixed, of: 1), [text(of: mixed)]),
            Case("6.2.4", fragments(greek, of: 1), [text(of: greek)]),
            failing("6.3.1", frame(0x81, broken)), failing("6.3.2", fragments(broken, of: 1)),
            // Refused before the message ends, or even the frame.
            failing("6.4.1", Array(fragments(late, of: 12).dropLast())),
            failing("6.4.2", Array(fragments(late, of: 13).dropLast())),
            failing("6.4.3", Array(frame(0x81, late).dropLast(3)), pieces: 12),
            failing("6.4.4", Array(frame(0x81, late).dropLast(3)), pieces: 1),
            Case("6.5.1", frame(0x81, greek), [text(of: greek)]),
            Case("6.5.2", frame(0x81, greek), [text(of: greek)], pieces: 1),
            Case("6.5.3", fragments(greek, of: 3), [text(of: greek)]),
            Case("6.5.4", fragments(greek, of: 4), [text(of: greek)], pieces: 1),
            Case("6.5.5", fragments(greek, of: 1), [text(of: greek)], pieces: 1),
        ]
        return cases
            + sequences.map { number, bytes, isValid in
                isValid ? Case(number, frame(0x81, bytes), [text(of: bytes)]) : failing(number, frame(0x81, bytes))
            }
    }

    private static var closing: [Case] {
        let normal = WebSocketReader.Step.close(.normal, reason: "")
        func ended(_ number: String, _ bytes: [UInt8], _ expected: [WebSocketReader.Step]) -> Case {
            Case(number, bytes, expected, closes: false)
        }
        let long = stars(262_144 / 256)
        let valid = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999]
        var cases: [Case] = [
            ended("7.1.1", text("Hello World!") + close(1000), [.text("Hello World!"), normal]),
            ended("7.1.2", close(1000) + close(1000), [normal]), ended("7.1.3", close(1000) + ping, [normal]),
            ended("7.1.4", close(1000) + text("Hello World!"), [normal]),
            ended("7.1.5", text("fragment1", first: 0x01) + close(1000) + text("fragment2", first: 0x80), [normal]),
            ended(
                "7.1.6",
                text(long) + text("Hello World!") + close(1000) + ping,
                [.text(long), .text("Hello World!"), normal]
            ),
            ended("7.3.1", frame(0x88), [.close(nil, reason: "")]), .failing("7.3.2", frame(0x88, [0x61])),
            ended("7.3.3", close(1000), [normal]), ended("7.3.4", close(1000, Array("Hello World!".utf8)), [normal]),
            ended("7.3.5", close(1000, Array(stars(123).utf8)), [normal]),
            .failing("7.3.6", close(1000, Array(stars(124).utf8))),
            .failing("7.5.1", close(1000, greek + [0xED, 0xA0, 0x80]), code: .invalidPayload),
        ]
        for (index, code) in valid.enumerated() {
            let answer = WebSocketReader.Step.close(WebSocketCloseCode(rawValue: UInt16(code)), reason: "")
            cases.append(ended("7.7.\(index + 1)", close(code), [answer]))
        }
        for (index, code) in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].enumerated() {
            cases.append(.failing("7.9.\(index + 1)", close(code)))
        }
        for (index, code) in [5000, 65535].enumerated() { cases.append(.failing("7.13.\(index + 1)", close(code))) }
        return cases
    }

    private static var limits: [Case] {
        let part = 256
        func both(
            _ groups: (Int, Int),
            _ index: Int,
            _ size: Int,
            fragment: Int = .max,
            pieces: Int = .max,
            times: Int = 1
        ) -> [Case] {
            let bytes = [UInt8](repeating: 0x2A, count: size)
            return [
                Case(
                    "9.\(groups.0).\(index + 1)",
                    (0..<times).flatMap { _ in fragments(bytes, of: fragment) },
                    Array(repeating: .text(stars(size)), count: times),
                    pieces: pieces
                ),
                Case(
                    "9.\(groups.1).\(index + 1)",
                    (0..<times).flatMap { _ in fragments(bytes, of: fragment, opcode: 0x02) },
                    Array(repeating: .binary(bytes), count: times),
                    pieces: pieces
                ),
            ]
        }
        let million = 1 << 20
        let sizes = [65_536, 262_144, million, 4 * million, 8 * million, 16 * million]
        var cases: [Case] = []
        for (index, size) in sizes.enumerated() { cases += both((1, 2), index, size / part) }
        for index in 0..<9 { cases += both((3, 4), index, 4 * million / part, fragment: 1 << (2 * index)) }
        for index in 0..<6 { cases += both((5, 6), index, million / part, pieces: 64 << index) }
        for (index, size) in [0, 16, 64, 256, 1024, 4096].enumerated() {
            cases += both((7, 8), index, size, times: 1000 / part)
        }
        return cases
    }

    private static var all: [(group: String, count: Int, cases: [Case])] {
        let long = stars(65_536)
        return [
            ("1", 16, framing), ("2", 11, pings), ("3", 7, reservedBits), ("4", 10, opcodes), ("5", 20, fragmentation),
            ("6", 145, texts), ("7", 37, closing), ("9", 54, limits),
            ("10", 1, [Case("10.1.1", fragments(Array(long.utf8), of: 1300), [.text(long)])]),
        ]
    }

    // MARK: Playing

    /// What a client gets from a server that sends every message back.
    private static func played(_ bytes: [UInt8], pieces: Int) -> (steps: [WebSocketReader.Step], hasEnded: Bool) {
        var session = WebSocketSession()
        var rest = bytes[...]
        var output: [UInt8] = []
        while !rest.isEmpty, !session.hasEnded {
            session.receive(rest.prefix(pieces))
            rest = rest.dropFirst(pieces)
            while let event = session.next() {
                switch event {
                case .text(let text): session.send(text: text)
                case .binary(let bytes): session.send(binary: bytes)
                case .pong, .ended: break
                }
            }
            output += session.takeOutput()
        }
        var reader = WebSocketReader(role: .client)
        var input = InputBuffer(output)
        var steps: [WebSocketReader.Step] = []
        while true {
            switch reader.next(&input) {
            case .needsMoreBytes: return (steps, session.hasEnded)
            // The reason is ours to choose.
            case .close(let code, _): steps.append(.close(code, reason: ""))
            case .fault(let fault): return (steps + [.fault(fault)], session.hasEnded)
            case let step: steps.append(step)
            }
        }
    }

    @Test func `all 301 cases of the groups 1 to 10 come out as they should`() {
        var count = 0
        for (group, expected, cases) in Self.all {
            #expect(cases.count == expected, "group \(group)")
            #expect(Set(cases.map(\.number)).count == expected, "numbers of group \(group)")
            for play in cases {
                let bytes = play.bytes + (play.closes ? Self.close(1000) : [])
                let (steps, hasEnded) = Self.played(bytes, pieces: play.pieces)
                #expect(
                    steps == play.expected + (play.closes ? [.close(.normal, reason: "")] : []),
                    "case \(play.number)"
                )
                #expect(hasEnded, "case \(play.number)")
            }
            count += cases.count
        }
        #expect(count == 301)
    }

    @Test(arguments: [
        "permessage-deflate", "permessage-deflate; client_no_context_takeover; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover", "permessage-deflate; server_max_window_bits=9",
        "permessage-deflate; server_max_window_bits=15; client_max_window_bits",
        "x-webkit-deflate-frame, permessage-deflate",
    ])
    func `groups 12 and 13: no compression is agreed on, and a compressed frame fails`(extensions: String) throws {
        let request = HTTPRequest(
            target: "/",
            fields: [
                "Host": "a", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Extensions": extensions,
            ]
        )
        let response = WebSocketHandshake.acceptance(
            of: try WebSocketHandshake.Offer(reading: request),
            subprotocols: []
        )
        #expect(response.status == 101 && !response.fields.contains("Sec-WebSocket-Extensions"))
        let (steps, _) = Self.played(Self.frame(0xC1, [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]), pieces: .max)
        #expect(steps == [.close(.protocolError, reason: "")])
    }
}
