import Basics
import HTTPCodec
import JSON

/// Finds one parameter among the pairs of a query, a form or a cookie, by its style.
struct PairedValue {
    let pairs: WirePairs
    let style: Parameter.Style
    let explode: Bool

    /// The value, and the pairs that it is made of.
    struct Found {
        /// The values that may be meant, the likeliest first; none when the parameter is missing.
        var values: [WireValue] = []
        var claimed: [Int] = []
    }

    func find(_ name: String, shape: ValueShape) -> Found {
        switch style {
        case .deepObject: bracketed(name)
        case .form where explode: exploded(name, shape: shape)
        case .spaceDelimited where !explode: delimited(name, shape: shape, by: Self.spaces)
        case .pipeDelimited where !explode: delimited(name, shape: shape, by: Self.pipes)
        case .form: delimited(name, shape: shape, by: [","])
        default: exploded(name, shape: shape)
        }
    }

    private static let spaces = ["%20", "+", " "]
    private static let pipes = ["|", "%7C", "%7c"]

    /// `color=blue&color=black`; an object's properties are written by themselves: `R=100&G=200`.
    private func exploded(_ name: String, shape: ValueShape) -> Found {
        let own = pairs.indices(of: name)
        if own.isEmpty, shape.kinds.contains(.object), shape.kinds != .all { return properties(of: shape) }
        guard let first = own.first else { return Found() }
        let texts = own.map { WireValue.text(pairs.decoded(pairs.pairs[$0].value)) }
        var found = Found(claimed: own)
        if own.count == 1, !shape.kinds.isDisjoint(with: .scalars) || !shape.kinds.contains(.array) {
            found.values.append(.text(pairs.decoded(pairs.pairs[first].value)))
        }
        if own.count > 1 || shape.kinds.contains(.array) && shape.kinds != .all { found.values.append(.list(texts)) }
        return found
    }

    private func properties(of shape: ValueShape) -> Found {
        let takesOthers = shape.wantsOthers || shape.properties.isEmpty
        let own = pairs.pairs.indices.filter { takesOthers || shape.hasProperty(pairs.pairs[$0].name) }
        guard !own.isEmpty else { return Found() }
        let fields = own.map {
            WireValue.Field(name: pairs.pairs[$0].name, value: .text(pairs.decoded(pairs.pairs[$0].value)))
        }
        return Found(values: [.fields(fields)], claimed: own)
    }

    /// `color=blue,black,brown`, with the separator in whichever way it may be written.
    private func delimited(_ name: String, shape: ValueShape, by separators: [String]) -> Found {
        let own = pairs.indices(of: name)
        guard let first = own.first else { return Found() }
        var found = Found(claimed: own)
        if !shape.kinds.isDisjoint(with: .scalars) {
            found.values.append(.text(pairs.decoded(pairs.pairs[first].value)))
        }
        guard shape.kinds != .all else { return found }
        let parts = own.flatMap { split(pairs.pairs[$0].value, by: separators) }
        if shape.kinds.contains(.array) { found.values.append(.list(parts.map(WireValue.text))) }
        if shape.kinds.contains(.object), let object = StyledText.alternating(parts) { found.values.append(object) }
        if found.values.isEmpty { found.values.append(.text(pairs.decoded(pairs.pairs[first].value))) }
        return found
    }

    private func split(_ value: Substring, by separators: [String]) -> [String] {
        guard !value.isEmpty else { return [] }
        var parts: [String] = []
        var start = value.startIndex
        var rest = value.utf8
        while !rest.isEmpty {
            if let separator = separators.first(where: { rest.starts(with: $0.utf8) }) {
                parts.append(pairs.decoded(value[start..<rest.startIndex]))
                rest = rest.dropFirst(separator.utf8.count)
                start = rest.startIndex
            } else {
                rest = rest.dropFirst()
            }
        }
        return parts + [pairs.decoded(value[start...])]
    }

