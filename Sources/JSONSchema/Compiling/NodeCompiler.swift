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
        default:
            complain(KeywordCheck.complaint(aboutSchema: value), at: place, in: &compiler)
        }
    }

    private mutating func read(_ object: JSONObject, in compiler: inout SchemaCompiler) {
        let hidesSiblings = dialect.referencesHideSiblings && object.contains("$ref")
        for member in object.members {
            guard let keyword = Keyword(named: member.name), rules.knows(keyword),
                let shape = KeywordShape(of: keyword, in: dialect)
            else { continue }
            if hidesSiblings, !keyword.standsBesideReference(in: dialect) { continue }
            let complaint = KeywordCheck.complaint(about: member.value, of: keyword, shaped: shape, in: dialect)
            guard complaint == nil else {
                if let complaint { complain(complaint, at: keyword, in: &compiler) }
                continue
            }
            switch keyword.vocabulary {
            case .validation: readAssertion(keyword, member.value, in: &compiler)
            case .annotation: readAnnotation(keyword, member.value)
            default: readApplicator(keyword, member.value, in: &compiler)
            }
        }
    }

    /// Holds the keywords of a schema that nobody refers to against the metaschema, and of those inside it.
    static func check(_ start: Int32, in compiler: inout SchemaCompiler) {
        var waiting = [start]
        while let place = waiting.popLast() {
            guard place >= compiler.nodes.count || compiler.nodes[Int(place)] < 0 else { continue }
            let value = compiler.tree[place].value
            guard let object = value.object else { continue }
            let rules = compiler.rules[Int(compiler.tree[place].rules)]
            guard !(rules.dialect.referencesHideSiblings && object.contains("$ref")) else { continue }
            for member in object.members {
                guard let keyword = Keyword(named: member.name), rules.knows(keyword),
                    let shape = KeywordShape(of: keyword, in: rules.dialect),
                    let complaint = KeywordCheck.complaint(
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
    mutating func complain(_ complaint: KeywordCheck.Complaint, at keyword: Keyword, in compiler: inout SchemaCompiler)
    {
        isIntact = false
        compiler.note(complaint, about: keyword, at: place)
    }

    mutating func complain(_ complaint: KeywordCheck.Complaint, at place: Int32, in compiler: inout SchemaCompiler) {
        isIntact = false
        let uri = compiler.uri(of: place)
        compiler.note(
            "invalid-keyword",
            complaint.message,
            uri: uri,
            position: complaint.position,
            advice: complaint.advice
        )
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
            compiler.note(
                "invalid-pattern",
                "\(Wording.shown(value)) is no regular expression of ECMAScript: \(error.message)",
                uri: compiler.uri(of: place) + "/" + keyword.rawValue,
                position: value.position
            )
            return nil
        }
    }
}

extension Keyword {
    /// Whether the keyword counts although a `$ref` stands beside it, in dialects where that hides the rest.
    fileprivate func standsBesideReference(in dialect: SchemaDialect) -> Bool {
        switch self {
        case .ref, .definitions: true
        case .nullable, .readOnly, .writeOnly: dialect == .openAPI30
        default: false
        }
    }
}

extension SchemaCompiler {
    fileprivate mutating func note(_ complaint: KeywordCheck.Complaint, about keyword: Keyword, at place: Int32) {
        note(
            "invalid-keyword",
            complaint.message,
            uri: uri(of: place) + "/" + keyword.rawValue,
            position: complaint.position,
            advice: complaint.advice
        )
    }
}
