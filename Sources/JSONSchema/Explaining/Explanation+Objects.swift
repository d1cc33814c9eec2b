import Basics
import ECMAPatterns
import JSON

/// Violations of objects.
extension Explanation {
    mutating func explain(_ object: JSONObject, _ rules: ObjectRules, _ task: Task) {
        let count = object.count
        if count < rules.minimumCount {
            add(.count(count, of: "property", least: true, limit: rules.minimumCount), "minProperties", task)
        }
        if count > rules.maximumCount {
            add(.count(count, of: "property", least: false, limit: rules.maximumCount), "maxProperties", task)
        }
        explainMissing(object, rules, task)
        for (number, member) in object.members.enumerated() {
            if isFull { break }
            explain(member, number, of: object, rules, task)
        }
        for dependency in rules.dependentNames where object.contains(dependency.name) {
            for name in dependency.required where !isFull && !object.contains(name) {
                add(.missingBeside(name, because: dependency.name), keyword(.dependentRequired, task), task)
            }
        }
        for dependency in rules.dependentSchemas where object.contains(dependency.name) {
            guard refuses(dependency.node, task.value, task.scope) else { continue }
            addCauses(of: [dependency.node], keyword(.dependentSchemas, task), task)
        }
    }

    /// The keyword that a schema has, where older drafts had one for two.
    private func keyword(_ keyword: Keyword, _ task: Task) -> String {
        (schemas.written(keyword, at: task.node) == nil ? .dependencies : keyword).rawValue
    }

    private mutating func explainMissing(_ object: JSONObject, _ rules: ObjectRules, _ task: Task) {
        let strangers = object.names.filter { rules.index.number(of: $0) == nil }
        for property in rules.properties where property.isRequired && !object.contains(property.name) {
            if isFull { break }
            if direction == .request, property.isReadOnly { continue }
            if direction == .response, property.isWriteOnly { continue }
            let near = nearest(to: property.name, among: strangers.count) { strangers }
            add(
                .missing(property.name),
                "required",
                task,
                // A misspelt name is what has to be fixed.
                position: near.flatMap { object.member(named: $0)?.namePosition },
                advice: near.map { "\(task.path.name(of: $0)) may be meant" }
            )
        }
    }

    private mutating func explain(
        _ member: JSONObject.Member,
        _ number: Int,
        of object: JSONObject,
        _ rules: ObjectRules,
        _ task: Task
    ) {
        let path = task.path.member(member.name, number)
        var isKnown = false
        if let property = rules.index.number(of: member.name),
            rules.properties[property].node >= 0
        {
            isKnown = true
            askPart(rules.properties[property].node, member.value, at: path, task)
        }
        for pattern in rules.patterns where pattern.pattern.search(in: member.name) == .match {
            isKnown = true
            askPart(pattern.node, member.value, at: path, task)
        }
        if !isKnown, rules.additional >= 0 {
            if schemas.nodes[Int(rules.additional)].verdict == .refuses {
                addUnknown(member, path, of: object, among: rules.properties, "additionalProperties", task)
            } else {
                askPart(rules.additional, member.value, at: path, task)
            }
        }
        if rules.names >= 0, refuses(rules.names, .string(member.name), task.scope) {
            add(.badName(member.name), "propertyNames", task, position: member.namePosition)
        }
    }

    mutating func addUnknown(
        _ member: JSONObject.Member,
        _ path: InstancePath,
        of object: JSONObject,
        among properties: [ObjectRules.Property],
        _ keyword: String,
        _ task: Task
    ) {
        let near = nearest(to: member.name, among: properties.count) {
            properties.map(\.name).filter { !object.contains($0) }
        }
        add(
            .unknownProperty(isClosed: keyword == "additionalProperties"),
            keyword,
            task,
            about: (member.value, path),
            position: member.namePosition.isKnown ? member.namePosition : nil,
            advice: near.map { "did you mean \"\($0)\"?" }
        )
    }
}
