import JSON

/// What is wrong by schemas that are applied to the same value.
extension Explanation {
    mutating func explain(_ applicator: Applicator, _ task: Task) {
        let links = schemas.links[Int(applicator.links.lowerBound)..<Int(applicator.links.upperBound)]
        switch applicator.kind {
        case .reference, .allOf:
            let refusing = links.filter { refuses($0, task.value, task.scope) }
            if !refusing.isEmpty { addCauses(of: refusing, keyword(of: applicator, task), task) }
        case .dynamicReference:
            quick.scope = task.scope
            let target = quick.target(ofDynamic: links[links.startIndex])
            if refuses(target, task.value, task.scope) { addCauses(of: [target], keyword(of: applicator, task), task) }
        case .anyOf: explainAlternatives(Array(links), "anyOf", task)
        case .oneOf:
            let count = links.count { !refuses($0, task.value, task.scope) }
            if count > 1 {
                add(.fitsSeveral(count), "oneOf", task)
            } else {
                explainAlternatives(Array(links), "oneOf", task)
            }
        case .not:
            if !refuses(links[links.startIndex], task.value, task.scope) { add(.ruledOut, "not", task) }
        case .condition: explainCondition(Array(links), task)
        }
    }

    private func keyword(of applicator: Applicator, _ task: Task) -> String {
        guard applicator.kind != .allOf else { return "allOf" }
        let schema = schemas.places[schemas.nodes[Int(task.node)].place].value
        let names =
            applicator.kind == .reference
            ? ["$ref", "$dynamicRef", "$recursiveRef"] : ["$dynamicRef", "$recursiveRef"]
        return names.first { schema[$0] != nil } ?? "$ref"
    }

    mutating func addCauses(of nodes: [Int32], _ keyword: String, _ task: Task) {
        let number = add(.causes, keyword, task)
        for node in nodes {
            ask(node, task.value, path: task.path, parent: number, branch: 0, scope: task.scope)
        }
    }

    private mutating func explainAlternatives(_ nodes: [Int32], _ keyword: String, _ task: Task) {
        guard nodes.allSatisfy({ refuses($0, task.value, task.scope) }) else { return }
        let kinds = nodes.reduce(into: KindSet()) { $0.formUnion(self.kinds(of: $1)) }
        let isOfWrongType = !kinds.contains(task.value)
        let number = add(
            isOfWrongType ? .wrongType(kinds) : .fitsNone,
            keyword,
            task,
            hasAlternatives: true,
            isConclusive: isOfWrongType
        )
        for (branch, node) in nodes.enumerated() {
            ask(node, task.value, path: task.path, parent: number, branch: branch, scope: task.scope)
        }
    }

    /// The types that a schema allows, as far as it says so itself or through plain references.
    private func kinds(of number: Int32) -> KindSet {
        var node = schemas.nodes[Int(number)]
        var kinds = node.kinds
        for _ in 0..<8 {
            if node.verdict == .refuses { return [] }
            guard node.applicators.count == 1 else { break }
            let applicator = schemas.applicators[Int(node.applicators.lowerBound)]
            guard applicator.kind == .reference else { break }
            node = schemas.nodes[Int(schemas.links[Int(applicator.links.lowerBound)])]
            kinds.formIntersection(node.kinds)
        }
        return kinds
    }

    private mutating func explainCondition(_ links: [Int32], _ task: Task) {
        let isMet = !refuses(links[0], task.value, task.scope)
        let branch = links[isMet ? 1 : 2]
        guard branch >= 0, refuses(branch, task.value, task.scope) else { return }
        addCauses(of: [branch], isMet ? "then" : "else", task)
    }

    /// What is left over when every other keyword has taken what it evaluates.
    mutating func explainUnevaluated(_ node: SchemaNode, _ task: Task) {
        quick.scope = task.scope
        let evaluated = quick.partsEvaluatedBeside(task.node, task.value)
        switch task.value.content {
        case .array(let elements) where node.unevaluatedItems >= 0:
            for (number, element) in elements.enumerated() where !isFull && !evaluated[number] {
                if schemas.nodes[Int(node.unevaluatedItems)].verdict == .refuses {
                    let path = task.path.element(number)
                    add(.leftOverElement, "unevaluatedItems", task, about: element, at: path, position: nil)
                } else {
                    askPart(node.unevaluatedItems, element, at: task.path.element(number), task)
                }
            }
        case .object(let object) where node.unevaluatedProperties >= 0:
            for (number, member) in object.members.enumerated() where !isFull && !evaluated[number] {
                let path = task.path.member(member.name, number)
                if schemas.nodes[Int(node.unevaluatedProperties)].verdict == .refuses {
                    let known = node.objects < 0 ? [] : schemas.objects[Int(node.objects)].properties
                    addUnknown(member, path, of: object, among: known, "unevaluatedProperties", task)
                } else {
                    askPart(node.unevaluatedProperties, member.value, at: path, task)
                }
            }
        default: break
        }
    }
}
