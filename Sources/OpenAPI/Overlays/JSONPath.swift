import JSON

/// A JSONPath query (RFC 9535), compiled once.
struct JSONPath: Sendable {
    /// A part of a query: what is looked for among the children of each node, or among all of its descendants.
    struct Segment: Sendable {
        var isDescendant: Bool
        var selectors: [Selector]
    }

    /// RFC 9535, section 2.3.
    enum Selector: Sendable {
        case name(String)
        case wildcard
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Condition)
    }

    /// A logical expression (section 2.3.5).
    indirect enum Condition: Sendable {
        case any([Condition])
        case all([Condition])
        case not(Condition)
        case exists(Query)
        case compare(Operand, Comparison, Operand)
        /// `match`, which looks at the whole text, or `search`.
        case matches(Operand, Operand, isWhole: Bool)
    }

    enum Comparison: String, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
    }

    /// An expression that has at most one value.
    indirect enum Operand: Sendable {
        case literal(JSONValue)
        /// A query that finds at most one node.
        case single(Query)
        case length(Operand)
        case count(Query)
        case value(Query)
    }

    /// A query inside a filter, or the whole one.
    struct Query: Sendable {
        /// A Boolean value that indicates whether it begins at the document and not at the node that is looked at.
        var isAbsolute: Bool
        var segments: [Segment]

        /// A Boolean value that indicates whether it can find no more than one node (section 2.3.5.1).
        var isSingular: Bool {
            segments.allSatisfy { segment in
                guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
                switch segment.selectors[0] {
                case .name, .index: return true
                case .wildcard, .slice, .filter: return false
                }
            }
        }
    }

    /// A node's way from the root of a document (section 2.7).
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    /// A node that a query finds.
    struct Node: Sendable {
        var steps: [Step]
        var value: JSONValue
    }

    let source: String
    let query: Query

    /// Compiles a query.
    ///
    /// - Throws: ``JSONPathError``, with the place in the text.
    init(_ source: String) throws(JSONPathError) {
        self.source = source
        var parser = JSONPathParser(source)
        query = try parser.parse()
    }
}

/// The reason why a text is not a query, or why a query was given up.
struct JSONPathError: Error, Hashable {
    /// The finding and what would be right, without a closing full stop.
    var message: String
    /// Where, in Unicode scalars from the beginning of the text.
    var offset: Int

    init(_ message: String, at offset: Int) {
        self.message = message
        self.offset = offset
    }
}

extension JSONPath {
    /// The number of steps that a search may take.
    ///
    /// Looking at a node takes a step, and a found node takes another one for each part of its path, so the budget also
    /// limits the memory.
    static let budget = 10_000_000

    /// The nodes that the query finds, in the order of RFC 9535; a node may be found more than once.
    ///
    /// - Throws: ``JSONPathError`` when the search takes too many steps.
    func nodes(in document: JSONValue, budget: Int = JSONPath.budget) throws(JSONPathError) -> [Node] {
        var search = JSONPathSearch(document, budget: budget)
        return try search.nodes(of: query, at: Node(steps: [], value: document))
    }
}

/// One search in one document.
private struct JSONPathSearch {
    private let document: JSONValue
    private var left: Int
    /// Patterns by their text; `nil` for what is not one.
    private var patterns: [String: IRegexp?] = [:]

    init(_ document: JSONValue, budget: Int) {
        self.document = document
        left = budget
    }

    mutating func nodes(of query: JSONPath.Query, at current: JSONPath.Node) throws(JSONPathError) -> [JSONPath.Node] {
        var nodes = [query.isAbsolute ? JSONPath.Node(steps: [], value: document) : current]
        for segment in query.segments {
            var next: [JSONPath.Node] = []
            for node in nodes {
                if segment.isDescendant {
                    try descend(from: node, segment.selectors, into: &next)
                } else {
                    for selector in segment.selectors { try select(selector, of: node, into: &next) }
                }
            }
            nodes = next
        }
        return nodes
    }

    /// A node comes before its children, and these in their order (section 2.5.2.2).
    private mutating func descend(
        from node: JSONPath.Node,
        _ selectors: [JSONPath.Selector],
        into found: inout [JSONPath.Node]
    ) throws(JSONPathError) {
        var waiting = [node]
        while let node = waiting.popLast() {
            for selector in selectors { try select(selector, of: node, into: &found) }
            waiting += try children(of: node).reversed()
        }
    }

    private mutating func spend(_ steps: Int) throws(JSONPathError) {
        left -= steps
        guard left >= 0 else { throw JSONPathError("the path requires too many steps in this document", at: 0) }
    }

