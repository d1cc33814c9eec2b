import JSON

@testable import ScenarioFormat

/// The places of a scenario file that the format has a say in.
///
/// Not among them is what belongs to the author: names of routes, kinds, states and the like, header fields and
/// pointers, content such as a response's JSON, and comments. A slip there can be a name that is meant.
struct Sites {
    struct Key {
        /// The name of the object's shape.
        var owner: String
        var name: String
        var position: JSONPosition
        /// The other keys that could stand there.
        var siblings: Set<String>
    }

    struct Value {
        var shape: Shape
        var value: JSONValue
        /// Whether null removes the value here instead of being one.
        var isRemovable: Bool
    }

    var keys: [Key] = []
    var values: [Value] = []
    /// Words that are one of a few.
    var words: [JSONValue] = []

    init(of root: JSONValue) {
        walk(root, .object(Scenario.self), isPatch: root["extends"] != nil)
    }

    private mutating func walk(_ value: JSONValue, _ shape: Shape, isPatch: Bool) {
        if case .anything = shape { return }
        values.append(Value(shape: shape, value: value, isRemovable: isPatch))
        follow(value, shape, isPatch: isPatch)
    }

    private mutating func follow(_ value: JSONValue, _ shape: Shape, isPatch: Bool) {
        switch shape {
        case .text(.oneOf): words.append(value)
        case .list(let element, _):
            for value in value.array ?? [] { walk(value, element, isPatch: false) }
        case .map(let element, _):
            for member in Optional(value).members { walk(member.value, element, isPatch: isPatch) }
        case .shared(_, let shape), .restricted(let shape, _): follow(value, shape, isPatch: isPatch)
        case .object(let type):
            let merging = type.shape.merging
            walk(value, members: type.shape, isPatch: merging == .members ? isPatch : merging == .change)
        case .variants(let types, let extra):
            let shapes = types
            guard let shape = shapes.first(where: { value[$0.verb] != nil }) else { return }
            walk(value, members: shape.adding(extra), isPatch: isPatch)
        case .choice(let shapes):
            guard let fitting = shapes.first(where: { $0.kinds.contains(value.kindName) }) else { return }
            follow(value, fitting, isPatch: isPatch)
        default: break
        }
    }

    private mutating func walk(_ value: JSONValue, members shape: ObjectShape, isPatch: Bool) {
        for member in value.object?.members ?? [] {
            let siblings = Set(shape.keys.map(\.name) + [ObjectShape.comment])
            keys.append(Key(owner: shape.name, name: member.name, position: member.namePosition, siblings: siblings))
            guard let key = shape[member.name] else { continue }
            walk(member.value, key.shape, isPatch: isPatch)
        }
    }
}
