import JSON

/// Schemas by their properties' names, in the order of the document.
struct NamedSchemas {
    private(set) var all: [(name: String, schema: Int)] = []
    private var places: [ExactText: Int] = [:]

    /// How many are searched faster from one end to the other.
    private static let few = 8

    /// Adds a schema, whose name must be new.
    mutating func add(_ name: String, _ schema: Int) {
        all.append((name, schema))
        guard all.count > Self.few else { return }
        if places.isEmpty {
            for (place, known) in all.enumerated() { places[ExactText(known.name)] = place }
        } else {
            places[ExactText(name)] = all.count - 1
        }
    }

    subscript(name: String) -> Int? {
        guard places.isEmpty else { return places[ExactText(name)].map { all[$0].schema } }
        return all.first { $0.name.hasSameUTF8(as: name) }?.schema
    }
}
