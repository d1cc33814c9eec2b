import Basics
import JSON
import JSONSchema
import OpenAPI

/// One revision of a contract, and how its places are named.
struct ContractRevision {
    let contract: Contract
    let program: SchemaProgram
    /// The parts of the document that decide what a keyword means.
    let dialect: [String?]
    /// The name of a file of this revision in messages.
    let name: @Sendable (String) -> String
    /// The results of comparisons in which this is the older revision.
    let proofs = SchemaProofs()

    init(contract: Contract, name: @escaping @Sendable (String) -> String) {
        self.contract = contract
        self.name = name
        program = contract.schemas.program
        let declared = contract.value(at: JSONPointer(tokens: ["jsonSchemaDialect"]))?.string
        dialect = [contract.version == .v30 ? contract.version.rawValue : nil, declared]
    }

    func place(of position: JSONPosition) -> Place {
        var place = contract.sources.place(of: position)
        place.file = place.file.map(name)
        return place
    }

    func position(of place: SchemaPlace) -> JSONPosition { program.position(of: place.id) }

    func facts(of place: SchemaPlace) -> SchemaFacts { program.facts(of: place.id) }
}

extension ContractRevision {
    /// The schema that a message is described by; `nil` where a reference cannot be resolved.
    func place(of reference: SchemaReference) -> SchemaPlace? {
        contract.schemas.id(of: reference).map(SchemaPlace.init)
    }

    func source(of place: SchemaPlace) -> JSONValue { program.source(of: place.id) }

    func pointer(to place: SchemaPlace) -> JSONPointer { program.pointer(to: place.id) }

    /// The target of a mere reference, or the schema itself, so that a shared one is compared once.
    func target(of place: SchemaPlace) -> SchemaPlace {
        var place = place
        for _ in 0..<100 {
            let facts = facts(of: place)
            guard facts.isMereReference, let next = facts.choices.reference else { return place }
            place.id = next
        }
        return place
    }

    /// The schemas to validate by; `nil` where one has errors, or where alternatives of it are chosen.
    func schemas(_ places: [SchemaPlace]) -> [Schema]? {
        guard places.allSatisfy({ $0.decided.isEmpty && !program.hasErrors($0.id) }) else { return nil }
        return places.map { program.schema($0.id) }
    }

    /// The values that a schema does not accept; `nil` when that is undecided.
    func refused(of values: [JSONValue], by places: [SchemaPlace]) -> [JSONValue]? {
        guard let schemas = schemas(places) else { return nil }
        return try? values.filter { value in try !schemas.allSatisfy { try $0.accepts(value) } }
    }

    /// The alternatives of a group in a schema, each merged with the keywords next to it.
    func alternatives(of places: [SchemaPlace], _ group: SchemaView.Group?) -> [[SchemaPlace]] {
        guard let group, !places.isEmpty else { return [places] }
        let rest = places.filter { $0.id != group.choice.schema || !facts(of: $0).isChoiceAlone }.map { place in
            var place = place
            place.decided.append(group.choice)
            return place
        }
        return group.alternatives.map { rest + [target(of: $0)] }
    }

    /// Returns whether a later revision contains the same schemas, with all schemas that they lead to.
    func isEqual(_ places: [SchemaPlace], _ others: [SchemaPlace], in revision: ContractRevision) -> Bool {
        func areEqual(_ one: SchemaID, _ other: SchemaID) -> Bool {
            proofs.equals.contains(one, in: self, other, in: revision)
        }
        return places.count == others.count
            && zip(places, others).allSatisfy { one, other in
                areEqual(one.id, other.id) && one.decided.count == other.decided.count
                    && zip(one.decided, other.decided).allSatisfy {
                        $0.keyword == $1.keyword && areEqual($0.schema, $1.schema)
                    }
            }
    }

    /// The meaning of schemas that all hold at one place, which is computed the first time.
    func view(of places: [SchemaPlace], depth: Int = 0) -> SchemaView {
        if let known = proofs.views[depth]?[places] { return known }
        let view = SchemaView(places, in: self, depth: depth)
        proofs.views[depth, default: [:]][places] = view
        return view
    }

