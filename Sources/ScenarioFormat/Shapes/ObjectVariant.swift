import JSON

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
