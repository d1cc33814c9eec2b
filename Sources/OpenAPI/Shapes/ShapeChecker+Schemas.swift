import Basics
import HTTPCodec
import JSON
import JSONSchema

extension ShapeChecker {
    /// Follows the references of a schema and collects its examples; the compiler judges all the rest.
    mutating func checkSchema(_ value: JSONValue) {
        // Below an identifier references are relative to that, and the compiler alone knows its meaning.
        guard let object = value.object, version == .v30 || object.value(of: .identifier)?.string == nil else { return }
        // Next to a reference of 3.0 everything is ignored.
        let isReference = version == .v30 && object.value(of: .reference) != nil
        for member in object.members {
            if !isReference, let problem = vocabulary.problem(of: member) {
                report(
                    .warning,
                    problem.id,
                    problem.message,
                    at: member.namePosition,
                    below: member.name,
                    advice: problem.advice
                )
            }
            if !isReference, let key = ObjectShape.schema[member.name] {
                under(member.name) { $0.check(member.value, against: key.shape) }
                continue
            }
            switch (KeywordRole(named: member.name), member.value.content) {
            case (.reference, .string(let text)): checkSchemaReference(text, member)
            case (.schema, .object): under(member.name) { $0.checkSchema(member.value) }
            case (.schema, .array(let elements)):
                under(member.name) { checker in
                    for (index, element) in elements.enumerated() {
                        checker.under("\(index)") { $0.checkSchema(element) }
                    }
                }
            case (.schemasByName, .object(let schemas)):
                under(member.name) { checker in
                    for schema in schemas.members { checker.under(schema.name) { $0.checkSchema(schema.value) } }
                }
            case (.discriminator, .object(let discriminator)):
                under(member.name) { $0.checkDiscriminator(discriminator) }
            case (.examples, _): collect(member, of: value)
            default: break
            }
        }
    }

    private mutating func checkSchemaReference(_ text: String, _ member: JSONObject.Member) {
        do {
            let target = try library.target(of: text, from: document)
            use(target)
            useHeirs(of: target)
            visit(target, .schema)
        } catch {
            switch error {
            // Identifiers and anchors may be anywhere; the compiler finds them or says that they are missing.
            case .remote: survey.remoteReferences[member.value.position] = error
            case .anchor, .foreignScheme, .absolutePath: break
            default: if member.name == "$ref" { broken(member.value, error) }
            }
        }
    }

    /// A schema that extends one with a discriminator is used through that, though nothing refers to it.
    private mutating func useHeirs(of target: ContractNode) {
        guard target.document == 0, document == 0, path.count == 5, path[3] == "allOf",
            target.object?.value(of: .discriminator) != nil, let base = Self.component(target.pointer.tokens),
            let heir = Self.component(path)
        else { return }
        survey.uses.append((base, heir))
    }

    private mutating func checkDiscriminator(_ discriminator: JSONObject) {
        // Values without a mapping have this schema (OpenAPI 3.2, section 4.25).
        if version >= .v32, let fallback = discriminator.member(named: "defaultMapping") { checkMapping([fallback]) }
        guard let mapping = discriminator["mapping"]?.object else { return }
        under("mapping") { $0.checkMapping(mapping.members) }
    }

    private mutating func checkMapping(_ members: [JSONObject.Member]) {
        for member in members {
            guard let text = member.value.string else {
                under(member.name) { $0.mismatch(member.value, .text) }
                continue
            }
            // The plain name of a schema wins over a file of that name (OpenAPI 3.1, section 4.8.25).
            let named = JSONPointer(tokens: ["components", "schemas", text])
            if let schema = named.value(in: library.documents[document].root) {
                use(ContractNode(document: document, pointer: named, value: schema))
                continue
            }
            do {
                let target = try library.target(of: text, from: document)
                use(target)
                visit(target, .schema)
            } catch {
                guard FileURI.scheme(of: text) == nil else { continue }
                survey.brokenReferences.insert(member.value.position)
                report(
                    .error,
                    error.id,
                    text.utf8.contains { $0 == 0x23 || $0 == 0x2F || $0 == 0x2E }
                        ? error.sentence : "there is no schema \"\(text.shortened)\" in the components",
                    at: member.value.position,
                    below: member.name,
                    advice: error.advice
                )
            }
        }
    }

    private mutating func collect(_ member: JSONObject.Member, of value: JSONValue) {
        let node = ContractNode(document: document, pointer: JSONPointer(tokens: path), value: value)
        let schema = SchemaReference(uri: library.uri(of: node), position: value.position)
        let values = member.name == "examples" ? member.value.array ?? [] : [member.value]
        for value in values {
            survey.schemaExamples.append(.init(keyword: member.name, schema: schema, value: value))
        }
    }
}
