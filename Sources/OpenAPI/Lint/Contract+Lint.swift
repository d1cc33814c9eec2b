package import Basics
import HTTPCodec
package import JSON
import JSONSchema

extension Contract {
    /// Examples that their own schema refuses; what a server would respond with is an error, all else a warning.
    func exampleFindings() -> [Finding] {
        var judge = ExampleJudge(contract: self)
        for operation in operations {
            judge.operation = operation.label
            for parameter in operation.parameters { judge.judge(parameter, going: .request) }
            for content in operation.requestBody?.content ?? [] { judge.judge(content, going: .request) }
            for response in operation.responses {
                for header in response.headers { judge.judge(header, going: .response) }
                for content in response.content { judge.judge(content, going: .response) }
            }
        }
        // Who sends such a request differs, so neither `readOnly` nor `writeOnly` counts.
        for aside in asides {
            judge.operation = aside.label
            for parameter in aside.parameters { judge.judge(parameter, going: .either) }
            for content in (aside.requestBody?.content ?? []) + aside.responses.flatMap(\.content) {
                judge.judge(content, going: .either)
            }
        }
        judge.operation = nil
        for example in survey.schemaExamples { judge.judge(example) }
        return judge.findings
    }
}

/// Checks examples against their schemas, each once however many operations share it.
private struct ExampleJudge {
    let contract: Contract
    var operation: String?
    private(set) var findings: [Finding] = []
    private var seen: Set<Pair> = []

    private struct Pair: Hashable {
        var example: JSONPosition
        var schema: JSONPosition
    }

    init(contract: Contract) {
        self.contract = contract
    }

    mutating func judge(_ parameter: Parameter, going direction: SchemaDirection) {
        for example in parameter.examples {
            judge(example.value, example.title, by: parameter.schema, going: direction, .error)
        }
        if let content = parameter.content { judge(content, going: direction) }
    }

    mutating func judge(_ content: MediaTypeContent, going direction: SchemaDirection) {
        let isJSON = MediaType(parsing: content.mediaType)?.isJSON == true
        for example in content.examples {
            // The text of XML or of a form is an example of the bytes and not of the value.
            guard isJSON || example.value.string == nil else { continue }
            judge(example.value, example.title, by: content.schema, going: direction, .error)
        }
        for header in content.encoding.flatMap(\.encoding.headers) { judge(header, going: direction) }
    }

    mutating func judge(_ example: ContractSurvey.SchemaExample) {
        let title = example.keyword == "default" ? "the default" : "the schema's example"
        judge(
            example.value,
            title,
            by: example.schema,
            going: .either,
            .warning,
            isDefault: example.keyword == "default"
        )
    }

    private mutating func judge(
        _ value: JSONValue,
        _ title: String,
        by reference: SchemaReference?,
        going direction: SchemaDirection,
        _ severity: Finding.Severity,
        isDefault: Bool = false
    ) {
        guard let reference, seen.insert(Pair(example: value.position, schema: reference.position)).inserted,
            let schema = contract.schemas.schema(reference)
        else { return }
        let id = isDefault ? "contract/invalid-default" : "contract/invalid-example"
        do throws(SchemaEvaluationError) {
            guard try !schema.accepts(value, going: direction) else {
                // Validation treats formats as annotations.
                let program = contract.schemas.program
                let format = contract.schemas.id(of: reference).flatMap {
                    program.integerFormat(refusing: value, of: $0)
                }
                guard let (name, limits) = format else { return }
                let sentence = "\(title) is not an \(name), which ranges from \(limits.lower) to \(limits.upper)"
                return tell(severity, id, sentence, at: value.position, schema: reference.position)
            }
            let leaves = try schema.evaluate(value, going: direction).leaves
            guard let first = leaves.first else { return }
            let sentence = "\(title) does not match its schema: \(first.sentence)"
            let others = leaves.count > 1 ? " (and \(leaves.count - 1) more)" : ""
            let position = first.instancePosition.isKnown ? first.instancePosition : value.position
            tell(severity, id, sentence + others, at: position, schema: first.schemaPosition)
        } catch {
            let sentence = "\(title) could not be validated: \(error.message)"
            tell(.warning, "contract/undecided", sentence, at: value.position, schema: nil)
        }
    }

    private mutating func tell(
        _ severity: Finding.Severity,
        _ id: String,
        _ sentence: String,
        at position: JSONPosition,
        schema: JSONPosition?
    ) {
        findings.append(
            Finding(
                severity,
                id: id,
                sentence.printable,
                at: contract.place(of: position, operation: operation),
                advice: schema.map { "the schema is at \(contract.place(of: $0))".printable }
            )
        )
    }
}

