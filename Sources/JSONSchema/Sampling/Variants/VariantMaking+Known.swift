import JSON

extension VariantMaking {
    /// The value without members that no schema knows.
    ///
    /// Where anything may stand beside named properties, what stands there is not known.
    mutating func known(_ value: JSONValue, by schemas: [Int], depth: Int = 0) -> JSONValue {
        guard depth < SampleMaker.depthLimit, value.array != nil || value.object != nil else { return value }
        let place = place(of: value, by: schemas, at: JSONPointer(), .whole)
        switch value.content {
        case .object(let object):
            guard !place.demand.objects.isEmpty else { return value }
            var kept = JSONObject()
            for member in object.members {
                guard let schemas = self.schemas(ofKnown: member.name, in: place.demand) else { continue }
                kept[member.name] = self.known(member.value, by: schemas, depth: depth + 1)
            }
            return .object(kept)
        case .array(let elements):
            var kept: [JSONValue] = []
            kept.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                let schemas = place.demand.elementSchemas(at: index)
                kept.append(schemas.isEmpty ? element : self.known(element, by: schemas, depth: depth + 1))
            }
            return .array(kept)
        default:
            return value
        }
    }

    /// The schemas of a member; `nil` when none has more to say than that anything may be there.
    mutating func schemas(ofKnown name: String, in demand: Demand) -> [Int]? {
        let schemas = self.schemas(ofMember: name, in: demand)
        if demand.objects.contains(where: { $0.objects.properties[name] != nil }) { return schemas }
        let isMap = demand.objects.allSatisfy(\.objects.properties.all.isEmpty)
        let isTold = schemas.contains { maker.table.entries[$0].value.object?.isEmpty == false }
        return isTold || isMap && !schemas.isEmpty ? schemas : nil
    }
}
