import Basics
import ECMAPatterns
import JSON

/// Finds everything that is wrong with a value, and says it in words.
///
/// It asks ``QuickValidation`` about every part first and looks closer only where the verdict is no. What is still to
/// be looked at waits in a list, so no depth overflows a stack; what is found first lies nearest to the root.
struct Explanation {
    struct Task {
        var node: Int32
        var value: JSONValue
        var path: InstancePath
        var parent: Int
        var branch: Int
        var scope: [Int32]
    }

    /// The violations after which nothing more is looked for.
    static let limit = 2_000

    let schemas: CompiledSchemas
    let direction: SchemaDirection
    var quick: QuickValidation
    var tree = ViolationTree()
    private var waiting: [Task] = []
    private var next = 0
    /// The number of names that may still be compared with a misspelt one.
    private var comparisons = 100_000

    init(_ schemas: CompiledSchemas, going direction: SchemaDirection, budget: StepBudget) {
        self.schemas = schemas
        self.direction = direction
        quick = QuickValidation(schemas, going: direction, budget: budget)
    }

    mutating func explain(_ root: Int32, _ value: JSONValue) throws(SchemaEvaluationError) -> [SchemaViolation] {
        ask(root, value, path: InstancePath(), parent: -1, branch: 0, scope: [])
        while next < waiting.count, tree.entries.count < Explanation.limit, quick.failed == nil {
            let known = tree.entries.count
            explain(waiting[next])
            // Once a run has failed every verdict is no, so the result of this task is dropped.
            if quick.failed != nil { tree.forget(from: known) }
            next += 1
            if next > 1_000 {
                waiting.removeFirst(next)
                next = 0
            }
        }
        if tree.entries.isEmpty, let failure = quick.failure(on: value) { throw failure }
        return tree.assembled()
    }

    /// A Boolean value that indicates whether enough is found, or waits behind the task in hand, so that further parts
    /// need not be looked at.
    var isFull: Bool { tree.entries.count + waiting.count - next > Explanation.limit }

    /// The name that was probably meant; none any more when very many have been compared.
    mutating func nearest(to name: String, among count: Int, _ candidates: () -> [String]) -> String? {
        guard count <= comparisons else { return nil }
        comparisons -= count
        return Suggestion.nearest(to: name, among: candidates())
    }

    /// Looks closer at a part that a schema refuses.
    ///
    /// - Returns: whether the schema refuses it.
    @discardableResult
    mutating func ask(
        _ node: Int32,
        _ value: JSONValue,
        path: InstancePath,
        parent: Int,
        branch: Int,
        scope: [Int32]
    ) -> Bool {
        guard refuses(node, value, scope) else { return false }
        waiting.append(Task(node: node, value: value, path: path, parent: parent, branch: branch, scope: scope))
        return true
    }

    mutating func refuses(_ node: Int32, _ value: JSONValue, _ scope: [Int32]) -> Bool {
        quick.scope = scope
        return !quick.accepts(node, value)
    }

    private mutating func explain(_ task: Task) {
        let node = schemas.nodes[Int(task.node)]
        var task = task
        if !schemas.dynamicReferences.isEmpty, task.scope.last != node.resource { task.scope.append(node.resource) }
        if node.verdict == .refuses {
            add(.notAllowed, "false", task)
            return
        }
        if !node.kinds.contains(task.value) {
            // The other keywords are about other types, or would say the same again.
            let isNearly = node.kinds.contains(KindSet.plainInteger) && task.value.number?.isInteger == true
            add(
                .wrongType(node.kinds),
                "type",
                task,
                advice: isNearly ? "in draft 4, an integer must not have a fraction or an exponent" : nil
            )
            return
        }
        if node.values >= 0, !schemas.values[Int(node.values)].contains(task.value) { addWrongValue(node, task) }
        switch task.value.content {
        case .number(let number): if node.numbers >= 0 { explain(number, schemas.numbers[Int(node.numbers)], task) }
        case .string(let string): if node.strings >= 0 { explain(string, schemas.strings[Int(node.strings)], task) }
        case .array(let elements): if node.arrays >= 0 { explain(elements, schemas.arrays[Int(node.arrays)], task) }
        case .object(let object): if node.objects >= 0 { explain(object, schemas.objects[Int(node.objects)], task) }
        default: break
        }
        for applicator in node.applicators { explain(schemas.applicators[Int(applicator)], task) }
        if node.unevaluatedItems >= 0 || node.unevaluatedProperties >= 0 { explainUnevaluated(node, task) }
    }

    /// - Parameters:
    ///   - part: what is wrong, where it is only a part of the task's value.
    ///   - position: the position of the part, when it is not that of its value.
    @discardableResult
    mutating func add(
        _ complaint: Complaint,
        _ keyword: String,
        _ task: Task,
        about part: (value: JSONValue, path: InstancePath)? = nil,
        position: JSONPosition? = nil,
        advice: String? = nil,
        hasAlternatives: Bool = false,
        isConclusive: Bool = false
    ) -> Int {
        let (value, path) = part ?? (task.value, task.path)
        let place = schemas.nodes[Int(task.node)].place
        let schema = schemas.places[place].value
        let isBoolean = keyword == "false"
        let violation = SchemaViolation(
            keyword: keyword,
            instance: path.pointer,
            instancePosition: position ?? value.position,
            schema: schemas.uri(of: place) + (isBoolean ? "" : "/" + keyword),
            schemaPosition: (isBoolean ? nil : schema.object?.member(named: keyword)?.namePosition) ?? schema.position,
            complaint: complaint,
            value: value,
            path: path,
            advice: advice,
            causes: [],
            nearest: 0..<0
        )
        return tree.add(
            ViolationTree.Entry(
                violation: violation,
                parent: task.parent,
                branch: task.branch,
                hasAlternatives: hasAlternatives,
                isConclusive: isConclusive
            )
        )
    }

