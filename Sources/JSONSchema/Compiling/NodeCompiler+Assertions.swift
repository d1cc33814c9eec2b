import JSON

/// Keywords that hold a value against a limit, and those that say something only.
extension NodeCompiler {
    mutating func readAssertion(_ keyword: Keyword, _ value: JSONValue, in compiler: inout SchemaCompiler) {
        switch keyword {
        case .type: readTypes(value)
        case .enum: addValues(value.array ?? [], in: &compiler)
        case .const: addValues([value], in: &compiler)
        case .minimum, .maximum, .exclusiveMinimum, .exclusiveMaximum, .multipleOf: readLimit(keyword, value)
        case .minLength: strings.orNew.minimumLength = value.count
        case .maxLength: strings.orNew.maximumLength = value.count
        case .pattern: strings.orNew.pattern = pattern(value, at: keyword, in: &compiler)
        case .minItems: arrays.orNew.minimumCount = value.count
        case .maxItems: arrays.orNew.maximumCount = value.count
        case .uniqueItems: if value.bool == true { arrays.orNew.isUnique = true }
        case .minContains: arrays.orNew.minimumContained = value.count
        case .maxContains: arrays.orNew.maximumContained = value.count
        case .minProperties: objects.orNew.minimumCount = value.count
        case .maxProperties: objects.orNew.maximumCount = value.count
        case .required:
            objects.change { rules in for name in value.array ?? [] { name.string.map { rules.require($0) } } }
        case .dependentRequired:
            for member in value.object?.members ?? [] { addDependentNames(member, at: keyword, in: &compiler) }
        default: break
        }
    }

    private mutating func readTypes(_ value: JSONValue) {
        let names = value.array?.compactMap(\.string) ?? [value.string].compactMap { $0 }
        node.kinds = names.reduce(into: []) { $0.formUnion(KindSet(named: $1, in: dialect) ?? []) }
        if node.kinds.contains(KindSet.number) { node.kinds.remove(.plainInteger) }
    }

    private mutating func addValues(_ values: [JSONValue], in compiler: inout SchemaCompiler) {
        // `const` beside `enum`: both count, and the second becomes a schema of its own kind.
        if node.values >= 0 {
            let both = compiler.draft.values[Int(node.values)].values.filter { values.contains($0) }
            compiler.draft.values[Int(node.values)] = ValueSet(both)
            return
        }
        compiler.draft.values.append(ValueSet(values))
        node.values = Int32(compiler.draft.values.count - 1)
    }

    private mutating func readLimit(_ keyword: Keyword, _ value: JSONValue) {
        if let bool = value.bool {
            if keyword == .exclusiveMinimum { exclusive.minimum = bool } else { exclusive.maximum = bool }
            return
        }
        switch keyword {
        case .minimum: numbers.orNew.minimum = value.number
        case .maximum: numbers.orNew.maximum = value.number
        case .exclusiveMinimum: numbers.orNew.exclusiveMinimum = value.number
        case .exclusiveMaximum: numbers.orNew.exclusiveMaximum = value.number
        default: numbers.orNew.multipleOf = value.number
        }
    }

    mutating func addDependentNames(_ member: JSONObject.Member, at keyword: Keyword, in compiler: inout SchemaCompiler)
    {
        let complaint = KeywordCheck.complaint(about: member.value, of: .required, shaped: .names, in: .draft2020)
        guard complaint == nil else {
            if let complaint { complain(complaint, at: keyword, in: &compiler) }
            return
        }
        let names = member.value.array?.compactMap(\.string) ?? []
        objects.change { $0.rules.dependentNames.append((member.name, names)) }
    }

    mutating func readAnnotation(_ keyword: Keyword, _ value: JSONValue) {
        switch keyword {
        case .nullable: node.isNullable = value.bool == true
        case .readOnly: node.isReadOnly = value.bool == true
        case .writeOnly: node.isWriteOnly = value.bool == true
        default: break
        }
    }
}

extension JSONValue {
    /// A length or a count; one beyond `Int` is as good as the largest.
    fileprivate var count: Int { int ?? .max }
}

/// A part of a node that comes into being when the first keyword needs it.
protocol Rules {
    init()
}

extension NumberRules: Rules {}
extension StringRules: Rules {}
extension ArrayRules: Rules {}
extension ObjectRulesDraft: Rules {}

extension Optional where Wrapped: Rules {
    var orNew: Wrapped {
        get { self ?? Wrapped() }
        set { self = newValue }
    }

    /// Changes the rules where they are, which ``orNew`` would copy each time.
    mutating func change(_ change: (inout Wrapped) -> Void) {
        var rules = take() ?? Wrapped()
        change(&rules)
        self = rules
    }
}
