import Basics
import JSON
import JSONSchema

/// Walks a contract's files along their shape and finds everything that is wrong with it, not only the first thing.
///
/// Objects in other files, or next to the usual places, are looked at when something refers to them.
struct ShapeChecker {
    var library: DocumentLibrary
    var survey = ContractSurvey()
    let version: OpenAPIVersion
    let vocabulary: SchemaVocabulary
    /// The place of the walk.
    var document = 0
    var path: [String] = []
    /// Places that something referred to and the walk has not come by.
    private var waiting: [(node: ContractNode, shape: Shape)] = []
    private var visited: Set<ContractNode.Key> = []

    init(library: DocumentLibrary, version: OpenAPIVersion) {
        self.library = library
        self.version = version
        vocabulary = SchemaVocabulary(version: version)
    }

    mutating func checkAll() {
        check(library.documents[0].root, against: .object(.openAPI))
        // In the order in which they were met, so that findings keep the order of the files.
        var number = 0
        while number < waiting.count {
            let (node, shape) = waiting[number]
            number += 1
            document = node.document
            path = node.pointer.tokens
            check(node.value, against: shape)
        }
        checkLinkedIDs()
    }

    /// Takes note of a place that must be looked at, unless the walk comes by anyway.
    mutating func visit(_ node: ContractNode, _ shape: Shape) {
        let tokens = node.pointer.tokens
        let isOnTheWay =
            node.document == 0 && tokens.count >= 3
            && (tokens[0] == "paths" || tokens[0] == "components" && ObjectShape.components[tokens[1]] != nil)
        guard !isOnTheWay, visited.insert(node.key).inserted else { return }
        waiting.append((node, shape))
    }

    /// Goes one step down for a while.
    mutating func under(_ name: String, _ body: (inout ShapeChecker) -> Void) {
        path.append(name)
        body(&self)
        path.removeLast()
    }

    mutating func check(_ value: JSONValue, against shape: Shape) {
        switch (shape, value.content) {
        case (.anything, _), (.text, .string), (.boolean, .bool): break
        case (.schema, .object): checkSchema(value)
        case (.schema, .bool) where version > .v30: break
        case (.oneOf(let words), .string(let text)):
            guard !words.contains(text.exact) else { return }
            wrongWord(text, value, words)
        case (.list(let element), .array(let values)):
            for (index, value) in values.enumerated() { under("\(index)") { $0.check(value, against: element) } }
            if case .reference(.parameter) = element { checkParameters(values) }
        case (.map(let element, let names), .object(let object)):
            checkMap(object, of: value, against: element, names)
        case (.object(let name), .object(let object)):
            if name != .pathItem, let reference = object.member(named: "$ref") {
                misplaced(reference, name)
            } else {
                check(object, of: value, as: name)
            }
        case (.reference(let name), .object(let object)):
            if let reference = object.member(named: "$ref") {
                check(reference, in: object, to: name)
            } else {
                check(object, of: value, as: name)
            }
        case (.security, .object(let object)):
            checkSecurity(object)
        default: mismatch(value, shape)
        }
    }

    private mutating func checkMap(_ object: JSONObject, of value: JSONValue, against shape: Shape, _ names: NameForm) {
        for member in object.members {
            let mayBeExtended = names == .path || names == .status || names == .expression
            if mayBeExtended && member.name.isExtensionName { continue }
            guard checkName(member, names) else { continue }
            under(member.name) { $0.check(member.value, against: shape) }
        }
        if names == .status, !object.members.contains(where: { DocumentedResponse.Status(key: $0.name) != nil }) {
            let isEmpty = !object.members.contains { !$0.name.isExtensionName }
            guard isEmpty else { return }
            let sentence = "an operation requires at least one response"
            report(.error, "contract/missing-response", sentence, at: value.position)
        }
    }

