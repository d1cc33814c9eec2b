import Basics
import ECMAPatterns
import JSON

/// Compiles one schema: reads its keywords, and leaves the schemas inside waiting.
struct NodeCompiler {
    let number: Int32
    let place: Int32
    let rules: SchemaRules
    let dialect: SchemaDialect
    var node: SchemaNode
    var numbers: NumberRules?
    var strings: StringRules?
    var arrays: ArrayRules?
    var objects: ObjectRulesDraft?
    var annotations: Annotations?
    var applicators: [Applicator] = []
    var condition: (if: Int32, then: Int32, else: Int32) = (-1, -1, -1)
    var exclusive: (minimum: Bool, maximum: Bool) = (false, false)
    var isIntact = true

    private init(_ number: Int32, in compiler: SchemaCompiler) {
        self.number = number
        node = compiler.draft.nodes[Int(number)]
        place = node.place
        rules = compiler.rules[Int(compiler.tree[place].rules)]
        dialect = rules.dialect
    }

    static func compile(_ number: Int32, in compiler: inout SchemaCompiler) {
        var work = NodeCompiler(number, in: compiler)
        work.compile(in: &compiler)
        compiler.draft.nodes[Int(number)] = work.node
        if !work.isIntact { compiler.broken.insert(number) }
    }

    private mutating func compile(in compiler: inout SchemaCompiler) {
        let value = compiler.tree[place].value
        switch value.content {
        case .bool(let bool):
            node.verdict = bool ? .accepts : .refuses
        case .object(let object):
            read(object, in: &compiler)
            finish(in: &compiler)
            if compiler.refusesWriteOnly, node.isWriteOnly { node.verdict = .refuses }
        default:
            complain(KeywordCheck.fault(aboutSchema: value), at: place, in: &compiler)
        }
    }

    private mutating func read(_ object: JSONObject, in compiler: inout SchemaCompiler) {
        let hidesSiblings = dialect.referencesHideSiblings && object.contains("$ref")
        if !hidesSiblings { compiler.noteDependent(object, at: place) }
        for member in object.members {
            guard let keyword = Keyword(named: member.name), rules.knows(keyword),
                let shape = KeywordShape(of: keyword, in: dialect)
            else { continue }
            if hidesSiblings, !keyword.standsBesideReference(in: dialect) { continue }
            let complaint = KeywordCheck.fault(about: member.value, of: keyword, shaped: shape, in: dialect)
            if let complaint {
                complain(complaint, at: keyword, in: &compiler)
                guard complaint.isHarmless else { continue }
            }
            switch keyword.vocabulary {
            case .validation: readAssertion(keyword, member.value, in: &compiler)
            case .annotation: readAnnotation(keyword, member.value, in: &compiler)
            default: readApplicator(keyword, member.value, in: &compiler)
            }
        }
    }

    /// Checks the keywords of a schema that nothing refers to against the metaschema, and of those inside it.
    static func check(_ start: Int32, in compiler: inout SchemaCompiler) {
        var waiting = [start]
        while let place = waiting.popLast() {
            guard place >= compiler.nodes.count || compiler.nodes[Int(place)] < 0 else { continue }
            let value = compiler.tree[place].value
            guard let object = value.object else {
                if value.bool == nil {
                    compiler.note(KeywordCheck.fault(aboutSchema: value), about: nil, at: place)
                }
                continue
            }
            let rules = compiler.rules[Int(compiler.tree[place].rules)]
            guard !(rules.dialect.referencesHideSiblings && object.contains("$ref")) else { continue }
            compiler.noteDependent(object, at: place)
            for member in object.members {
                guard let keyword = Keyword(named: member.name), rules.knows(keyword),
                    let shape = KeywordShape(of: keyword, in: rules.dialect),
                    let complaint = KeywordCheck.fault(
                        about: member.value,
                        of: keyword,
                        shaped: shape,
                        in: rules.dialect
                    )
                else { continue }
                compiler.note(complaint, about: keyword, at: place)
            }
            for (tokens, _) in SubschemaWalk.children(of: object, in: rules.dialect) {
                if let inner = compiler.walk(tokens, from: place) { waiting.append(inner) }
            }
        }
    }
}

