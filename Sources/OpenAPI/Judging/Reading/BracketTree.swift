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