    private mutating func check(_ object: JSONObject, of value: JSONValue, as name: ObjectShape.Name) {
        let shape = name.shape
        var slips: Set<String> = []
        for member in object.members {
            guard let key = shape[member.name] else {
                if member.name.isExtensionName, !member.name.isOwnExtensionName { continue }
                if let others = shape.others {
                    guard checkName(member, shape.otherNames) else { continue }
                    under(member.name) { $0.check(member.value, against: others) }
                } else {
                    slips.formUnion(unknownKey(member, of: shape, in: name, besides: object))
                }
                continue
            }
            if key.since > version {
                report(
                    .warning,
                    "contract/unknown-key",
                    "\"\(key.name)\" in \(name.article) is new in OpenAPI \(key.since.rawValue);"
                        + " this document is \(version.rawValue)",
                    at: member.namePosition,
                    below: member.name
                )
            }
            // The place that is new in 3.2 is judged together with the rest of the parameter.
            if name == .parameter, member.name == "in", member.value.string == "querystring" { continue }
            under(member.name) { $0.check(member.value, against: key.shape) }
        }
        for key in shape.keys
        where key.isRequired(in: version) && !object.contains(key.name) && !slips.contains(key.name) {
            missing(key, in: name, of: value)
        }
        for group in shape.exclusive {
            let rivals = object.members.filter { group.contains($0.name.exact) }
            guard rivals.count > 1 else { continue }
            report(
                .error,
                "contract/rival-keys",
                "\"\(rivals[0].name)\" and \"\(rivals[1].name)\" cannot be combined in \(name.article); keep one",
                at: rivals[1].namePosition,
                below: rivals[1].name
            )
        }
        checkTogether(object, of: value, as: name, slips: slips)
        if name == .pathItem, let reference = object.member(named: "$ref") { check(reference, in: object, to: name) }
    }
}

extension ShapeChecker {
    /// Judges a reference in place of an object.
    mutating func check(_ reference: JSONObject.Member, in object: JSONObject, to name: ObjectShape.Name) {
        guard let text = reference.value.string else {
            return under("$ref") { $0.mismatch(reference.value, .text) }
        }
        if name != .pathItem { checkSiblings(object, of: name) }
        do {
            let target = try library.target(of: text, from: document)
            use(target)
            try checkEnd(of: reference, in: object, target, name)
            guard target.value["$ref"] == nil || name == .pathItem else { return visit(target, .reference(to: name)) }
            guard target.object != nil else {
                return under("$ref") {
                    $0.wrongTarget(reference.value, "leads to \(target.value.shownBriefly)", name)
                }
            }
            visit(target, .reference(to: name))
        } catch {
            broken(reference.value, error)
        }
    }

    /// Reports a reference where the standard allows none, and follows it as many tools do.
    private mutating func misplaced(_ reference: JSONObject.Member, _ name: ObjectShape.Name) {
        report(
            .error,
            "contract/unknown-key",
            "a reference is not allowed in place of \(name.article)",
            at: reference.namePosition
        )
        guard let text = reference.value.string else { return }
        if let target = try? library.target(of: text, from: document), target.object != nil {
            use(target)
            visit(target, .object(name))
        } else {
            survey.brokenReferences.insert(reference.value.position)
        }
    }

    /// Makes sure that a reference ends somewhere, and at something of its kind.
    private mutating func checkEnd(
        of reference: JSONObject.Member,
        in object: JSONObject,
        _ target: ContractNode,
        _ name: ObjectShape.Name
    ) throws(ReferenceProblem) {
        let here = ContractNode(document: document, pointer: JSONPointer(tokens: path), value: .object(object))
        do {
            _ = try library.resolve(here)
        } catch {
            // What is wrong with a reference further on is reported there; a way without end is wrong everywhere.
            switch error {
            case .circular, .endless: throw error
            default: break
            }
        }
        let tokens = target.pointer.tokens
        guard target.document == 0, tokens.count == 3, tokens[0] == "components", let section = name.section,
            tokens[1].exact != section.exact, ObjectShape.components[tokens[1]] != nil
        else { return }
        under("$ref") { $0.wrongTarget(reference.value, "refers to an entry in \"\(tokens[1])\"", name) }
    }

    private mutating func wrongTarget(_ value: JSONValue, _ what: String, _ name: ObjectShape.Name) {
        report(
            .error,
            "contract/wrong-reference",
            "\"\(value.string?.shortened ?? "")\" \(what), but \(name.article) is expected",
            at: value.position
        )
    }

    /// Reports a reference that cannot be resolved; the walk is at the object that has it.
    mutating func broken(_ value: JSONValue, _ problem: ReferenceProblem) {
        survey.brokenReferences.insert(value.position)
        under("$ref") {
            $0.report(.error, problem.id, problem.sentence, at: value.position, advice: problem.advice)
        }
    }

    /// Keys next to a reference mean nothing, but for what describes it (OpenAPI 3.1, section 4.8.23).
    private mutating func checkSiblings(_ object: JSONObject, of name: ObjectShape.Name) {
        for member in object.members where !member.name.isExtensionName {
            guard !["$ref", "summary", "description"].contains(member.name.exact) else { continue }
            report(
                .warning,
                "contract/ignored-key",
                "\"\(member.name.shortened)\" next to \"$ref\" is ignored; only the referenced object counts",
                at: member.namePosition,
                below: member.name
            )
        }
    }

