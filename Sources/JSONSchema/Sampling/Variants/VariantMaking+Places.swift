import JSON

extension VariantMaking {
    /// What holds at a place of a value.
    mutating func place(
        of value: JSONValue,
        by schemas: [Int],
        at pointer: JSONPointer,
        _ role: VariantPlace.Role,
        isInUnion: Bool = false
    ) -> VariantPlace {
        var demand = Demand()
        var branches: [Int] = []
        var tags: Set<ExactText> = []
        for part in partsInForce(of: schemas, on: value) {
            let facts = maker.table.facts(of: part)
            demand.add(facts)
            branches += facts.choices.anyOf + facts.choices.oneOf
            if let discriminator = facts.choices.discriminator { tags.insert(ExactText(discriminator.property)) }
        }
        let first = schemas.first ?? root
        return VariantPlace(
            pointer: pointer,
            value: value,
            schemas: schemas,
            demand: demand,
            role: role,
            schema: maker.table.entries[first].uri,
            schemaPosition: maker.table.entries[first].value.position,
            isInUnion: isInUnion,
            branches: branches,
            tags: tags
        )
    }

    /// Every schema object that holds for a value: what references and `allOf` lead to, the branches that accept the
    /// value, and what follows from conditions.
    private mutating func partsInForce(of schemas: [Int], on value: JSONValue) -> [Int] {
        var parts: [Int] = []
        var seen: Set<Int> = []
        var waiting = Array(schemas.reversed())
        while let schema = waiting.popLast(), parts.count < 200 {
            for part in maker.table.parts(of: schema) where seen.insert(part).inserted {
                parts.append(part)
                let choices = maker.table.facts(of: part).choices
                for branch in (choices.anyOf + choices.oneOf).prefix(64)
                where maker.table.seemsToAccept(value, by: branch) { waiting.append(branch) }
                if let condition = choices.condition {
                    let holds = maker.table.seemsToAccept(value, by: condition.test)
                    if let next = holds ? condition.then : condition.otherwise { waiting.append(next) }
                }
            }
        }
        return parts
    }

    /// The places inside of a place: its members that are documented, and its first element.
    mutating func children(of place: VariantPlace) -> [VariantPlace] {
        switch place.value.content {
        case .object(let object): return members(of: object, in: place)
        case .array(let elements):
            var children: [VariantPlace] = []
            let prefix = place.demand.arrays.map(\.arrays.prefix.count).max() ?? 0
            for (index, element) in elements.prefix(max(1, min(prefix, 16))).enumerated() {
                let schemas = place.demand.elementSchemas(at: index)
                guard !schemas.isEmpty else { continue }
                children.append(self.place(of: element, by: schemas, at: place.pointer.appending(index), .element))
            }
            return children
        default: return []
        }
    }

    private mutating func members(of object: JSONObject, in place: VariantPlace) -> [VariantPlace] {
        let required = Set(place.demand.objects.flatMap(\.objects.required).map(ExactText.init))
        let isInUnion = objectBranches(of: place).count > 1
        var children: [VariantPlace] = []
        for member in object.members.prefix(places) {
            let schemas = schemas(ofMember: member.name, in: place.demand)
            guard !schemas.isEmpty else { continue }
            let role = VariantPlace.Role.member(isRequired: required.contains(ExactText(member.name)))
            let pointer = place.pointer.appending(member.name)
            var child = self.place(of: member.value, by: schemas, at: pointer, role, isInUnion: isInUnion)
            child.isTag = place.tags.contains(ExactText(member.name))
            children.append(child)
        }
        return children
    }

    /// The schemas that speak of a member of an object.
    mutating func schemas(ofMember name: String, in demand: Demand) -> [Int] {
        var schemas: [Int] = []
        for facts in demand.objects { schemas += maker.table.schemas(ofProperty: name, by: facts.objects) }
        return schemas.isEmpty ? demand.objects.compactMap(\.objects.unevaluated) : schemas
    }

    /// The branches of a place that allow objects.
    mutating func objectBranches(of place: VariantPlace) -> [Int] {
        // What stands beside the choice may leave no room for objects.
        for schema in place.schemas where !maker.table.kinds(of: schema).contains(.object) { return [] }
        var branches: [Int] = []
        for branch in place.branches where maker.table.kinds(of: branch).contains(.object) { branches.append(branch) }
        return branches
    }
}

extension Demand {
    /// The schemas of an element.
    func elementSchemas(at index: Int) -> [Int] {
        var schemas: [Int] = []
        for facts in arrays {
            if index < facts.arrays.prefix.count {
                schemas.append(facts.arrays.prefix[index])
            } else if let rest = facts.arrays.rest {
                schemas.append(rest)
            }
        }
        return schemas.isEmpty ? arrays.compactMap(\.arrays.unevaluated) : schemas
    }
}
