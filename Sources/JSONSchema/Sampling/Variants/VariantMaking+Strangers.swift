package import JSON

extension VariantMaking {
    /// The members of a value that no schema names, where schemas name others.
    mutating func strangers(
        in value: JSONValue,
        by schemas: [Int],
        at pointer: JSONPointer = JSONPointer(),
        depth: Int = 0
    ) -> [StrangeMember] {
        guard depth < SampleMaker.depthLimit, value.array != nil || value.object != nil else { return [] }
        let place = place(of: value, by: schemas, at: pointer, .whole)
        var strangers: [StrangeMember] = []
        switch value.content {
        case .object(let object):
            let names = place.demand.objects.flatMap { $0.objects.properties.all.map(\.name) }
            for member in object.members {
                let pointer = pointer.appending(member.name)
                if let schemas = self.schemas(ofKnown: member.name, in: place.demand) {
                    strangers += self.strangers(in: member.value, by: schemas, at: pointer, depth: depth + 1)
                } else if !names.isEmpty {
                    let missing = names.filter { object[$0] == nil }
                    strangers.append(StrangeMember(name: member.name, place: pointer, missing: missing))
                }
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let schemas = place.demand.elementSchemas(at: index)
                let pointer = pointer.appending(index)
                strangers += self.strangers(in: element, by: schemas, at: pointer, depth: depth + 1)
            }
        default: break
        }
        return strangers
    }
}

/// A member that no schema names.
package struct StrangeMember: Sendable, Hashable {
    package var name: String
    package var place: JSONPointer
    /// Names beside it that schemas have, and the value has not.
    package var missing: [String]
}
