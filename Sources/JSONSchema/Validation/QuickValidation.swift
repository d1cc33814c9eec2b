import ECMAPatterns
import JSON

/// One validation that returns only the verdict.
///
/// It stops at the first thing that is wrong, makes no pointers and no messages, and keeps track of evaluated parts
/// only inside of schemas that have `unevaluatedItems` or `unevaluatedProperties`.
struct QuickValidation {
    /// The reason why a run ended without a verdict.
    enum Failure {
        case tooManySteps
        case tooDeep
        case patternTooHard
        case divisionTooHard
    }

    let schemas: CompiledSchemas
    let direction: SchemaDirection
    private(set) var failed: Failure?
    private(set) var budget: StepBudget
    private var stack = ThreadStack()
    /// Filled from the outermost resource inwards, when the program has dynamic references.
    var scope: [Int32] = []
    private let keepsScope: Bool
    /// A Boolean value that indicates whether formats count that are annotations otherwise.
    private var countsFormats = false
    /// One for each schema that is open and collects what was evaluated.
    private var parts: [EvaluatedParts] = []
    private var memo = VerdictMemo()

    /// - Parameter budget: what the run may cost; it belongs to the whole value, parts of which may be judged one by one.
    init(_ schemas: CompiledSchemas, going direction: SchemaDirection, budget: StepBudget) {
        self.budget = budget
        self.schemas = schemas
        self.direction = direction
        keepsScope = !schemas.dynamicReferences.isEmpty
    }

    /// Returns whether a value obeys a schema; without meaning once ``failed`` is set.
    mutating func accepts(_ number: Int32, _ value: JSONValue) -> Bool {
        accepts(number, value, collecting: false)
    }

    /// The parts that a schema evaluates, or `nil` when the value does not obey it.
    mutating func evaluatedParts(by number: Int32, _ value: JSONValue) -> EvaluatedParts? {
        parts.append(EvaluatedParts())
        let verdict = accepts(number, value, collecting: true)
        let collected = parts.removeLast()
        return verdict ? collected : nil
    }

    /// - Parameter collects: whether evaluated parts are to be added to the last of ``parts``.
    private mutating func accepts(_ number: Int32, _ value: JSONValue, collecting collects: Bool) -> Bool {
        let index = Int(number)
        let node = schemas.nodes[index]
        switch node.verdict {
        case .accepts: return true
        case .refuses: return false
        case .depends: break
        }
        if node.isNullable, value.isNull { return true }
        if node.kinds != .all, !node.kinds.contains(value) { return false }
        if node.values >= 0, !schemas.values[Int(node.values)].contains(value) { return false }
        if countsFormats, !schemas.hasDistinguishingFormat(index, value) { return false }
        if node.isScalar { return acceptsScalar(index, value) }
        guard enter(value) else { return false }
        guard budget.isUnusual, !collects, !keepsScope, !countsFormats, memo.isUseful, value.isSmall else {
            return acceptsWhole(number, value, collecting: collects)
        }
        if let known = memo.verdict(of: number, value) { return known }
        let verdict = acceptsWhole(number, value, collecting: collects)
        if failed == nil { memo.keep(verdict, of: number, value) }
        return verdict
    }

    @inline(__always)
    private mutating func acceptsWhole(_ number: Int32, _ value: JSONValue, collecting collects: Bool) -> Bool {
        let index = Int(number)
        let node = schemas.nodes[index]
        let isNewScope = keepsScope && scope.last != node.resource
        if isNewScope { scope.append(node.resource) }
        defer {
            if isNewScope { scope.removeLast() }
        }
        guard node.unevaluatedItems >= 0 || node.unevaluatedProperties >= 0 else {
            return acceptsRest(index, value, collecting: collects)
        }
        return acceptsUnevaluated(index, value, collecting: collects)
    }

    private mutating func enter(_ value: JSONValue) -> Bool {
        guard failed == nil else { return false }
        guard stack.hasRoom() else {
            failed = .tooDeep
            return false
        }
        if budget.spend(with: schemas) { return true }
        failed = .tooManySteps
        return false
    }

    @inline(__always)
    private mutating func acceptsScalar(_ index: Int, _ value: JSONValue) -> Bool {
        switch value.content {
        case .number(let number):
            let rules = schemas.nodes[index].numbers
            return rules < 0 || accepts(number, Int(rules))
        case .string(let string):
            let rules = schemas.nodes[index].strings
            return rules < 0 || accepts(string, Int(rules))
        default:
            return true
        }
    }