extension NodeCompiler {
    mutating func complain(_ complaint: KeywordFault, at keyword: Keyword, in compiler: inout SchemaCompiler) {
        if !complaint.isHarmless { isIntact = false }
        compiler.note(complaint, about: keyword, at: place)
    }

    mutating func complain(_ complaint: KeywordFault, at place: Int32, in compiler: inout SchemaCompiler) {
        isIntact = false
        compiler.note(complaint, about: nil, at: place)
    }

    /// The node of a schema inside this one.
    mutating func inner(_ tokens: String..., in compiler: inout SchemaCompiler) -> Int32 {
        guard let place = compiler.walk(tokens, from: place) else { return -1 }
        return compiler.node(at: place)
    }

    /// Compiles a regular expression, or says what is wrong with it.
    mutating func pattern(_ value: JSONValue, at keyword: Keyword, in compiler: inout SchemaCompiler) -> ECMAPattern? {
        do {
            return try ECMAPattern(value.string ?? "")
        } catch {
            isIntact = false
            let fault = error.isLimit ? "exceeds a limit of Backlot" : "is not a valid ECMAScript regular expression"
            compiler.note(
                "invalid-pattern",
                "\(Wording.shown(value)) \(fault): \(error.message)",
                uri: compiler.uri(of: place) + "/" + keyword.rawValue,
                position: value.position
            )
            return nil
        }
    }
}

extension Keyword {
    /// Returns whether the keyword counts next to a `$ref`, in dialects where that hides the rest.
    fileprivate func standsBesideReference(in dialect: SchemaDialect) -> Bool {
        switch self {
        case .ref, .definitions: true
        case .nullable, .readOnly, .writeOnly: dialect == .openAPI30
        default: false
        }
    }
}

extension SchemaCompiler {
    /// - Parameter keyword: the keyword that is wrong; `nil` for the schema as a whole.
    fileprivate mutating func note(_ complaint: KeywordFault, about keyword: Keyword?, at place: Int32) {
        note(
            "invalid-keyword",
            complaint.message,
            uri: uri(of: place) + (keyword.map { "/" + $0.rawValue } ?? ""),
            position: complaint.position,
            advice: complaint.advice
        )
    }

    /// Notes what is wrong with keywords that depend on one another.
    fileprivate mutating func noteDependent(_ object: JSONObject, at place: Int32) {
        let dialect = rules[Int(tree[place].rules)].dialect
        let position = tree[place].value.position
        guard let complaint = KeywordCheck.fault(aboutKeywordsOf: object, at: position, in: dialect) else { return }
        note(complaint, about: nil, at: place)
    }
}

/// The steps that need all keywords of a schema.
extension NodeCompiler {
    mutating func finish(in compiler: inout SchemaCompiler) {
        finishNumbers()
        finishFormat(in: compiler)
        // Since draft 2019-09 an `if` alone may matter, because another keyword could ask what it evaluated.
        if condition.if >= 0, condition.then >= 0 || condition.else >= 0 || dialect >= .draft2019 {
            addApplicator(.condition, [condition.if, condition.then, condition.else], in: &compiler)
        }
        // References first: a wrong target is the likeliest thing to fail, and a plain one is the cheapest to try.
        let first = Int32(compiler.draft.applicators.count)
        compiler.draft.applicators += applicators
        node.applicators = first..<first + Int32(applicators.count)
        node.numbers = add(numbers, to: \.numbers, in: &compiler)
        node.strings = add(strings, to: \.strings, in: &compiler)
        node.arrays = add(arrays, to: \.arrays, in: &compiler)
        node.annotations = add(annotations, to: \.annotations, in: &compiler)
        if var rules = objects?.rules {
            rules.index = PropertyIndex(rules.properties)
            node.objects = add(rules, to: \.objects, in: &compiler)
        }
    }

    private func add<Rules>(
        _ rules: Rules?,
        to list: WritableKeyPath<ProgramDraft, [Rules]>,
        in compiler: inout SchemaCompiler
    ) -> Int32 {
        guard let rules else { return -1 }
        compiler.draft[keyPath: list].append(rules)
        return Int32(compiler.draft[keyPath: list].count - 1)
    }

