import JSON

/// A key of an object, and the property that its value is read into.
struct ObjectKey<Root: Sendable>: FormatKey {
    private(set) var declaration: ObjectShape.Key
    /// Sets the property to a value of a file; returns `false` if the value has the wrong shape.
    let fill: @Sendable (inout Root, JSONValue, inout ScenarioBuilder) -> Bool

    fileprivate init(
        _ declaration: ObjectShape.Key,
        fill: @escaping @Sendable (inout Root, JSONValue, inout ScenarioBuilder) -> Bool
    ) {
        (self.declaration, self.fill) = (declaration, fill)
    }

    /// A key with its own reader; without one, the object reads it after the others.
    init(
        _ name: String,
        _ shape: Shape,
        _ summary: String = "",
        read: @escaping @Sendable (inout Root, JSONValue, inout ScenarioBuilder) -> Void = { _, _, _ in }
    ) {
        declaration = ObjectShape.Key(name: name, shape: shape, summary: summary)
        fill = { root, tree, builder in
            read(&root, tree, &builder)
            return true
        }
    }

    /// A key whose value the object adds to what it has.
    init<Value>(
        _ name: String,
        _ type: ValueType<Value>,
        _ summary: String = "",
        set: @escaping @Sendable (inout Root, Value) -> Void
    ) {
        declaration = ObjectShape.Key(name: name, shape: type.shape, summary: summary)
        let read = type.read
        fill = { root, tree, builder in
            guard let value = read(tree, &builder) else { return false }
            set(&root, value)
            return true
        }
    }

    /// A key that another object declares as well, and which the object does not read itself.
    init(_ key: any FormatKey) {
        declaration = key.declaration
        fill = { _, _, _ in true }
    }

    /// A key whose property has a default value.
    init<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Root, Value> & Sendable,
        _ type: ValueType<Value>,
        _ summary: String = ""
    ) where Root: KeyedModel {
        let fallback = type.show(Root()[keyPath: property]).map { "`\($0)`" }
        declaration = ObjectShape.Key(name: name, shape: type.shape, summary: summary, fallback: fallback)
        fill = Self.fill(property, type) { $0 }
    }

    /// A key whose property is `nil` without it.
    init<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Root, Value?> & Sendable,
        _ type: ValueType<Value>,
        _ summary: String = ""
    ) {
        declaration = ObjectShape.Key(name: name, shape: type.shape, summary: summary)
        fill = Self.fill(property, type) { $0 }
    }

    static func fill<Value, Property>(
        _ property: any WritableKeyPath<Root, Property> & Sendable,
        _ type: ValueType<Value>,
        _ wrap: @escaping @Sendable (Value) -> Property
    ) -> @Sendable (inout Root, JSONValue, inout ScenarioBuilder) -> Bool {
        let read = type.read
        return { root, tree, builder in
            guard let value = read(tree, &builder) else { return false }
            root[keyPath: property] = wrap(value)
            return true
        }
    }

    /// Reads the key of an object, if it is present; returns `false` if it is missing or has the wrong shape.
    @discardableResult
    func read(_ tree: JSONValue, into root: inout Root, _ builder: inout ScenarioBuilder) -> Bool {
        tree[declaration.name].map { fill(&root, $0, &builder) } ?? false
    }

    /// The same key where an object is required to have it.
    var required: Self {
        var key = self
        (key.declaration.isRequired, key.declaration.fallback) = (true, nil)
        return key
    }

    /// The same key without the initial value of the property as its default.
    var withoutDefault: Self {
        var key = self
        key.declaration.fallback = nil
        return key
    }

    /// The same key with a sentence for the meaning of its value.
    func summary(_ summary: String) -> Self {
        var key = self
        key.declaration.summary = summary
        return key
    }

    /// The same key with words for the behavior without it.
    func otherwise(_ words: String) -> Self {
        var key = self
        key.declaration.fallback = words
        return key
    }

    /// The same key with a value for the reference, where its shape alone does not make one.
    func example(_ value: JSONValue) -> Self {
        var key = self
        key.declaration.example = value
        return key
    }
}

extension ObjectKey {
    /// The same key of an object that has this one's properties in a part.
    func inside<Outer>(_ part: any WritableKeyPath<Outer, Root> & Sendable) -> ObjectKey<Outer> {
        let fill = fill
        return ObjectKey<Outer>(declaration) { fill(&$0[keyPath: part], $1, &$2) }
    }
}

@resultBuilder
enum ObjectKeyList<Root: Sendable> {
    static func buildExpression(_ key: ObjectKey<Root>) -> [ObjectKey<Root>] { [key] }
    static func buildExpression(_ keys: [ObjectKey<Root>]) -> [ObjectKey<Root>] { keys }
    static func buildExpression(_ keys: [any FormatKey]) -> [ObjectKey<Root>] { keys.map { ObjectKey($0) } }
    static func buildBlock(_ keys: [ObjectKey<Root>]...) -> [ObjectKey<Root>] { keys.flatMap(\.self) }
}
