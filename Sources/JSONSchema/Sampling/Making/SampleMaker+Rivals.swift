import Basics
import JSON

extension SampleMaker {
    /// The value, changed for each branch of a `oneOf` that accepts it next to the chosen one, so that this branch no
    /// longer does.
    ///
    /// Objects of which nothing is required are valid for every branch unless their properties disagree, and a schema
    /// that includes another one has values of which the other refuses only a part far inside.
    ///
    /// - Parameter schemas: what the value has to obey, the `oneOf` included.
    mutating func spoiled(
        _ value: JSONValue,
        for constraints: Conjunction,
        of schemas: [SchemaID],
        depth: Int
    ) -> JSONValue {
        var value = value
        for rival in constraints.rivals where accepts(value, by: rival) {
            value = refused(value, by: rival, within: constraints, of: schemas, depth: depth) ?? value
        }
        return value
    }

    /// Changes one part of a value, so that a schema refuses it and what holds at its place does not.
    private mutating func refused(
        _ value: JSONValue,
        by rival: SchemaID,
        within constraints: Conjunction,
        of schemas: [SchemaID],
        depth: Int
    ) -> JSONValue? {
        guard depth < Self.depthLimit, changes > 0 else { return nil }
        // Each change of a value is judged by all branches.
        changes -= 1 + constraints.rivals.count / 16
        switch value.content {
        case .object(let object): return refused(object, by: rival, within: constraints, depth: depth)
        case .array(let elements):
            let inner = table.parts(of: rival).compactMap { table.facts(of: $0).arrays.rest }
            for schema in inner {
                let allowed = constraints.elementSchemas(at: 0)
                guard let other = other(than: elements.first, for: allowed, refusedBy: schema, depth: depth + 1) else {
                    continue
                }
                let changed = JSONValue.array([other] + elements.dropFirst())
                if !accepts(changed, by: rival) { return changed }
            }
            return nil
        default: return odd(for: schemas, refusedBy: rival)
        }
    }

    private mutating func refused(
        _ object: JSONObject,
        by rival: SchemaID,
        within constraints: Conjunction,
        depth: Int
    ) -> JSONValue? {
        let mayGrow = constraints.objects.allSatisfy { object.count < $0.objects.maximumCount }
        let required = PropertyChoice(required: constraints.objects.flatMap(\.objects.required), tags: [])
        for part in table.parts(of: rival) {
            let objects = table.facts(of: part).objects
            for property in objects.properties where mayGrow || object.contains(property.name) {
                let allowed = constraints.schemas(ofProperty: property.name)
                guard
                    let other = other(
                        than: object[property.name],
                        for: allowed,
                        refusedBy: property.schema,
                        depth: depth + 1
                    )
                else { continue }
                var changed = object
                changed[property.name] = other
                if !accepts(.object(changed), by: rival) { return .object(changed) }
            }
            for name in objects.required where !required.isRequired(name) {
                let changed = JSONValue.object(JSONObject(object.members.filter { $0.name.exact != name.exact }))
                if !accepts(changed, by: rival) { return changed }
            }
        }
        guard mayGrow else { return nil }
        var changed = object
        changed["key"] = "text"
        return accepts(.object(changed), by: rival) ? nil : .object(changed)
    }

    /// A value for a place that one schema refuses and the others do not.
    private mutating func other(
        than value: JSONValue?,
        for allowed: [SchemaID],
        refusedBy rival: SchemaID,
        depth: Int
    ) -> JSONValue? {
        guard depth < Self.depthLimit, changes > 0 else { return nil }
        changes -= 1
        if let odd = odd(for: allowed, refusedBy: rival) { return odd }
        guard let constraints = constraints(allowed, depth: depth),
            let base = value ?? make(allowed, depth: depth, name: ""),
            let changed = refused(base, by: rival, within: constraints, of: allowed, depth: depth),
            accepts(changed, allowed)
        else { return nil }
        return changed
    }

    private mutating func odd(for allowed: [SchemaID], refusedBy rival: SchemaID) -> JSONValue? {
        let values = Self.oddValues + beyondLimits(of: rival)
        for value in values where !accepts(value, by: rival) && accepts(value, allowed) { return value }
        return nil
    }

    /// A value of each kind.
    private static let oddValues: [JSONValue] = [
        "text", 1, true, .array([]), .object([:]), .null, 1.5, -1, "", .array([.null]),
    ]

    /// Values just beyond what a schema says of numbers and lengths.
    private mutating func beyondLimits(of schema: SchemaID) -> [JSONValue] {
        var values: [JSONValue] = []
        for part in table.parts(of: schema) {
            let facts = table.facts(of: part)
            values += [facts.numbers.minimum?.int, facts.numbers.maximum?.int].compactMap(\.self).flatMap { limit in
                [limit.subtractingReportingOverflow(1), limit.addingReportingOverflow(1)]
                    .filter { !$0.overflow }.map { .number(JSONNumber($0.partialValue)) }
            }
            for length in [facts.texts.minimumLength - 1, facts.texts.maximumLength] where 0..<1_000 ~= length {
                values += [.string(HardTexts.long(length)), .string(HardTexts.long(length + 1))]
            }
        }
        return values
    }
}
