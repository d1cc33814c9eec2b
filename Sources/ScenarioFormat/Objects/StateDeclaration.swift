import JSON

/// A named state, its values in the order of the file, and whose it is.
package struct StateDeclaration: Sendable {
    /// The owner of the state: one shared value, or one for each device or account.
    package enum Scope: String, Sendable, CaseIterable {
        case session
        case account
        case device
    }

    package var name = ""
    /// Every value; the first is where it begins.
    package var values: [String] = []
    package var scope = Scope.session
}

/// A counter and the number that it begins with.
package struct CounterDeclaration: Sendable {
    package var name: String
    package var start: Int
}

extension StateDeclaration: ModelObject {
    static let keys = Keys("state", "a state", "a named state with its values and its owner") {
        Key("values", \.values, .list(of: .text(.name), count: 1...Int.max))
            .summary("All values of the state. The first value is the initial value.").required.example([
                "trial", "paid",
            ])
        Key("per", \.scope, .word, "The owner of the state.")
    }

    /// The values of a state that is declared by them alone, or as an object.
    static func written(in tree: JSONValue) -> [JSONValue] { tree.array ?? tree["values"]?.array ?? [] }
}

extension ValueType<[StateDeclaration]> {
    static var states: Self {
        map(names: .name, of: .choice([.names, .object(StateDeclaration.self)])) { member, builder in
            var state = StateDeclaration()
            StateDeclaration.keys.fill(&state, member.value, &builder)
            state.name = member.name
            state.values = builder.names.states[member.name] ?? []
            return state
        }
    }
}