extension Contract {
    /// Schemas of OpenAPI 3.0 with `nullable` whose `enum` lacks null.
    func nullableFindings() -> [Finding] {
        let program = schemas.program
        var seen: Set<JSONPosition> = []
        return program.nullableWithoutNull.compactMap { schema in
            guard seen.insert(program.position(of: schema)).inserted else { return nil }
            return Finding(
                .warning,
                id: "contract/nullable-enum",
                "\"nullable\" does not add null to the \"enum\"; Backlot accepts null here, but other tools may refuse "
                    + "null",
                at: place(of: program.position(of: "enum", in: schema) ?? program.position(of: schema)),
                advice: "add null to the \"enum\", or remove \"nullable\""
            )
        }
    }

    /// Names in `required` that are misspelt: the schema then requires a property that it does not describe.
    func requirementFindings() -> [Finding] {
        var seen: Set<JSONPosition> = []
        return schemas.program.misspeltRequirements.compactMap { schema, name, property in
            let position =
                schemas.program.position(of: "required", in: schema) ?? schemas.program.position(of: schema)
            guard seen.insert(position).inserted else { return nil }
            return Finding(
                .warning,
                id: "contract/unknown-property",
                "the schema defines no property \"\(name.shortened)\", which \"required\" lists".printable,
                at: place(of: position),
                advice: "did you mean \"\(property)\"?".printable
            )
        }
    }

    /// Schemas whose keywords exclude every value; one that requires itself is reported by ``exitFindings()``.
    func emptySchemaFindings() -> [Finding] {
        SchemaSampler.contradictions(in: schemas.program).map { schema, contradiction in
            Finding(
                .warning,
                id: "contract/empty-schema",
                "no value matches this schema: \(contradiction.sentence)".printable,
                at: place(of: schemas.program.position(of: schema))
            )
        }
    }

    /// Encodings of properties that the schema of the form does not have (OpenAPI 3.1, section 4.8.14.1).
    func encodingFindings() -> [Finding] {
        var seen: Set<JSONPosition> = []
        return operations.flatMap { operation in
            let contents = (operation.requestBody?.content ?? []) + operation.responses.flatMap(\.content)
            return contents.flatMap { content -> [Finding] in
                guard let reference = content.schema, schemas.schema(reference) != nil,
                    let schema = schemas.id(of: reference)
                else { return [] }
                return content.encoding.compactMap { entry in
                    guard !schemas.program.documents(property: entry.name, schema),
                        seen.insert(entry.encoding.position).inserted
                    else {
                        return nil
                    }
                    return Finding(
                        .warning,
                        id: "contract/unknown-property",
                        "the schema defines no property \"\(entry.name.shortened)\", so this encoding has no effect"
                            .printable,
                        at: place(of: entry.encoding.position, operation: operation.label)
                    )
                }
            }
        }
    }
}

extension NamedExample {
    fileprivate var title: String { name.map { "the example \"\($0.shortened)\"" } ?? "the example" }
}

extension Contract {
    /// Schemas that no finite value can satisfy, because they need themselves.
    func exitFindings() -> [Finding] {
        let graph = ExitGraph(contract: self)
        return graph.loops().map { loop in
            Finding(
                .error,
                id: "contract/endless-schema",
                "this schema requires itself, so no finite value matches it: \(loop.way)".printable,
                at: place(of: loop.position),
                advice: "make one of these properties optional, nullable, or an array that may be empty"
            )
        }
    }
}

extension Contract {
    private func collisions() -> [Finding] {
        var findings: [Finding] = []
        var seen: [[UInt8]: JSONObject.Member] = [:]
        for member in documents[0].root["paths"]?.object?.members ?? [] where member.name.utf8.first == 0x2F {
            let shape = OperationIndex.patterns(of: member.name).flatMap { (segment) -> [UInt8] in
                [0x2F] + segment.shape
            }
            guard let first = seen[shape] else {
                seen[shape] = member
                continue
            }
            findings.append(
                Finding(
                    .error,
                    id: "contract/path-collision",
                    "\"\(member.name.shortened)\" matches the same requests as \"\(first.name.shortened)\" on line"
                        .printable + " \(first.namePosition.line)",
                    at: place(of: member.namePosition, isName: true),
                    advice: "keep one path, and move the other path's operations to that path"
                )
            )
        }
        return findings
    }