    private mutating func children(of node: JSONPath.Node) throws(JSONPathError) -> [JSONPath.Node] {
        switch node.value.content {
        case .array(let values):
            try spend(values.count * (node.steps.count + 1) + 1)
            return values.indices.map { JSONPath.Node(steps: node.steps + [.index($0)], value: values[$0]) }
        case .object(let object):
            try spend(object.count * (node.steps.count + 1) + 1)
            return object.members.map { JSONPath.Node(steps: node.steps + [.name($0.name)], value: $0.value) }
        default:
            try spend(1)
            return []
        }
    }

    private mutating func select(
        _ selector: JSONPath.Selector,
        of node: JSONPath.Node,
        into found: inout [JSONPath.Node]
    ) throws(JSONPathError) {
        switch selector {
        case .name(let name):
            try spend(1)
            guard let value = node.value.object?[name] else { return }
            found.append(JSONPath.Node(steps: node.steps + [.name(name)], value: value))
        case .index(let index):
            try spend(1)
            guard let values = node.value.array else { return }
            let number = index < 0 ? values.count + index : index
            guard values.indices.contains(number) else { return }
            found.append(JSONPath.Node(steps: node.steps + [.index(number)], value: values[number]))
        case .wildcard: found += try children(of: node)
        case .slice(let start, let end, let step):
            guard let values = node.value.array else { return }
            let numbers = Self.slice(values.count, start, end, step)
            try spend(numbers.count * (node.steps.count + 1) + 1)
            found += numbers.map { JSONPath.Node(steps: node.steps + [.index($0)], value: values[$0]) }
        case .filter(let condition):
            for child in try children(of: node) where try holds(condition, at: child) { found.append(child) }
        }
    }

    /// The numbers of a slice's elements (section 2.3.4.2.2).
    private static func slice(_ count: Int, _ start: Int?, _ end: Int?, _ step: Int) -> [Int] {
        guard step != 0 else { return [] }
        func normal(_ index: Int) -> Int { index < 0 ? count + index : index }
        if step > 0 {
            let lower = min(max(normal(start ?? 0), 0), count)
            let upper = min(max(normal(end ?? count), 0), count)
            return Array(stride(from: lower, to: upper, by: step))
        }
        let upper = min(max(start.map(normal) ?? count - 1, -1), count - 1)
        let lower = min(max(end.map(normal) ?? -1, -1), count - 1)
        return Array(stride(from: upper, to: lower, by: step))
    }

    private mutating func holds(_ condition: JSONPath.Condition, at node: JSONPath.Node) throws(JSONPathError) -> Bool {
        try spend(1)
        switch condition {
        case .any(let parts):
            for part in parts where try holds(part, at: node) { return true }
            return false
        case .all(let parts):
            for part in parts where try !holds(part, at: node) { return false }
            return true
        case .not(let part): return try !holds(part, at: node)
        case .exists(let query): return try !nodes(of: query, at: node).isEmpty
        case .compare(let left, let comparison, let right):
            let (one, other) = (try value(of: left, at: node), try value(of: right, at: node))
            return Self.compare(one, comparison, other)
        case .matches(let text, let pattern, let isWhole):
            guard let text = try value(of: text, at: node)?.string,
                let source = try value(of: pattern, at: node)?.string
            else { return false }
            let key = (isWhole ? "=" : "~") + source
            let known = patterns[key]
            let compiled = known ?? IRegexp(source, isWhole: isWhole)
            if known == nil { patterns[key] = .some(compiled) }
            try spend(text.utf8.count)
            return compiled?.accepts(text) ?? false
        }
    }

    private mutating func value(of operand: JSONPath.Operand, at node: JSONPath.Node) throws(JSONPathError)
        -> JSONValue?
    {
        switch operand {
        case .literal(let value): return value
        case .single(let query): return try nodes(of: query, at: node).first?.value
        case .count(let query): return .number(JSONNumber(try nodes(of: query, at: node).count))
        case .value(let query):
            let found = try nodes(of: query, at: node)
            return found.count == 1 ? found[0].value : nil
        case .length(let inner):
            switch try value(of: inner, at: node)?.content {
            case .string(let text): return .number(JSONNumber(text.unicodeScalars.count))
            case .array(let values): return .number(JSONNumber(values.count))
            case .object(let object): return .number(JSONNumber(object.count))
            default: return nil
            }
        }
    }

    /// Section 2.3.5.2.2: values of different kinds, and none at all, have no order.
    private static func compare(_ left: JSONValue?, _ comparison: JSONPath.Comparison, _ right: JSONValue?) -> Bool {
        switch comparison {
        case .equal: left == right
        case .unequal: left != right
        case .less: isLess(left, right)
        case .greater: isLess(right, left)
        case .atMost: isLess(left, right) || left == right
        case .atLeast: isLess(right, left) || left == right
        }
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        switch (left?.content, right?.content) {
        case (.number(let left), .number(let right)): left < right
        // The order of UTF-8 is the one of Unicode scalars.
        case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        default: false
        }
    }
}
