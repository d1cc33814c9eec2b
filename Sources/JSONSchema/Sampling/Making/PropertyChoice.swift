import JSON

/// The names of an object's properties to be, each once, in the order of their choice.
struct PropertyChoice {
    private(set) var names: [String] = []
    private var known: Set<ExactText> = []
    private var requiredCount = 0

    /// - Parameters:
    ///   - required: names that a value must have.
    ///   - tags: names that it must have because a discriminator reads them.
    init(required: [String], tags: [String]) {
        for name in required + tags { insert(name) }
        requiredCount = names.count
    }

    var count: Int { names.count }

    func contains(_ name: String) -> Bool { known.contains(ExactText(name)) }

    /// Whether the value is none without the property.
    func isRequired(_ name: String) -> Bool {
        names.prefix(requiredCount).contains { $0.utf8.elementsEqual(name.utf8) }
    }

    mutating func insert(_ name: String) {
        if known.insert(ExactText(name)).inserted { names.append(name) }
    }

    /// Adds the properties that chosen ones need beside them, and those that these need.
    mutating func addDependents(of facts: [SchemaFacts]) {
        let dependents = facts.flatMap(\.objects.dependents)
        guard !dependents.isEmpty else { return }
        var index = 0
        while index < names.count {
            let name = names[index]
            for dependent in dependents where dependent.name.utf8.elementsEqual(name.utf8) {
                for needed in dependent.required { insert(needed) }
            }
            index += 1
        }
    }
}