    /// `color[R]=100&color[G]=200`, at any depth.
    private func bracketed(_ name: String) -> Found {
        var tree = BracketTree()
        var found = Found()
        for (number, pair) in pairs.pairs.enumerated() {
            guard let path = BracketTree.path(in: pair.name, of: name) else { continue }
            tree.insert(path, text: pairs.decoded(pair.value))
            found.claimed.append(number)
        }
        if let value = tree.value { found.values = [value] }
        return found
    }
}

/// Names with brackets put together: `metadata[a][b]=1`, `expand[]=x`, `items[0][price]=p`.
///
/// Nodes lie in one array and children are found by a dictionary, so that a form with very many names costs no more
/// than its length.
struct BracketTree {
    /// Names nested deeper are not changed.
    static let depthLimit = 32

    private struct Node {
        var texts: [String] = []
        var children: [(key: String, node: Int)] = []
        var index: [[UInt8]: Int] = [:]
    }

    private var nodes = [Node()]

    /// The parts of `a[b][c]` after `a`; `nil` when the name is not the parameter's, with or without brackets.
    static func path(in name: String, of parameter: String) -> [String]? {
        guard name.utf8.starts(with: parameter.utf8) else { return nil }
        var rest = name.utf8.dropFirst(parameter.utf8.count)
        var path: [String] = []
        while rest.first == UInt8(ascii: "["), path.count < depthLimit {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            path.append(String(Substring(rest[rest.index(after: rest.startIndex)..<end])))
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? path : nil
    }

    mutating func insert(_ path: [String], text: String) {
        var node = 0
        for (depth, key) in path.enumerated() {
            let following = depth + 1 < path.count ? path[depth + 1] : nil
            node = child(of: node, named: key, before: following)
        }
        nodes[node].texts.append(text)
    }

    /// An empty key begins a new element, unless the last one still lacks what comes next: `a[][b]=1&a[][c]=2`.
    private mutating func child(of node: Int, named key: String, before following: String?) -> Int {
        let bytes = Array(key.utf8)
        if let known = nodes[node].index[bytes] {
            guard key.isEmpty else { return known }
            if let following, !following.isEmpty, nodes[known].index[Array(following.utf8)] == nil { return known }
        }
        nodes.append(Node())
        nodes[node].children.append((key, nodes.count - 1))
        nodes[node].index[bytes] = nodes.count - 1
        return nodes.count - 1
    }

    /// The assembled value, if any.
    var value: WireValue? {
        nodes[0].children.isEmpty && nodes[0].texts.isEmpty ? nil : value(of: 0)
    }

    private func value(of number: Int) -> WireValue {
        let node = nodes[number]
        if !node.children.isEmpty {
            return .fields(node.children.map { WireValue.Field(name: $0.key, value: value(of: $0.node)) })
        }
        return node.texts.count == 1 ? .text(node.texts[0]) : .list(node.texts.map(WireValue.text))
    }
}

/// Names of header fields, which are compared without regard to case (RFC 9110, section 5.1).
enum FieldName {
    static func isSame(_ left: String, _ right: String) -> Bool {
        isSame(left.utf8, right.utf8)
    }

    static func isSame(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }
}

/// The pairs of a form by what their names begin with, up to the first bracket.
///
/// With it every property looks at its own pairs only, so that a large form of many properties costs no more than its
/// length.
struct PairGroups {
    private var numbers: [[UInt8]: [Int]] = [:]

    init(_ pairs: WirePairs) {
        for (number, pair) in pairs.pairs.enumerated() {
            let bytes = Array(pair.name.utf8)
            numbers[bytes, default: []].append(number)
            let base = Array(bytes.prefix { $0 != UInt8(ascii: "[") })
            if base.count < bytes.count { numbers[base, default: []].append(number) }
        }
    }

    /// The positions of the pairs that may belong to a property.
    func numbers(of name: String) -> [Int] { numbers[Array(name.utf8)] ?? [] }
}

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

