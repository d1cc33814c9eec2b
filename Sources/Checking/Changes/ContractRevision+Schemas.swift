import Basics
import JSON
import JSONSchema
import OpenAPI

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

    /// The values that a schema does not accept; `nil` when that is undecided.
    func refused(of values: [JSONValue], by places: [SchemaPlace]) -> [JSONValue]? {
        guard places.allSatisfy(\.decided.isEmpty) else { return nil }
        guard !places.contains(where: { program.hasErrors($0.id) }) else { return nil }
        let schemas = places.map { program.schema($0.id) }
        return try? values.filter { value in try !schemas.allSatisfy { try $0.accepts(value) } }
    }

    /// The alternatives of a schema with one group of them, each merged with the keywords next to it.
    func alternatives(of places: [SchemaPlace], _ view: SchemaView) -> [[SchemaPlace]] {
        guard let group = view.groups.first, !places.isEmpty else { return [places] }
        let rest = places.map { place in
            var place = place
            place.decided.append(group.choice)
            return place
        }
        return group.alternatives.map { rest + [$0] }
    }

    /// The one schema that is meant, through references and `oneOf` with a single alternative.
    func meant(by place: SchemaPlace) -> SchemaPlace {
        let place = target(of: place)
        let choices = facts(of: place).choices
        for alternatives in [choices.oneOf, choices.anyOf] where alternatives.count == 1 {
            return target(of: SchemaPlace(alternatives[0]))
        }
        return place
    }

    func isNamed(_ place: SchemaPlace) -> Bool {
        let facts = facts(of: place)
        return facts.annotations.reference != nil || facts.annotations.title != nil || facts.kinds == .null
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