    /// Takes note that the place where the walk is uses a component.
    mutating func use(_ target: ContractNode) {
        guard target.document == 0 else { return }
        use(Self.component(target.pointer.tokens))
    }

    mutating func use(_ component: ContractSurvey.Component?) {
        guard let component else { return }
        survey.uses.append((document == 0 ? Self.component(path) : nil, component))
    }

    static func component(_ tokens: [String]) -> ContractSurvey.Component? {
        guard tokens.count >= 3, tokens[0] == "components" else { return nil }
        return ContractSurvey.Component(section: tokens[1], name: tokens[2])
    }
}

extension ShapeChecker {
    mutating func report(
        _ severity: Finding.Severity,
        _ id: String,
        _ message: String,
        at position: JSONPosition,
        below name: String? = nil,
        advice: String? = nil
    ) {
        var place = library.sources.place(of: position)
        place.pointer = JSONPointer(tokens: path + (name.map { [$0] } ?? [])).description
        place.operation = operation
        survey.findings.append(Finding(severity, id: id, message.printable, at: place, advice: advice?.printable))
    }

    /// The operation that the walk is in.
    private var operation: String? {
        guard document == 0, path.count >= 3, path[0] == "paths", ContractBuilder.methods.contains(path[2].exact)
        else { return nil }
        return "\(path[2].uppercased()) \(path[1])".printable
    }

    mutating func mismatch(_ value: JSONValue, _ shape: Shape) {
        report(
            .error,
            "contract/wrong-type",
            "found \(value.shownBriefly), but expected \(shape.expectation)",
            at: value.position,
            advice: needsQuotes(value, as: shape)
                ? "quote the value; without quotes, YAML does not read the value as a string" : nil
        )
    }

    /// Returns whether a value is a slip that only YAML allows: text without quotes that looks like something else.
    private func needsQuotes(_ value: JSONValue, as shape: Shape) -> Bool {
        guard case .text = shape, value.number != nil || value.bool != nil else { return false }
        return library.sources.path(of: value.position).map { TextFormat(ofFile: $0) } == .yaml
    }

    mutating func wrongWord(_ text: String, _ value: JSONValue, _ words: [String]) {
        report(
            .error,
            "contract/bad-value",
            "\"\(text.shortened)\" is not \(Shape.oneOf(words).expectation)",
            at: value.position,
            advice: Suggestion.nearest(to: text, among: words).map { "did you mean \"\($0)\"?" }
        )
    }

    mutating func missing(_ key: ObjectShape.Key, in name: ObjectShape.Name, of value: JSONValue) {
        report(
            .error,
            "contract/missing-key",
            "\(name.article) needs \"\(key.name)\", \(key.shape.expectation)",
            at: value.position
        )
    }

    /// Reports an unknown key, and returns the one that was meant, if any.
    ///
    /// Only a key that resembles a known one is an error: it was meant to have an effect, and has none.
    mutating func unknownKey(
        _ member: JSONObject.Member,
        of shape: ObjectShape,
        in name: ObjectShape.Name,
        besides object: JSONObject
    ) -> [String] {
        // A key that is there already is hardly meant a second time.
        let isExtension = member.name.isExtensionName
        let likely = shape.keys.filter {
            !object.contains($0.name) && $0.since <= version && $0.name.isExtensionName == isExtension
        }
        .map(\.name)
        let meant = Suggestion.nearest(to: member.name, among: likely)
        report(
            meant == nil ? .warning : .error,
            "contract/unknown-key",
            "unknown key \"\(member.name.shortened)\" in \(name.article)",
            at: member.namePosition,
            below: member.name,
            advice: meant.map { "did you mean \"\($0)\"?" }
                ?? (isExtension
                    ? "\"\(OperationEffect.key)\" in an operation is the only key that begins with \"x-backlot-\""
                    : "custom keys must begin with \"x-\"; the known keys are \(known(shape, besides: object))")
        )
        return [meant].compactMap(\.self)
    }

    private func known(_ shape: ObjectShape, besides object: JSONObject) -> String {
        shape.keys.filter { $0.since <= version && !object.contains($0.name) && !$0.name.isExtensionName }
            .map(\.name).joined(separator: ", ")
    }
}

extension OpenAPIVersion: Comparable {
    package static func < (left: OpenAPIVersion, right: OpenAPIVersion) -> Bool {
        // "3.0" to "3.2": the texts have the order of the versions.
        left.rawValue < right.rawValue
    }
}