    private func parameterFindings(_ operation: Operation) -> [Finding] {
        let declared = operation.parameters.filter { $0.location == .path }
        let names = OperationIndex.patterns(of: operation.path).flatMap(\.parameterNames)
        var findings: [Finding] = []
        // What could not be read may describe it.
        for name in names where operation.unavailable == nil && !declared.map(\.name).contains(name.exact) {
            let meant = Suggestion.nearest(to: name, among: declared.map(\.name).filter { !names.contains($0.exact) })
            findings.append(
                Finding(
                    .error,
                    id: "contract/undeclared-path-parameter",
                    "no parameter describes \"{\(name.shortened)}\" in the path".printable,
                    at: place(of: operation.position, operation: operation.label),
                    advice: meant.map { "did you mean the parameter \"\($0)\"?".printable }
                )
            )
        }
        for parameter in declared where !names.contains(parameter.name.exact) {
            findings.append(
                Finding(
                    .error,
                    id: "contract/unused-path-parameter",
                    "the path \"\(operation.path.shortened)\" contains no \"{\(parameter.name.shortened)}\"".printable,
                    at: place(of: parameter.position, operation: operation.label),
                    advice: Suggestion.nearest(to: parameter.name, among: names)
                        .map { "did you mean \"\($0)\"?".printable }
                )
            )
        }
        return findings
    }

    /// Names of operations that several have.
    private func operationIDFindings() -> [Finding] {
        var findings: [Finding] = []
        var seen: [[UInt8]: Operation] = [:]
        for operation in operations {
            guard let id = operation.operationID else { continue }
            guard let first = seen[Array(id.utf8)] else {
                seen[Array(id.utf8)] = operation
                continue
            }
            // A path item that two paths refer to has its operations once.
            guard first.position != operation.position else { continue }
            let position = value(of: "operationId", in: operation)?.position ?? operation.position
            findings.append(
                Finding(
                    .error,
                    id: "contract/duplicate-operation-id",
                    "\"\(id.shortened)\" is already the id of \(first.label.shortened)".printable,
                    at: place(of: position, operation: operation.label)
                )
            )
        }
        return findings
    }

    /// A member of an operation's object, as the file has it.
    func value(of name: String, in operation: Operation) -> JSONValue? {
        let number = Int(operation.position.document)
        guard documents.indices.contains(number) else { return nil }
        return documents[number].pointer(to: operation.position).value(in: documents[number].written)?[name]
    }
}

extension Contract {
    /// The place of anything that was read from the contract's files: file, line, column and pointer.
    ///
    /// - Parameter isName: whether it is the place of a member's name; in YAML an object begins at its first name.
    package func place(of position: JSONPosition, isName: Bool = false, operation: String? = nil) -> Place {
        var place = sources.place(of: position)
        if position.isKnown, documents.indices.contains(Int(position.document)) {
            place.pointer = documents[Int(position.document)].pointer(to: position, isName: isName).description
        }
        place.operation = operation?.printable
        return place
    }
}

extension ContractDocument {
    /// The pointer to what begins at a position, or that is around it.
    ///
    /// Values are in a text in the order of the tree, so a search by halves finds the way down.
    func pointer(to position: JSONPosition, isName: Bool = false) -> JSONPointer {
        var tokens: [String] = []
        var value = written
        while isName || value.position != position {
            switch value.content {
            case .array(let elements):
                guard let next = elements.last(startingBy: position, { $0.position }) else { break }
                tokens.append("\(next)")
                value = elements[next]
                continue
            case .object(let object):
                guard let next = object.members.last(startingBy: position, { $0.namePosition }) else { break }
                tokens.append(object.members[next].name)
                if isName, object.members[next].namePosition == position { return JSONPointer(tokens: tokens) }
                value = object.members[next].value
                continue
            default: break
            }
            return JSONPointer(tokens: tokens)
        }
        return JSONPointer(tokens: tokens)
    }
}

extension Array {
    /// The index of the last element that begins at a position or before it.
    fileprivate func last(startingBy position: JSONPosition, _ start: (Element) -> JSONPosition) -> Int? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if start(self[middle]).text <= position.text { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}

extension Contract {
    /// The findings of the compiler about the schemas.
    func schemaFindings() -> [Finding] {
        schemas.problems.compactMap { problem in
            guard !survey.brokenReferences.contains(problem.position) else { return nil }
            if let remote = survey.remoteReferences[problem.position] {
                // The loader reports a document once, for all references to it.
                guard !findings.contains(where: { $0.advice == remote.advice?.printable }) else { return nil }
                return Finding(
                    .error,
                    id: remote.id,
                    remote.sentence.printable,
                    at: place(of: problem.position),
                    advice: remote.advice?.printable
                )
            }
            return Finding(
                .error,
                id: "contract/\(problem.id)",
                problem.message.printable,
                at: place(of: problem.position),
                advice: problem.advice?.printable
            )
        }
    }

