import JSON

/// A type of the model whose properties the keys of an object fill.
///
/// The initial value of a property is the default of its key.
protocol KeyedModel: Sendable {
    init()
    /// Completes the value after its keys have been read, and reports what no single key shows.
    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder)
}

extension KeyedModel {
    typealias Keys = ObjectKeys<Self>
    typealias Key = ObjectKey<Self>

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {}
}

/// A type of the model that is one object of the format.
protocol ModelObject: KeyedModel, FormatObject {
    static var keys: ObjectKeys<Self> { get }
}

extension ModelObject {
    static var shape: ObjectShape { keys.shape }
}

/// The keys of an object: the declaration that every part of the format reads, and the properties that they fill.
struct ObjectKeys<Root: Sendable>: Sendable {
    var shape: ObjectShape
    let list: [ObjectKey<Root>]
    /// A Boolean value that indicates whether the keys are read in the order of the file, and not in their own.
    private let isReadInFileOrder: Bool

    init(
        _ name: String,
        _ article: String,
        _ summary: String,
        exclusive: [[String]] = [],
        needed: [String] = [],
        rules: ObjectRules...,
        merging: ObjectShape.Merging = .members,
        isReadInFileOrder: Bool = false,
        discussion: String = "",
        @ObjectKeyList<Root> _ keys: () -> [ObjectKey<Root>]
    ) {
        list = keys()
        self.isReadInFileOrder = isReadInFileOrder
        var shape = ObjectShape(name, article, summary, list, exclusive: exclusive, needed: needed, merging: merging)
        (shape.rules, shape.discussion) = (rules, discussion)
        self.shape = shape
    }
}

extension ObjectKeys {
    /// Reads the keys of an object; returns `false` if a required key is missing or has the wrong shape,
    /// which the shape check reports.
    @discardableResult
    func fill(_ root: inout Root, _ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Bool {
        guard !isReadInFileOrder else {
            for member in Optional(tree).members {
                _ = list.first { $0.name == member.name }?.fill(&root, member.value, &builder)
            }
            return true
        }
        var isComplete = true
        for key in list {
            let isRead = key.read(tree, into: &root, &builder)
            if !isRead && key.declaration.isRequired { isComplete = false }
        }
        return isComplete
    }
}

extension ObjectKeys where Root: KeyedModel {
    /// Reads an object; `nil` if a required key is missing or has the wrong shape.
    ///
    /// - Parameter start: the values without any key.
    func read(_ tree: JSONValue, over start: Root = Root(), _ builder: inout ScenarioBuilder) -> Root? {
        var root = start
        let isComplete = fill(&root, tree, &builder)
        root.finish(tree, &builder)
        return isComplete ? root : nil
    }
}

/// A key of an object, and the property that its value is read into.
struct ObjectKey<Root: Sendable>: FormatKey {
    private(set) var declaration: ObjectShape.Key
    /// Sets the property to a value of a file; returns `false` if the value has the wrong shape.
    fileprivate let fill: @Sendable (inout Root, JSONValue, inout ScenarioBuilder) -> Bool

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

    private static func fill<Value, Property>(
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

/// One of several objects of the format that its first key identifies.
struct ObjectVariant<Value: Sendable>: Sendable {
    private(set) var shape: ObjectShape
    let read: @Sendable (JSONValue, inout ScenarioBuilder) -> Value?

    /// An object that fills the value itself.
    init(_ keys: ObjectKeys<Value>) where Value: KeyedModel {
        shape = keys.shape
        read = { keys.read($0, &$1) }
    }

    /// An object of which the value is made.
    init<Model: KeyedModel>(
        _ keys: ObjectKeys<Model>,
        _ make: @escaping @Sendable (Model, JSONValue, inout ScenarioBuilder) -> Value?
    ) {
        shape = keys.shape
        read = { tree, builder in
            keys.read(tree, &builder).flatMap { make($0, tree, &builder) }
        }
    }

    /// An object with its own type, of which the value is made.
    init<Model: ModelObject>(_ model: Model.Type, _ make: @escaping @Sendable (Model) -> Value?) {
        self.init(model.keys) { model, _, _ in make(model) }
    }

    /// An object with a single key.
    init<Content>(
        _ name: String,
        _ article: String,
        _ summary: String,
        _ key: String,
        _ type: ValueType<Content>,
        _ make: @escaping @Sendable (Content) -> Value?
    ) {
        let declaration = ObjectShape.Key(name: key, shape: type.shape, summary: "", isRequired: true)
        shape = ObjectShape(name, article, summary, [declaration])
        let content = type.read
        read = { tree, builder in tree[key].flatMap { content($0, &builder) }.flatMap(make) }
    }

    /// The same object with a sentence for the meaning of its single key.
    func summary(_ summary: String) -> Self {
        var variant = self
        variant.shape.keys[0].summary = summary
        return variant
    }

    /// The same object with a value of its single key, for the reference.
    func example(_ value: JSONValue) -> Self {
        var variant = self
        variant.shape.keys[0].example = value
        return variant
    }
}

@resultBuilder
enum ObjectVariantList<Value: Sendable> {
    static func buildExpression(_ variant: ObjectVariant<Value>) -> [ObjectVariant<Value>] { [variant] }
    static func buildExpression(_ variants: [ObjectVariant<Value>]) -> [ObjectVariant<Value>] { variants }
    static func buildBlock(_ variants: [ObjectVariant<Value>]...) -> [ObjectVariant<Value>] { variants.flatMap(\.self) }
}

extension ValueType where Value: ModelObject {
    static var object: Self { Self(.object(Value.self)) { Value.keys.read($0, &$1) } }
}

extension ValueType {
    static func variants(_ variants: [ObjectVariant<Value>]) -> Self {
        Self(.variants(variants.map(\.shape))) { tree, builder in
            variants.first { tree[$0.shape.verb] != nil }?.read(tree, &builder)
        }
    }
}
