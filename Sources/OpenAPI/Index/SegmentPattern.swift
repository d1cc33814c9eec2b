import Basics
import HTTPCodec

/// A segment of a contract's path: literal text and parameters in any mixture, as in `users('{id}')`.
struct SegmentPattern: Sendable {
    enum Piece: Sendable, Hashable {
        /// Percent-decoded.
        case literal([UInt8])
        case parameter(String)
    }

    var pieces: [Piece]

    init(_ text: Substring) {
        var pieces: [Piece] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: 0x7B), let close = rest[open...].firstIndex(of: 0x7D) {
            if open > rest.startIndex { pieces.append(.literal(Self.decoded(rest[..<open]))) }
            let name = rest[rest.index(after: open)..<close]
            pieces.append(.parameter(String(decoding: name, as: UTF8.self)))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty || pieces.isEmpty { pieces.append(.literal(Self.decoded(rest))) }
        self.pieces = pieces
    }

    /// The text of a segment without parameters.
    var literal: [UInt8]? {
        if pieces.count == 1, case .literal(let text) = pieces[0] { text } else { nil }
    }

    /// Whether the segment is one parameter and nothing else.
    var isParameter: Bool {
        if pieces.count == 1, case .parameter = pieces[0] { true } else { false }
    }

    var parameterNames: [String] {
        pieces.compactMap { if case .parameter(let name) = $0 { name } else { nil } }
    }

    /// The same for segments that take the same texts: without the parameters' names.
    var shape: [UInt8] {
        pieces.flatMap { (piece) -> [UInt8] in
            switch piece {
            // A brace inside a literal cannot be mistaken for a parameter: no valid text has the byte 0xFF.
            case .literal(let text): text
            case .parameter: [0xFF]
            }
        }
    }

    /// How much of it is fixed: the more, the earlier it is tried.
    var literalCount: Int {
        pieces.reduce(0) { if case .literal(let text) = $1 { $0 + text.count } else { $0 } }
    }

    /// The bytes of a text after percent-decoding, or as they are where that is broken.
    static func decoded(_ text: some Sequence<UInt8>) -> [UInt8] {
        let bytes = Array(text)
        return bytes.contains(0x25) ? PercentEncoding.decodedBytes(bytes) ?? bytes : bytes
    }
}
