import Basics
import JSON

/// Finds everything that is wrong with a value, and says it in words.
///
/// It asks ``QuickValidation`` about every part first and looks closer only where the answer is no. What is still to be
/// looked at waits in a list, so no depth overflows a stack; what is found first lies nearest to the root.
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
    /// How many names may still be compared with what was perhaps meant.
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
            // Once a run has failed every answer is no, so what came of this task means nothing.
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

    /// Whether enough is found, or waits behind the task in hand, so that further parts need not be looked at.
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
                advice: isNearly ? "in draft 4 an integer is written without a fraction and an exponent" : nil
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

    @discardableResult
    mutating func add(
        _ complaint: Complaint,
        _ keyword: String,
        _ task: Task,
        advice: String? = nil,
        hasAlternatives: Bool = false,
        isConclusive: Bool = false
    ) -> Int {
        add(
            complaint,
            keyword,
            task,
            about: task.value,
            at: task.path,
            position: nil,
            advice: advice,
            hasAlternatives: hasAlternatives,
            isConclusive: isConclusive
        )
    }

    /// - Parameter position: where the part stands, when it is not where its value begins.
    @discardableResult
    mutating func add(
        _ complaint: Complaint,
        _ keyword: String,
        _ task: Task,
        about value: JSONValue,
        at path: InstancePath,
        position: JSONPosition?,
        advice: String? = nil,
        hasAlternatives: Bool = false,
        isConclusive: Bool = false
    ) -> Int {
        let place = schemas.nodes[Int(task.node)].place
        let schema = schemas.places[place].value
        let isBoolean = keyword == "false"
        let violation = SchemaViolation(
            keyword: keyword,
            instance: path.pointer,
            instancePosition: position ?? value.position,
            schema: schemas.uri(of: place) + (isBoolean ? "" : "/" + keyword),
            schemaPosition: (isBoolean ? nil : schema.object?.member(named: keyword)?.namePosition) ?? schema.position,
            sentence: complaint.sentence(about: value, at: path),
            advice: advice,
            causes: [],
            nearest: 0..<0,
            order: path.order
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
        let isConstant = schemas.places[node.place].value.object?.contains("enum") == false
        var advice: String?
        if let text = task.value.string {
            advice = nearest(to: text, among: values.count) { values.compactMap(\.string) }
                .map { "did you mean \"\($0)\"?" }
        } else if values.contains(where: { $0.string?.hasSameUTF8(as: task.value.text(.compact)) == true }) {
            advice = "the schema wants it as a string, in quotes"
        }
        add(.wrongValue(values), isConstant ? "const" : "enum", task, advice: advice)
    }
}