    /// The properties that every value of a schema has, with their values, if the schema accepts only objects and lists
    /// the values of properties.
    func tags(of places: [SchemaPlace]) -> [ExactText: Set<JSONValue>] {
        if let known = proofs.tags[places] { return known }
        let view = view(of: places)
        var tags: [ExactText: Set<JSONValue>] = [:]
        if view.kinds == .object {
            for name in view.required.keys {
                guard let property = view.properties[name].map({ self.view(of: $0, depth: 1) }),
                    !property.isLeftOutInOneDirection, !property.kinds.contains(.null), let values = property.values
                else { continue }
                tags[name] = Set(values)
            }
        }
        proofs.tags[places] = tags
        return tags
    }

    /// Returns whether one property has different values in all schemas, so that no value obeys two of them.
    func areTagged(_ alternatives: [[SchemaPlace]]) -> Bool {
        guard let first = alternatives.first else { return true }
        return tags(of: first).keys.contains { name in
            var seen: Set<JSONValue> = []
            return alternatives.allSatisfy { places in
                guard let values = tags(of: places)[name], seen.isDisjoint(with: values) else { return false }
                seen.formUnion(values)
                return true
            }
        }
    }

    /// Returns whether no value obeys both schemas; false where that is not proved.
    func isApart(_ places: [SchemaPlace], from others: [SchemaPlace], in revision: ContractRevision) -> Bool {
        let tags = revision.tags(of: others)
        if self.tags(of: places).contains(where: { tags[$0]?.isDisjoint(with: $1) ?? false }) { return true }
        return proofs.result(SchemaProofs.Key(places, others, in: revision)) {
            view(of: places).isApart(from: revision.view(of: others))
        }
    }

    /// Returns whether the kinds of values that a schema allows show that it accepts none.
    func isImpossible(_ id: SchemaID) -> Bool {
        var kinds = ValueKinds.all
        var seen: Set<SchemaID> = []
        var waiting = [id]
        while let id = waiting.popLast(), seen.count < 100 {
            guard seen.insert(id).inserted else { continue }
            let facts = program.facts(of: id)
            // OpenAPI 3.0 accepts null regardless of the keywords next to `nullable`.
            if facts.isNullable { return false }
            kinds.formIntersection(facts.ownKinds)
            if let excluded = facts.choices.not { kinds.subtract(kindsAccepted(by: excluded)) }
            waiting += facts.choices.always
        }
        return kinds.isEmpty
    }

    /// The kinds of which a schema accepts every value; none for a schema with more keywords than `type`.
    func kindsAccepted(by id: SchemaID) -> ValueKinds {
        let facts = facts(of: target(of: SchemaPlace(id)))
        return facts.isListOfValues && facts.values == nil ? facts.kinds : []
    }

    /// The one schema that is meant, through references and `oneOf` with a single alternative.
    func meant(by place: SchemaPlace) -> SchemaPlace {
        let place = target(of: place)
        let facts = facts(of: place)
        guard facts.isDiscriminatedChoiceAlone else { return place }
        for alternatives in [facts.choices.oneOf, facts.choices.anyOf] where alternatives.count == 1 {
            return target(of: SchemaPlace(alternatives[0]))
        }
        return place
    }

    /// The part of an alternative by which revisions mean the same one: the reference, the title, or the schema itself.
    enum AlternativeMark: Hashable {
        case reference(String)
        case title(String)
        case source(JSONValue)
    }

    func mark(of alternative: SchemaPlace) -> AlternativeMark {
        let annotations = facts(of: alternative).annotations
        if let reference = annotations.reference { return .reference(reference) }
        return annotations.title.map(AlternativeMark.title) ?? .source(source(of: alternative))
    }

    func isNamed(_ place: SchemaPlace) -> Bool {
        let facts = facts(of: place)
        return facts.annotations.reference != nil || facts.annotations.title != nil || facts.kinds == .null
    }

    /// A name for an alternative; `nil` where neither a title, a reference nor the value of a property tells it.
    func distinctName(of place: SchemaPlace) -> String? {
        if isNamed(place) { return name(of: place) }
        guard let tag = tags(of: [place]).min(by: { $0.key.text < $1.key.text }), tag.value.count == 1 else {
            return nil
        }
        return "an object whose `\(tag.key.text)` is \(Array(tag.value).listed)"
    }

    /// A name for an alternative.
    func name(of place: SchemaPlace) -> String {
        let facts = facts(of: place)
        if let reference = facts.annotations.reference {
            return JSONPointer(fragment: "#" + (reference.split(separator: "#").last ?? ""))?.tokens.last ?? reference
        }
        return facts.annotations.title ?? facts.kinds.singleName?.withArticleOfKind ?? "another schema"
    }
}