    @inline(never)
    private mutating func acceptsUnevaluated(_ index: Int, _ value: JSONValue, collecting collects: Bool) -> Bool {
        let count: Int
        switch value.content {
        case .array(let elements) where schemas.nodes[index].unevaluatedItems >= 0: count = elements.count
        case .object(let object) where schemas.nodes[index].unevaluatedProperties >= 0: count = object.count
        default: return acceptsRest(index, value, collecting: collects)
        }
        parts.append(EvaluatedParts())
        guard acceptsRest(index, value, collecting: true) else {
            parts.removeLast()
            return false
        }
        let evaluated = parts.removeLast()
        for number in 0..<count where !evaluated[number] {
            guard acceptsLeftOver(index, value, number) else { return false }
        }
        if collects { parts[parts.count - 1].markAll() }
        return true
    }

    private mutating func acceptsLeftOver(_ index: Int, _ value: JSONValue, _ number: Int) -> Bool {
        switch value.content {
        case .array(let elements):
            accepts(schemas.nodes[index].unevaluatedItems, elements[number], collecting: false)
        case .object(let object):
            accepts(schemas.nodes[index].unevaluatedProperties, object.members[number].value, collecting: false)
        default: true
        }
    }

    /// Everything but `unevaluatedItems` and `unevaluatedProperties`.
    private mutating func acceptsRest(_ index: Int, _ value: JSONValue, collecting collects: Bool) -> Bool {
        switch value.content {
        case .object(let object):
            let rules = schemas.nodes[index].objects
            if rules >= 0, !accepts(object, value, Int(rules), collecting: collects) { return false }
        case .array(let elements):
            let rules = schemas.nodes[index].arrays
            if rules >= 0, !accepts(elements, Int(rules), collecting: collects) { return false }
        default:
            if !acceptsScalar(index, value) { return false }
        }
        for number in schemas.nodes[index].applicators {
            guard applies(Int(number), value, collecting: collects) else { return false }
        }
        return true
    }

    /// The error to throw instead of a verdict.
    func failure(on value: JSONValue) -> SchemaEvaluationError? {
        failed.map { SchemaEvaluationError(message: $0.sentence, instance: JSONPointer()) }
    }
}

/// Numbers and strings.
extension QuickValidation {
    @inline(never)
    private mutating func accepts(_ number: JSONNumber, _ index: Int) -> Bool {
        // Field by field, because a copy of all rules costs more than most of them.
        if let limit = schemas.numbers[index].minimum, number < limit { return false }
        if let limit = schemas.numbers[index].maximum, limit < number { return false }
        if let limit = schemas.numbers[index].exclusiveMinimum, !(limit < number) { return false }
        if let limit = schemas.numbers[index].exclusiveMaximum, !(number < limit) { return false }
        if let format = schemas.numbers[index].format, !format.accepts(number) { return false }
        guard let divisor = schemas.numbers[index].multipleOf else { return true }
        guard let verdict = number.isMultiple(of: divisor) else {
            failed = .divisionTooHard
            return false
        }
        return verdict
    }

    @inline(never)
    private mutating func accepts(_ string: String, _ index: Int) -> Bool {
        let bytes = string.utf8.count
        let minimum = schemas.strings[index].minimumLength
        let maximum = schemas.strings[index].maximumLength
        // A scalar has one to four bytes, which often settles it.
        if bytes < minimum || bytes / 4 > maximum { return false }
        if bytes > maximum || bytes / 4 < minimum {
            let length = string.unicodeScalars.count
            if length < minimum || length > maximum { return false }
        }
        if let pattern = schemas.strings[index].pattern, !matches(pattern, string) { return false }
        if let format = schemas.strings[index].format, !format.accepts(string) { return false }
        return true
    }

    private mutating func matches(_ pattern: ECMAPattern, _ text: String) -> Bool {
        switch pattern.search(in: text) {
        case .match: return true
        case .noMatch: return false
        case .exhausted:
            failed = .patternTooHard
            return false
        }
    }
}

