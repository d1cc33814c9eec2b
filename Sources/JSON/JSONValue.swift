/// A JSON value and where it was read.
///
/// Equality and hash follow JSON's data model and ignore the position: numbers are compared by their mathematical
/// value, strings and names scalar by scalar, objects regardless of their members' order.
package struct JSONValue: Sendable {
    /// What a value is.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case number(JSONNumber)
        case string(String)
        case array([JSONValue])
        case object(JSONObject)
    }

    package var content: Content
    /// Where the value's first character stands; ``JSONPosition/unknown`` for a value made in code.
    package var position: JSONPosition

    @inline(__always)
    package init(_ content: Content, at position: JSONPosition = .unknown) {
        self.content = content
        self.position = position
    }
}

extension JSONValue {
    /// JSON's null, made in code.
    package static var null: JSONValue { JSONValue(.null) }

    package var isNull: Bool {
        if case .null = content { true } else { false }
    }

    package var bool: Bool? {
        if case .bool(let bool) = content { bool } else { nil }
    }

    package var number: JSONNumber? {
        if case .number(let number) = content { number } else { nil }
    }

    /// The exact value of a number that is an `Int`; 1.0 and 1e2 are.
    package var int: Int? { number?.int }

    package var string: String? {
        if case .string(let string) = content { string } else { nil }
    }

    package var array: [JSONValue]? {
        if case .array(let elements) = content { elements } else { nil }
    }

    package var object: JSONObject? {
        if case .object(let object) = content { object } else { nil }
    }

    /// The type's name as JSON Schema says it, for sentences such as "a string was expected, found a number".
    package var kindName: String {
        switch content {
        case .null: "null"
        case .bool: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// The value of an object's member; `nil` also when this is no object.
    package subscript(name: String) -> JSONValue? { object?[name] }

    /// The element of an array; `nil` beyond its ends and when this is no array.
    package subscript(index: Int) -> JSONValue? {
        guard let array, array.indices.contains(index) else { return nil }
        return array[index]
    }
}

extension JSONValue: CustomStringConvertible {
    /// The compact text.
    package var description: String { text(.compact) }
}
