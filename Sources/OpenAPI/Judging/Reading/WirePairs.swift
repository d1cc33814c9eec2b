import Basics
import HTTPCodec

/// Names and values of a query, a form or a cookie, the values not decoded yet: styles split before they decode.
struct WirePairs {
    struct Pair {
        var name: String
        /// As it came, still percent-encoded.
        var value: Substring
        var hasEqualsSign: Bool
    }

    var pairs: [Pair]
    private let plusIsSpace: Bool

    static let none = WirePairs(pairs: [], plusIsSpace: false)

    private init(pairs: [Pair], plusIsSpace: Bool) {
        self.pairs = pairs
        self.plusIsSpace = plusIsSpace
    }

    /// A query or a body of `application/x-www-form-urlencoded`.
    init(query: String) {
        self.init(query, separator: UInt8(ascii: "&"), plusIsSpace: true)
    }

    /// The values of Cookie fields (RFC 6265, section 4.2.1).
    init(cookies: [String]) {
        let all = cookies.map { WirePairs($0, separator: UInt8(ascii: ";"), plusIsSpace: false).pairs }
        self.init(pairs: all.flatMap(\.self), plusIsSpace: false)
    }

    private init(_ text: String, separator: UInt8, plusIsSpace: Bool) {
        self.plusIsSpace = plusIsSpace
        pairs = text.utf8.split(separator: separator).map { pair in
            let pair = pair.drop { $0 == 0x20 || $0 == 0x09 }
            let equals = pair.firstIndex(of: UInt8(ascii: "="))
            let name = Substring(pair[..<(equals ?? pair.endIndex)])
            return Pair(
                name: PercentEncoding.decode(name, plusIsSpace: plusIsSpace) ?? String(name),
                value: equals.map { Substring(pair[pair.index(after: $0)...]) } ?? "",
                hasEqualsSign: equals != nil
            )
        }
    }

    /// Some of the pairs, by their positions.
    func selecting(_ numbers: [Int]) -> WirePairs {
        WirePairs(pairs: numbers.map { pairs[$0] }, plusIsSpace: plusIsSpace)
    }

    /// The positions of the pairs of that name.
    func indices(of name: String) -> [Int] {
        pairs.indices.filter { pairs[$0].name.utf8.elementsEqual(name.utf8) }
    }

    /// What cannot be decoded stays as it is, so that the contract judges it.
    func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text, plusIsSpace: plusIsSpace) ?? String(text)
    }
}