    /// Before draft 6 an exclusive limit was a limit with a flag next to it.
    private mutating func finishNumbers() {
        if exclusive.minimum, let limit = numbers?.minimum {
            numbers?.exclusiveMinimum = limit
            numbers?.minimum = nil
        }
        if exclusive.maximum, let limit = numbers?.maximum {
            numbers?.exclusiveMaximum = limit
            numbers?.maximum = nil
        }
    }

    private mutating func finishFormat(in compiler: SchemaCompiler) {
        let value = compiler.tree[place].value
        guard !(dialect.referencesHideSiblings && value.object?.contains("$ref") == true),
            let format = value["format"]?.string
        else { return }
        let isOpenAPI = dialect == .openAPI30 || dialect == .openAPI31
        annotations.change {
            $0.format = format
            $0.formatDistinguishes = isOpenAPI
        }
        // A schema with an invalid pattern could not be compiled, so its metaschema does not call it valid either.
        let isPattern = value.position.document == Metaschemas.file && format.exact == "regex"
        let isAsserted = compiler.formats == .assertion || rules.vocabularies.contains(.formatAssertion)
        guard isAsserted || isPattern else { return }
        if isOpenAPI, let integer = IntegerFormat(rawValue: format) {
            numbers.orNew.format = integer
        }
        if let known = StringFormat(rawValue: format) { strings.orNew.format = known }
    }
}

/// Keywords that compare a value with a limit, and those that say something only.
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
        case .minProperties: objects.orNew.rules.minimumCount = value.count
        case .maxProperties: objects.orNew.rules.maximumCount = value.count
        case .required:
            objects.change { draft in
                for name in value.array?.compactMap(\.string) ?? [] {
                    let number = draft.number(of: name)
                    draft.rules.properties[number].isRequired = true
                }
            }
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
        // `const` next to `enum`: both count.
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
        let complaint = KeywordCheck.fault(about: member.value, of: .required, shaped: .names, in: .draft2020)
        guard complaint == nil else {
            if let complaint { complain(complaint, at: keyword, in: &compiler) }
            return
        }
        let names = member.value.array?.compactMap(\.string) ?? []
        objects.change { $0.rules.dependentNames.append((member.name, names)) }
    }

    mutating func readAnnotation(_ keyword: Keyword, _ value: JSONValue, in compiler: inout SchemaCompiler) {
        switch keyword {
        case .nullable: node.isNullable = value.bool == true
        case .readOnly, .writeOnly:
            node[keyPath: keyword == .readOnly ? \SchemaNode.isReadOnly : \SchemaNode.isWriteOnly] = value.bool == true
            node.isOneWay = dialect == .openAPI30
        case .title: annotations.change { $0.title = value.string }
        case .example: annotations.change { $0.example = value }
        case .examples: annotations.change { $0.examples = value.array ?? [] }
        case .default: annotations.change { $0.assumed = value }
        case .contentEncoding, .contentMediaType, .contentSchema: annotations.orNew.content[keyword.rawValue] = value
        case .discriminator: annotations.orNew.discriminator = discriminator(value, in: &compiler)
        default: break
        }
    }

    private func discriminator(_ value: JSONValue, in compiler: inout SchemaCompiler) -> Discriminator? {
        guard let property = value["propertyName"]?.string else { return nil }
        var mapping: [(name: String, schema: SchemaID)] = []
        for member in value["mapping"]?.object?.members ?? [] {
            guard let name = member.value.string else { continue }
            // The plain name of a schema wins over a file of that name.
            let component = JSONPointer(tokens: ["components", "schemas", name]).fragment
            guard let target = compiler.locate(component, from: place) ?? compiler.locate(name, from: place),
                compiler.tree[target].value.object != nil
            else { continue }
            mapping.append((member.name, SchemaID(compiler.node(at: target))))
        }
        return Discriminator(property: property, mapping: mapping)
    }
}

extension JSONValue {
    /// A length or a count; one beyond `Int` counts as the largest.
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
extension Annotations: Rules {}

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

/// The rules for objects while they are collected.
struct ObjectRulesDraft {
    var rules = ObjectRules()
    private var numbers: [ExactText: Int] = [:]

    init() {}

    /// The place of a property among the rules' ones, to which it is added.
    mutating func number(of name: String) -> Int {
        if let known = numbers[name.exact] { return known }
        rules.properties.append(ObjectRules.Property(name: name))
        numbers[name.exact] = rules.properties.count - 1
        return rules.properties.count - 1
    }
}