    /// The probable slip of the sender in values that are not valid: a plus sign that means a space, or a comma that is a
    /// part of a value.
    ///
    /// - Parameter numbers: the places of the values of a parameter.
    func slip(at numbers: [Int], of parameter: Parameter) -> String? {
        let values = numbers.map { pairs[$0].value.utf8 }
        if plusIsSpace, values.contains(where: { $0.contains(UInt8(ascii: "+")) }) {
            return "a plus sign in a query means a space; write %2B for a plus sign"
        }
        let hasCommas = parameter.style == .form && !parameter.explode
        if hasCommas, values.contains(where: { $0.contains("%2C".utf8) || $0.contains("%2c".utf8) }) {
            return "%2C is a comma in a value; write a comma between values"
        }
        return nil
    }

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
        pairs.indices.filter { pairs[$0].name.exact == name.exact }
    }

    /// Text that cannot be decoded stays as it is, so that the contract judges it.
    func decoded(_ text: Substring) -> String {
        PercentEncoding.decode(text, plusIsSpace: plusIsSpace) ?? String(text)
    }
}

/// A value as a style writes it: texts, and how they are put together.
indirect enum WireValue {
    /// A named part.
    struct Field {
        var name: String
        var value: WireValue
    }

    case text(String)
    case list([WireValue])
    /// Names may repeat and may be empty, as in `a[]=1&a[]=2`.
    case fields([Field])
    /// A value that was JSON on the wire.
    case json(JSONValue)
    /// Ways to understand the same text, the likeliest first.
    case anyOf([WireValue])
}

extension WireValue {
    /// The number of readings of one value that are tried; each costs a validation.
    private static let readingLimit = 4

    /// The JSON values that may be meant, the likeliest first; at least one.
    ///
    /// A text that is not a number is handed on as a string, so that validation says what is wrong with it.
    func readings(as shape: ValueShape, from shapes: ValueShapes) -> [JSONValue] {
        switch self {
        case .json(let value):
            return [value]
        case .anyOf(let ways):
            return ways.flatMap { $0.readings(as: shape, from: shapes) }
        case .text(let text):
            return Self.readings(of: text, as: shape.kinds)
        case .list(let elements):
            let elementShape = shapes.shape(ofAny: shape.items)
            let parts = elements.map { $0.readings(as: elementShape, from: shapes) }
            return Self.combinations(of: parts).map { .array($0) }
        case .fields(let fields):
            if !shape.kinds.contains(.object), shape.kinds.contains(.array),
                fields.allSatisfy({ Self.isIndex($0.name) })
            {
                return WireValue.list(fields.map(\.value)).readings(as: shape, from: shapes)
            }
            let parts = fields.map { field in
                field.value.readings(as: shapes.shape(ofAny: shape.schemas(ofProperty: field.name)), from: shapes)
            }
            return Self.combinations(of: parts).map { values in
                .object(JSONObject(zip(fields, values).map { ($0.name, $1) }))
            }
        }
    }

    /// All first readings, all second ones and so on: not every mixture, but a number that grows with nothing.
    private static func combinations(of parts: [[JSONValue]]) -> [[JSONValue]] {
        let count = min(readingLimit, parts.reduce(1) { max($0, $1.count) })
        return (0..<count).map { number in parts.map { $0[min(number, $0.count - 1)] } }
    }

    private static func readings(of text: String, as kinds: ValueKinds) -> [JSONValue] {
        let string = JSONValue.string(text)
        guard !kinds.isDisjoint(with: [.null, .boolean, .number]) else { return [string] }
        var typed: [JSONValue] = []
        if !kinds.isDisjoint(with: .number), let number = JSONNumber(text) { typed.append(.number(number)) }
        if kinds.contains(.boolean), text == "true" || text == "false" { typed.append(.bool(text == "true")) }
        if kinds.contains(.null), text.isEmpty || text == "null" { typed.append(.null) }
        if kinds == .all { return [string] + typed }
        return typed.isEmpty || kinds.contains(.string) ? typed + [string] : typed
    }

    private static func isIndex(_ name: String) -> Bool {
        name.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