    private mutating func addWrongValue(_ node: SchemaNode, _ task: Task) {
        let values = schemas.values[Int(node.values)].values
        let isConstant = schemas.written(.enum, at: task.node) == nil
        var advice: String?
        if let text = task.value.string {
            advice = nearest(to: text, among: values.count) { values.compactMap(\.string) }
                .map { "did you mean \"\($0)\"?" }
        } else if values.contains(where: { $0.string?.exact == task.value.text(.compact).exact }) {
            advice = "write the value as a string, in quotes"
        }
        add(.wrongValue(values), isConstant ? "const" : "enum", task, advice: advice)
    }
}

/// Violations of numbers and strings.
extension Explanation {
    mutating func explain(_ number: JSONNumber, _ rules: NumberRules, _ task: Task) {
        if let limit = rules.minimum, number < limit { add(.limit("at least", limit), "minimum", task) }
        if let limit = rules.maximum, limit < number { add(.limit("at most", limit), "maximum", task) }
        if let limit = rules.exclusiveMinimum, !(limit < number) {
            // Before draft 6 the limit is in `minimum`, and `exclusiveMinimum` is a flag.
            add(
                .limit("more than", limit),
                schemas.written(.exclusiveMinimum, at: task.node)?.bool == true ? "minimum" : "exclusiveMinimum",
                task
            )
        }
        if let limit = rules.exclusiveMaximum, !(number < limit) {
            add(
                .limit("less than", limit),
                schemas.written(.exclusiveMaximum, at: task.node)?.bool == true ? "maximum" : "exclusiveMaximum",
                task
            )
        }
        if let divisor = rules.multipleOf, number.isMultiple(of: divisor) == false {
            add(.limit("a multiple of", divisor), "multipleOf", task)
        }
        if let format = rules.format, !format.accepts(number) { add(.format(format.rawValue), "format", task) }
    }

    mutating func explain(_ string: String, _ rules: StringRules, _ task: Task) {
        let length = string.unicodeScalars.count
        if length < rules.minimumLength {
            add(.count(length, of: "character", least: true, limit: rules.minimumLength), "minLength", task)
        }
        if length > rules.maximumLength {
            add(.count(length, of: "character", least: false, limit: rules.maximumLength), "maxLength", task)
        }
        if let pattern = rules.pattern, pattern.search(in: string) == .noMatch {
            add(.pattern(pattern.source), "pattern", task)
        }
        if let format = rules.format, !format.accepts(string) { add(.format(format.rawValue), "format", task) }
    }
}

/// Violations of arrays.
extension Explanation {
    mutating func explain(_ elements: [JSONValue], _ rules: ArrayRules, _ task: Task) {
        let count = elements.count
        if count < rules.minimumCount {
            add(.count(count, of: "element", least: true, limit: rules.minimumCount), "minItems", task)
        }
        if count > rules.maximumCount {
            add(.count(count, of: "element", least: false, limit: rules.maximumCount), "maxItems", task)
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
                    add(.leftOverElement, keyword, task, about: (element, task.path.element(number)))
                } else {
                    askPart(rules.items, element, at: task.path.element(number), task)
                }
            }
        }
    }

    /// Looks at a part, whose faults are reported next to those of the whole.
    mutating func askPart(_ node: Int32, _ value: JSONValue, at path: InstancePath, _ task: Task) {
        ask(node, value, path: path, parent: task.parent, branch: task.branch, scope: task.scope)
    }

    private func hasArrayItems(_ task: Task) -> Bool {
        schemas.written(.items, at: task.node)?.array != nil
    }

    private mutating func explainContained(_ elements: [JSONValue], _ rules: ArrayRules, _ task: Task) {
        guard rules.contains >= 0 else { return }
        var count = 0
        for element in elements where !refuses(rules.contains, element, task.scope) { count += 1 }
        if count < rules.minimumContained {
            let keyword = schemas.written(.minContains, at: task.node) == nil ? "contains" : "minContains"
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

/// Violations by schemas that are applied to the same value.
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
                if !quick.acceptsOneByFormat(applicator.links, task.value) { add(.fitsSeveral(count), "oneOf", task) }
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
        let dynamic: [Keyword] = [.dynamicRef, .recursiveRef]
        let keywords = applicator.kind == .reference ? [.ref] + dynamic : dynamic
        return (keywords.first { schemas.written($0, at: task.node) != nil } ?? .ref).rawValue
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

    /// The parts that no other keyword evaluates.
    mutating func explainUnevaluated(_ node: SchemaNode, _ task: Task) {
        quick.scope = task.scope
        let evaluated = quick.partsEvaluatedBeside(task.node, task.value)
        switch task.value.content {
        case .array(let elements) where node.unevaluatedItems >= 0:
            for (number, element) in elements.enumerated() where !isFull && !evaluated[number] {
                if schemas.nodes[Int(node.unevaluatedItems)].verdict == .refuses {
                    add(.leftOverElement, "unevaluatedItems", task, about: (element, task.path.element(number)))
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