/// Arrays.
extension QuickValidation {
    @inline(never)
    private mutating func accepts(_ elements: [JSONValue], _ index: Int, collecting collects: Bool) -> Bool {
        if elements.count < schemas.arrays[index].minimumCount { return false }
        if elements.count > schemas.arrays[index].maximumCount { return false }
        let prefix = schemas.arrays[index].prefix.count
        for number in 0..<min(prefix, elements.count) {
            guard accepts(schemas.arrays[index].prefix[number], elements[number], collecting: false) else {
                return false
            }
            if collects { parts[parts.count - 1].mark(number) }
        }
        let items = schemas.arrays[index].items
        if items >= 0 {
            var number = prefix
            while number < elements.count {
                guard accepts(items, elements[number], collecting: false) else { return false }
                number += 1
            }
            if collects { parts[parts.count - 1].markAll() }
        }
        if schemas.arrays[index].contains >= 0, !containsEnough(elements, index, collecting: collects) { return false }
        return !schemas.arrays[index].isUnique || elements.areDistinct
    }

    private mutating func containsEnough(_ elements: [JSONValue], _ index: Int, collecting collects: Bool) -> Bool {
        let contains = schemas.arrays[index].contains
        let minimum = schemas.arrays[index].minimumContained
        let maximum = schemas.arrays[index].maximumContained
        let marks = collects && schemas.arrays[index].containsEvaluates
        var found = 0
        for number in elements.indices {
            guard accepts(contains, elements[number], collecting: false) else { continue }
            found += 1
            if marks { parts[parts.count - 1].mark(number) }
            if found > maximum { return false }
            if found >= minimum, maximum == .max, !marks { return true }
        }
        return found >= minimum
    }
}

/// Objects.
extension QuickValidation {
    @inline(never)
    private mutating func accepts(_ object: JSONObject, _ value: JSONValue, _ index: Int, collecting collects: Bool)
        -> Bool
    {
        let count = object.count
        if count < schemas.objects[index].minimumCount || count > schemas.objects[index].maximumCount { return false }
        let required =
            switch direction {
            case .either: schemas.objects[index].requiredCounts.0
            case .request: schemas.objects[index].requiredCounts.1
            case .response: schemas.objects[index].requiredCounts.2
            }
        if count < required { return false }
        if schemas.objects[index].looksAtMembers {
            var found = 0
            for number in 0..<count {
                guard acceptsMember(object, number, index, collecting: collects, found: &found) else { return false }
            }
            if found < required { return false }
        }
        for dependency in schemas.objects[index].dependentNames where object.contains(dependency.name) {
            for name in dependency.required where !object.contains(name) { return false }
        }
        for dependency in schemas.objects[index].dependentSchemas where object.contains(dependency.name) {
            guard accepts(dependency.node, value, collecting: collects) else { return false }
        }
        return true
    }

    @inline(__always)
    private mutating func acceptsMember(
        _ object: JSONObject,
        _ number: Int,
        _ index: Int,
        collecting collects: Bool,
        found: inout Int
    ) -> Bool {
        var isKnown = false
        let name = object.members[number].name
        if let property = schemas.objects[index].index.number(of: name) {
            if isRequired(property, index) { found += 1 }
            let node = schemas.objects[index].properties[property].node
            if node >= 0 {
                isKnown = true
                guard accepts(node, object.members[number].value, collecting: false) else { return false }
            }
        }
        if !schemas.objects[index].patterns.isEmpty {
            for pattern in schemas.objects[index].patterns where matches(pattern.pattern, name) {
                isKnown = true
                guard accepts(pattern.node, object.members[number].value, collecting: false) else { return false }
            }
        }
        let additional = schemas.objects[index].additional
        if !isKnown, additional >= 0 {
            isKnown = true
            guard accepts(additional, object.members[number].value, collecting: false) else { return false }
        }
        if collects, isKnown { parts[parts.count - 1].mark(number) }
        let names = schemas.objects[index].names
        return names < 0 || accepts(names, JSONValue(.string(name)), collecting: false)
    }

    @inline(__always)
    private func isRequired(_ property: Int, _ index: Int) -> Bool {
        guard schemas.objects[index].properties[property].isRequired else { return false }
        switch direction {
        case .either: return true
        case .request: return !schemas.objects[index].properties[property].isReadOnly
        case .response: return !schemas.objects[index].properties[property].isWriteOnly
        }
    }
}

