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
