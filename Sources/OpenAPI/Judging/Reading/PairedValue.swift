import HTTPCodec
import JSON

/// Finds one parameter among the pairs of a query, a form or a cookie, by its style.
struct PairedValue {
    let pairs: WirePairs
    let style: Parameter.Style
    let explode: Bool

    /// What was found, and which pairs it is made of.
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

    /// `color=blue&color=black`; an object's properties stand by themselves: `R=100&G=200`.
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

    /// `color[R]=100&color[G]=200`, nested as deep as it comes.
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
    /// Names nested deeper stay as they are.
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

    /// What was put together; `nil` when nothing was.
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