    /// Components that nothing needs.
    ///
    /// A component that only unused ones refer to is unused, too.
    func componentFindings() -> [Finding] {
        var used: Set<ContractSurvey.Component> = []
        var usedBy: [ContractSurvey.Component: [ContractSurvey.Component]] = [:]
        var waiting: [ContractSurvey.Component] = []
        for (user, component) in survey.uses {
            if let user { usedBy[user, default: []].append(component) } else { waiting.append(component) }
        }
        while let component = waiting.popLast() {
            guard used.insert(component).inserted else { continue }
            waiting += usedBy[component] ?? []
        }
        let components = documents[0].root["components"]?.object?.members ?? []
        // A file that has nothing but components is a library for others.
        guard !operations.isEmpty else { return [] }
        return components.filter { ObjectShape.components[$0.name] != nil }.flatMap { section in
            (section.value.object?.members ?? []).compactMap { member in
                let component = ContractSurvey.Component(section: section.name, name: member.name)
                guard !used.contains(component) else { return nil }
                return Finding(
                    .note,
                    id: "contract/unused-component",
                    "nothing uses \"\(member.name.shortened)\" in the \(section.name)".printable,
                    at: place(of: member.namePosition, isName: true)
                )
            }
        }
    }
}

extension Contract {
    /// Operations that require credentials and do not say what happens without.
    func securityFindings() -> [Finding] {
        let silent = operations.filter { operation in
            let isSecured = !operation.security.isEmpty && !operation.security.contains(where: \.isEmpty)
            return isSecured && operation.unavailableResponses.isEmpty
                && !operation.responses.contains(where: \.tellsOfRefusal)
        }
        let findings = silent.map { operation in
            Finding(
                .warning,
                id: "contract/no-unauthorized-response",
                "\(operation.label.shortened) requires credentials, but documents no response for missing credentials"
                    .printable,
                at: place(of: operation.position, operation: operation.label),
                advice: "add a response for 401"
            )
        }
        guard var first = findings.first, findings.count >= [Finding].groupSize else { return findings }
        first.message =
            "\(findings.count) operations require credentials, but document no response for missing credentials"
        first.related = findings.dropFirst().compactMap { finding in finding.place.map { RelatedPlace($0, "here too") }
        }
        return [first]
    }
}

extension DocumentedResponse {
    /// A Boolean value that indicates whether this may be the response to a client without valid credentials.
    fileprivate var tellsOfRefusal: Bool {
        switch status {
        case .other, .range(4), .code(401), .code(403): return true
        case .range: return false
        case .code(let code):
            // Some backends have their own codes for it, such as 419 for a token that has expired.
            guard 400..<500 ~= code else { return false }
            let words = ["unauthor", "authent", "token", "credential", "expired", "forbidden", "key"]
            let summary = summary.lowercased()
            return code == 419 || words.contains { summary.contains($0) }
        }
    }
}

extension Contract {
    /// The errors in the document and its schemas, whose parts can be neither compared nor used.
    package var errors: [Finding] {
        let schemas = schemaFindings().inOrder(of: sources).map { $0.withOrigin(among: origins, in: sources) }
        return (findings + schemas).filter { $0.severity == .error }.grouped
    }

    /// The errors that leave a test of a client with fewer responses than are documented, or with another operation.
    ///
    /// A part that cannot be read is missing, and shows only as a skipped check.
    package var obstacles: [Finding] { errors + operationIDFindings() }

    /// Everything that is doubtful about the contract itself, each with its place.
    ///
    /// The findings of the loader are in ``findings`` and not reported again.
    package func lint() -> [Finding] {
        let rules = [
            collisions(), operations.flatMap(parameterFindings), operationIDFindings(), securityFindings(),
            schemaFindings(), exitFindings(), exampleFindings(), componentFindings(), nullableFindings(),
            encodingFindings(), emptySchemaFindings(), requirementFindings(),
        ]
        return rules.flatMap(\.self).inOrder(of: sources).map { $0.withOrigin(among: origins, in: sources) }.grouped
    }
}
