import JSON

/// What is wrong with arrays.
extension Explanation {
    mutating func explain(_ elements: [JSONValue], _ rules: ArrayRules, _ task: Task) {
        let count = elements.count
        if count < rules.minimumCount {
            add(.elementCount(count, least: true, limit: rules.minimumCount), "minItems", task)
        }
        if count > rules.maximumCount {
            add(.elementCount(count, least: false, limit: rules.maximumCount), "maxItems", task)
        }
        if rules.isUnique, let (first, second) = equalElements(elements) {
            add(.equalElements(first, second), "uniqueItems", task)
        }
        explainContained(elements, rules, task)
        for (number, element) in elements.enumerated() {
            if isFull { break }
            if number < rules.prefix.count {
                askPart(rules.prefix[number], element, at: task.path.element(number), task)
            } else if rules.items >= 0 {
                if schemas.nodes[Int(rules.items)].verdict == .refuses {
                    let keyword = hasArrayItems(task) ? "additionalItems" : "items"
                    add(.leftOverElement, keyword, task, about: element, at: task.path.element(number), position: nil)
                } else {
                    askPart(rules.items, element, at: task.path.element(number), task)
                }
            }
        }
    }

    /// Looks at a part, whose faults stand beside those of the whole.
    mutating func askPart(_ node: Int32, _ value: JSONValue, at path: InstancePath, _ task: Task) {
        ask(node, value, path: path, parent: task.parent, branch: task.branch, scope: task.scope)
    }

    private func hasArrayItems(_ task: Task) -> Bool {
        schemas.places[schemas.nodes[Int(task.node)].place].value["items"]?.array != nil
    }

    private mutating func explainContained(_ elements: [JSONValue], _ rules: ArrayRules, _ task: Task) {
        guard rules.contains >= 0 else { return }
        var count = 0
        for element in elements where !refuses(rules.contains, element, task.scope) { count += 1 }
        let schema = schemas.places[schemas.nodes[Int(task.node)].place].value
        if count < rules.minimumContained {
            let keyword = schema["minContains"] == nil ? "contains" : "minContains"
            add(.contained(count, least: true, limit: rules.minimumContained), keyword, task)
        }
        if count > rules.maximumContained {
            add(.contained(count, least: false, limit: rules.maximumContained), "maxContains", task)
        }
    }

    private func equalElements(_ elements: [JSONValue]) -> (Int, Int)? {
        var seen: [JSONValue: Int] = [:]
        for (number, element) in elements.enumerated() {
            if let first = seen.updateValue(number, forKey: element) { return (first, number) }
        }
        return nil
    }
}
