/// Which schemas a schema leads to.
extension ProgramDraft {
    /// Every node that a node applies, to the same value or to a part of it.
    func successors(of number: Int32) -> [Int32] {
        let node = nodes[Int(number)]
        var found = inPlace(node, onlyAlways: false)
        found += [node.unevaluatedItems, node.unevaluatedProperties]
        if node.arrays >= 0 {
            let rules = arrays[Int(node.arrays)]
            found += rules.prefix + [rules.items, rules.contains]
        }
        if node.objects >= 0 {
            let rules = objects[Int(node.objects)]
            found += rules.properties.map(\.node) + rules.patterns.map(\.node) + [rules.additional, rules.names]
            found += rules.dependentSchemas.map(\.node)
        }
        return found.filter { $0 >= 0 }
    }

    /// The nodes that a node applies to the same value.
    ///
    /// - Parameter onlyAlways: whether those are left out that a value may get round.
    func inPlace(_ node: SchemaNode, onlyAlways: Bool) -> [Int32] {
        var found: [Int32] = []
        for number in node.applicators {
            let applicator = applicators[Int(number)]
            switch applicator.kind {
            case .dynamicReference where onlyAlways: continue
            case .dynamicReference:
                found.append(dynamicReferences[Int(links[Int(applicator.links.lowerBound)])].target)
            case .reference, .allOf:
                found += links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
            default:
                if onlyAlways { continue }
                found += links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
            }
        }
        return found.filter { $0 >= 0 }
    }
}
