import JSON

/// A key of an object, with a value of any type.
protocol FormatKey: Sendable {
    var declaration: ObjectShape.Key { get }
}

/// One key of an object of the format: its declaration, and what its value is read as.
///
/// A value of the wrong shape is read as one that is missing, because the shape check reports it.
struct Key<Value: Sendable>: FormatKey {
    let declaration: ObjectShape.Key
    fileprivate let read: @Sendable (JSONValue) -> Value?
    fileprivate let missing: Value

    var name: String { declaration.name }

    /// A key that has a value even where it is not written.
    init(
        _ name: String,
        _ type: ValueType<Value>,
        default fallback: Value,
        _ summary: String,
        example: JSONValue? = nil
    ) {
        declaration = ObjectShape.Key(
            name: name,
            shape: type.shape,
            summary: summary,
            isRequired: false,
            fallback: "`\(type.show(fallback))`",
            example: example
        )
        read = type.read
        missing = fallback
    }

    /// A key without a default value.
    ///
    /// - Parameter otherwise: what holds then, in words.
    init<Wrapped>(
        _ name: String,
        _ type: ValueType<Wrapped>,
        _ summary: String,
        required: Bool = false,
        otherwise: String? = nil,
        example: JSONValue? = nil
    ) where Value == Wrapped? {
        declaration = ObjectShape.Key(
            name: name,
            shape: type.shape,
            summary: summary,
            isRequired: required,
            fallback: otherwise,
            example: example
        )
        read = { .some(type.read($0)) }
        missing = nil
    }

    /// A key of several values, none where it is not written.
    init<Element>(
        _ name: String,
        list type: ValueType<[Element]>,
        _ summary: String,
        required: Bool = false,
        otherwise: String? = nil,
        example: JSONValue? = nil
    ) where Value == [Element] {
        declaration = ObjectShape.Key(
            name: name,
            shape: type.shape,
            summary: summary,
            isRequired: required,
            fallback: otherwise,
            example: example
        )
        read = type.read
        missing = []
    }
}

extension ObjectShape.Key: FormatKey {
    var declaration: ObjectShape.Key { self }
}

extension JSONValue {
    /// The value of a key of this object.
    subscript<Value>(key: ScenarioFormat.Key<Value>) -> Value {
        guard let value = self[key.name], let read = key.read(value) else { return key.missing }
        return read
    }

    /// The value of a key as it is written, with its place.
    func written<Value>(_ key: ScenarioFormat.Key<Value>) -> JSONValue? { self[key.name] }

    /// A key of this object and its value, with the places of both.
    func member<Value>(_ key: ScenarioFormat.Key<Value>) -> JSONObject.Member? { object?.member(named: key.name) }

    func has<Value>(_ key: ScenarioFormat.Key<Value>) -> Bool { self[key.name] != nil }
}

extension JSONValue? {
    subscript<Value>(key: ScenarioFormat.Key<Value>) -> Value { self?[key] ?? key.missing }

    func written<Value>(_ key: ScenarioFormat.Key<Value>) -> JSONValue? { self?[key.name] }
}