/// Schemas applied to the same value.
extension QuickValidation {
    private mutating func applies(_ number: Int, _ value: JSONValue, collecting collects: Bool) -> Bool {
        let links = schemas.applicators[number].links
        switch schemas.applicators[number].kind {
        case .reference, .allOf:
            for link in links {
                guard accepts(schemas.links[Int(link)], value, collecting: collects) else { return false }
            }
            return true
        case .anyOf:
            return acceptsAny(links, value, collecting: collects)
        case .oneOf:
            return acceptsOne(links, value, collecting: collects)
        case .not:
            let isRefused = !accepts(schemas.links[Int(links.lowerBound)], value, collecting: false)
            return isRefused && failed == nil
        case .condition:
            return acceptsCondition(links, value, collecting: collects)
        case .dynamicReference:
            let target = target(ofDynamic: schemas.links[Int(links.lowerBound)])
            return accepts(target, value, collecting: collects)
        }
    }

    /// Applies a schema that may refuse; only then nothing that it evaluated counts.
    private mutating func tries(_ node: Int32, _ value: JSONValue, collecting collects: Bool) -> Bool {
        guard collects else { return accepts(node, value, collecting: false) }
        guard let evaluated = evaluatedParts(by: node, value) else { return false }
        parts[parts.count - 1].merge(evaluated)
        return true
    }

    private mutating func acceptsAny(_ links: Range<Int32>, _ value: JSONValue, collecting collects: Bool) -> Bool {
        var isAccepted = false
        for link in links where tries(schemas.links[Int(link)], value, collecting: collects) {
            isAccepted = true
            if !collects { break }
        }
        return isAccepted
    }

    private mutating func acceptsOne(_ links: Range<Int32>, _ value: JSONValue, collecting collects: Bool) -> Bool {
        var count = 0
        for link in links where tries(schemas.links[Int(link)], value, collecting: collects) {
            count += 1
            if count > 1 { return acceptsOneByFormat(links, value) }
        }
        return count == 1
    }

    /// Returns whether exactly one of the alternatives that accept a value accepts it with its formats.
    ///
    /// Documents of OpenAPI list alternatives that only `format` distinguishes, such as an email address and an empty
    /// text; by JSON Schema, where formats are annotations, no value would fit exactly one.
    mutating func acceptsOneByFormat(_ links: Range<Int32>, _ value: JSONValue) -> Bool {
        guard schemas.hasDistinguishingFormats, !countsFormats else { return false }
        countsFormats = true
        defer { countsFormats = false }
        return links.count { accepts(schemas.links[Int($0)], value, collecting: false) } == 1
    }

    private mutating func acceptsCondition(_ links: Range<Int32>, _ value: JSONValue, collecting collects: Bool) -> Bool
    {
        let first = Int(links.lowerBound)
        let isMet = tries(schemas.links[first], value, collecting: collects)
        guard failed == nil else { return false }
        let branch = schemas.links[first + (isMet ? 1 : 2)]
        return branch < 0 || accepts(branch, value, collecting: collects)
    }

    func target(ofDynamic number: Int32) -> Int32 {
        let reference = schemas.dynamicReferences[Int(number)]
        guard !reference.candidates.isEmpty else { return reference.target }
        for resource in scope {
            if let node = reference.candidates[resource] { return node }
        }
        return reference.target
    }
}

extension QuickValidation.Failure {
    var sentence: String {
        switch self {
        case .tooManySteps: "the schema requires too many comparisons with this value, so no verdict was reached"
        case .tooDeep:
            "the schema applies too many nested schemas to this value, or refers to itself endlessly"
        case .patternTooHard: "a regular expression in the schema requires too many steps for a string in this value"
        case .divisionTooHard:
            "a number is too large or too small for an exact division by \"multipleOf\" in the schema"
        }
    }
}

extension [JSONValue] {
    /// A Boolean value that indicates whether no two elements are equal.
    fileprivate var areDistinct: Bool {
        guard count > 8 else {
            for number in indices.dropFirst() where self[..<number].contains(self[number]) { return false }
            return true
        }
        var seen = Set<JSONValue>(minimumCapacity: count)
        return allSatisfy { seen.insert($0).inserted }
    }
}

extension QuickValidation {
    /// The parts that the keywords of a schema evaluate next to its `unevaluatedItems` and `unevaluatedProperties`.
    ///
    /// A part counts also where the keyword refuses it: that is reported already, and need not be reported twice.
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
