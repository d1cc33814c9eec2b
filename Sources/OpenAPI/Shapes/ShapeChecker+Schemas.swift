import Basics
import JSON

extension ShapeChecker {
    /// Keywords whose value is a schema, or a list of them.
    private static let single: Set<String> = [
        "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems",
        "unevaluatedItems", "unevaluatedProperties", "contentSchema", "allOf", "anyOf", "oneOf", "prefixItems",
    ]

    /// Keywords whose value holds schemas by name.
    private static let named: Set<String> = [
        "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies",
    ]

    /// Follows the references of a schema and collects its examples; the compiler judges all the rest.
    mutating func checkSchema(_ value: JSONValue) {
        guard let object = value.object else { return }
        // Below an identifier references are relative to that, and the compiler alone knows what it stands for.
        guard version == .v30 || object["$id"]?.string == nil else { return }
        for member in object.members {
            checkKeyword(member)
            switch member.value.content {
            case .string(let text):
                if member.name == "$ref" || member.name == "$dynamicRef" { checkSchemaReference(text, member) }
            case .object(let inner):
                if Self.named.contains(member.name) {
                    under(member.name) { checker in
                        for entry in inner.members { checker.under(entry.name) { $0.checkSchema(entry.value) } }
                    }
                } else if Self.single.contains(member.name) {
                    under(member.name) { $0.checkSchema(member.value) }
                } else if member.name == "discriminator" {
                    under(member.name) { $0.checkDiscriminator(inner) }
                }
            case .array(let elements):
                guard Self.single.contains(member.name) else { break }
                under(member.name) { checker in
                    for (index, element) in elements.enumerated() {
                        checker.under("\(index)") { $0.checkSchema(element) }
                    }
                }
            default: break
            }
            if member.name == "example" || member.name == "examples" || member.name == "default" {
                collect(member, of: value)
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
            case .anchor, .remote, .foreignScheme, .absolutePath: break
            default: if member.name == "$ref" { broken(member.value, error) }
            }
        }
    }

    /// A schema that extends one with a discriminator is used through that, though nothing refers to it.
    private mutating func useHeirs(of target: ContractNode) {
        guard target.document == 0, document == 0, path.count == 5, path[3] == "allOf",
            target.value["discriminator"] != nil, let base = Self.component(target.pointer.tokens),
            let heir = Self.component(path)
        else { return }
        survey.uses.append((base, heir))
    }

    private mutating func checkDiscriminator(_ discriminator: JSONObject) {
        guard let mapping = discriminator["mapping"]?.object else { return }
        path.append("mapping")
        defer { path.removeLast() }
        for member in mapping.members {
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
