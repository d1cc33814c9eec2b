// Literals, so that expected values in code and tests read like the JSON they mean. Their position is unknown.
//
// There is none for `nil`: an optional value would then take some `nil`s for JSON's null. Null is written `.null`.

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(.number(JSONNumber(value))) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Takes the shortest text that names the same `Double`; a literal beyond the range of `Double` becomes null.
    package init(floatLiteral value: Double) {
        self.init(JSONNumber(value).map(Content.number) ?? .null)
    }
}

extension JSONValue: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(.string(value)) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Keeps the order in which the members are written; of two equal names the last value wins.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(.object(JSONObject(elements)))
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
