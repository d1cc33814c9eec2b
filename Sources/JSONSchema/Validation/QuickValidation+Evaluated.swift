import ECMAPatterns
import JSON

extension QuickValidation {
    /// The parts that the keywords of a schema evaluate beside its `unevaluatedItems` and `unevaluatedProperties`.
    ///
    /// A part counts also where the keyword refuses it: that is told already, and need not be told twice.
    mutating func partsEvaluatedBeside(_ number: Int32, _ value: JSONValue) -> EvaluatedParts {
        let node = schemas.nodes[Int(number)]
        var found = EvaluatedParts()
        for applicator in node.applicators { merge(schemas.applicators[Int(applicator)], value, into: &found) }
        switch value.content {
        case .array(let elements) where node.arrays >= 0: mark(elements, schemas.arrays[Int(node.arrays)], in: &found)
        case .object(let object) where node.objects >= 0:
            mark(object, schemas.objects[Int(node.objects)], in: &found)
            for dependency in schemas.objects[Int(node.objects)].dependentSchemas where object.contains(dependency.name)
            {
                if let parts = evaluatedParts(by: dependency.node, value) { found.merge(parts) }
            }
        default: break
        }
        return found
    }

    private mutating func merge(_ applicator: Applicator, _ value: JSONValue, into found: inout EvaluatedParts) {
        var links = Array(schemas.links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)])
        switch applicator.kind {
        case .not: return
        case .dynamicReference: links = [target(ofDynamic: links[0])]
        case .condition: links = [links[0], links[accepts(links[0], value) ? 1 : 2]]
        default: break
        }
        for link in links where link >= 0 {
            if let parts = evaluatedParts(by: link, value) { found.merge(parts) }
        }
    }

    private mutating func mark(_ elements: [JSONValue], _ rules: ArrayRules, in found: inout EvaluatedParts) {
        if rules.items >= 0 { found.markAll() }
        for number in 0..<min(rules.prefix.count, elements.count) { found.mark(number) }
        guard rules.contains >= 0, rules.containsEvaluates else { return }
        for (number, element) in elements.enumerated() where accepts(rules.contains, element) { found.mark(number) }
    }

    private func mark(_ object: JSONObject, _ rules: ObjectRules, in found: inout EvaluatedParts) {
        if rules.additional >= 0 { return found.markAll() }
        for (number, member) in object.members.enumerated() {
            let property = rules.index.number(of: member.name)
            if property.map({ rules.properties[$0].node >= 0 }) == true
                || rules.patterns.contains(where: { $0.pattern.search(in: member.name) == .match })
            {
                found.mark(number)
            }
        }
    }
}
