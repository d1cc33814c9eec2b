/// Groups of keywords that a metaschema switches on (draft 2020-12, core, section 8.1).
struct Vocabularies: OptionSet, Sendable, Hashable {
    var rawValue: UInt8

    static let core = Vocabularies(rawValue: 1)
    static let applicator = Vocabularies(rawValue: 2)
    static let unevaluated = Vocabularies(rawValue: 4)
    static let validation = Vocabularies(rawValue: 8)
    /// Keywords that refuse nothing by themselves.
    static let annotation = Vocabularies(rawValue: 16)
    /// Formats that refuse.
    static let formatAssertion = Vocabularies(rawValue: 32)

    static let standard: Vocabularies = [.core, .applicator, .unevaluated, .validation, .annotation]

}

extension Vocabularies {
    /// The vocabulary with a URI; `nil` when it is not one of the standard's.
    init?(uri: String) {
        guard let name = Vocabularies.name(in: uri) else { return nil }
        switch name {
        case "core": self = .core
        case "applicator":
            self =
                uri.utf8.starts(with: "https://json-schema.org/draft/2019".utf8)
                ? [.applicator, .unevaluated] : .applicator
        case "unevaluated": self = .unevaluated
        case "validation": self = .validation
        case "format-assertion": self = .formatAssertion
        case "format", "format-annotation", "content", "meta-data": self = .annotation
        default: return nil
        }
    }

    private static func name(in uri: String) -> Substring? {
        for base in ["https://json-schema.org/draft/2020-12/vocab/", "https://json-schema.org/draft/2019-09/vocab/"]
        where uri.utf8.starts(with: base.utf8) {
            return uri.dropFirst(base.utf8.count)
        }
        return uri == "https://spec.openapis.org/oas/3.1/vocab/base" ? "meta-data" : nil
    }
}

/// The rules by which the schemas of a resource are read.
struct SchemaRules: Sendable, Hashable {
    var dialect: SchemaDialect
    var vocabularies: Vocabularies = .standard

    /// Returns whether a keyword has a meaning here.
    func knows(_ keyword: Keyword) -> Bool {
        vocabularies.contains(keyword.vocabulary) && KeywordShape(of: keyword, in: dialect) != nil
    }
}
