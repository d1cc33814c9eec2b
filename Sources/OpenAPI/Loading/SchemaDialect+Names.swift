import JSONSchema

extension SchemaDialect {
    /// The dialect that a document names under `jsonSchemaDialect`; `nil` when it is not known.
    init?(openAPIName name: String) {
        let name = name.utf8.last == UInt8(ascii: "#") ? String(name.dropLast()) : name
        switch name {
        case "https://json-schema.org/draft/2020-12/schema": self = .draft2020
        case "https://json-schema.org/draft/2019-09/schema": self = .draft2019
        case "http://json-schema.org/draft-07/schema": self = .draft7
        case "http://json-schema.org/draft-06/schema": self = .draft6
        case "http://json-schema.org/draft-04/schema": self = .draft4
        case _ where name.hasPrefix("https://spec.openapis.org/oas/3."): self = .openAPI31
        default: return nil
        }
    }
}
