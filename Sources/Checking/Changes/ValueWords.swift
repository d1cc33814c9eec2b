import JSON

extension ValueKinds {
    /// The names of the kinds but null, in the order of messages.
    var names: [String] {
        let named: [(kind: ValueKinds, name: String)] = [
            (.boolean, "boolean"), (contains(.number) ? .number : .integer, contains(.number) ? "number" : "integer"),
            (contains(.number) ? [] : .fraction, "number with a fraction"), (.string, "string"), (.array, "array"),
            (.object, "object"),
        ]
        return named.filter { !$0.kind.isEmpty && isSuperset(of: $0.kind) }.map(\.name)
    }

    var singleName: String? { self == .null ? "null" : names.count == 1 ? names[0] : nil }
}

extension String {
    /// A type of JSON Schema with its article.
    var withArticleOfKind: String {
        switch self {
        case "null": self
        case "array", "integer", "object": "an \(self)"
        default: "a \(self)"
        }
    }
}

extension SchemaView {
    /// The kinds but null in words.
    var kindText: String {
        if kinds.union(.null) == .all { return "of any type" }
        let names = kinds.names
        if names.isEmpty { return kinds.isEmpty ? "nothing" : "null" }
        return names.map(\.withArticleOfKind).joined(separator: " or ")
    }
}

extension Collection<String> {
    /// The texts as JSON in order; `nil` if the list is empty.
    var shown: String? {
        isEmpty ? nil : sorted().map { JSONValue(.string($0)).shownAsText }.joined(separator: " and ")
    }
}

extension [JSONNumber] {
    /// The numbers in order; `nil` if the list is empty.
    var shown: String? { isEmpty ? nil : sorted().map(\.description).joined(separator: " and ") }
}

extension [JSONValue] {
    /// The first of them in words.
    var listed: String {
        let shown = prefix(5).map(\.shownAsText).joined(separator: ", ")
        return count > 5 ? "\(shown) or \(count - 5) more" : shown
    }
}

extension JSONValue {
    /// The value as JSON, cut where it is long.
    var shownAsText: String {
        let text = description
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
