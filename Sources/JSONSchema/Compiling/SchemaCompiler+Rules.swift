import JSON

/// Which dialect and vocabularies hold where.
extension SchemaCompiler {
    mutating func number(of rules: SchemaRules) -> Int32 {
        if let known = self.rules.firstIndex(of: rules) { return Int32(known) }
        self.rules.append(rules)
        return Int32(self.rules.count - 1)
    }

    mutating func documentRules(_ document: RegisteredDocument) -> SchemaRules {
        let standard = SchemaRules(dialect: document.dialect)
        if let declared = document.root["$schema"]?.string {
            return declaredRules(declared, isRequired: true, at: document.root) ?? standard
        }
        if document.dialect == .openAPI31, let declared = document.root["jsonSchemaDialect"]?.string {
            return declaredRules(declared, isRequired: true, at: document.root) ?? standard
        }
        return standard
    }

    /// The rules that a `$schema` asks for; `nil` when its metaschema is not known.
    mutating func declaredRules(_ declared: String, isRequired: Bool, at value: JSONValue) -> SchemaRules? {
        if let dialect = SchemaDialect(schemaURI: declared) { return SchemaRules(dialect: dialect) }
        guard isRequired else { return nil }
        var dialect: SchemaDialect?
        var vocabularies: Vocabularies?
        var uri = declared
        // A metaschema may have a metaschema of its own; nobody needs a long row of them.
        for _ in 0..<8 {
            let resource = resource(named: URIReference(uri).resource).map { registry.resources[$0] }
            guard let metaschema = resource?.value else { break }
            if vocabularies == nil, let declared = metaschema["$vocabulary"]?.object {
                vocabularies = self.vocabularies(declared, at: metaschema)
            }
            guard let next = metaschema["$schema"]?.string else { break }
            dialect = SchemaDialect(schemaURI: next)
            if dialect != nil { break }
            uri = next
        }
        guard let dialect else {
            let position = value["$schema"]?.position ?? value.position
            note(
                "unknown-metaschema",
                "the metaschema \(declared) is not known, so nobody can say what the schema means",
                uri: declared,
                position: position,
                advice: "name one of the standard's, such as https://json-schema.org/draft/2020-12/schema"
            )
            return nil
        }
        guard let vocabularies, dialect >= .draft2019 else { return SchemaRules(dialect: dialect) }
        return SchemaRules(dialect: dialect, vocabularies: vocabularies.union(.core))
    }

    private mutating func vocabularies(_ declared: JSONObject, at metaschema: JSONValue) -> Vocabularies {
        var found: Vocabularies = []
        for member in declared.members {
            if let vocabulary = Vocabularies(uri: member.name) {
                found.formUnion(vocabulary)
            } else if member.value.bool == true {
                let message = "the metaschema requires the vocabulary \(member.name), which is not known"
                note("unknown-vocabulary", message, uri: member.name, position: member.namePosition)
            }
        }
        return found
    }
}
