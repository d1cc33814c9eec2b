import Basics
import JSON
import JSONSchema

/// The keywords that the schemas of a contract may have, which depend on the version of OpenAPI.
struct SchemaVocabulary {
    let version: OpenAPIVersion

    /// The reason why a keyword has no effect, or probably not the intended one.
    struct Problem {
        var id: String
        var message: String
        var advice: String?
    }

    /// Keywords of OpenAPI 3.0's schema objects (section 4.7.24).
    private static let plain = Set(SchemaDialect.openAPI30.keywords + ObjectShape.schema.keys.map(\.name))

    /// The keywords that JSON Schema adds since OpenAPI 3.1, with those of older drafts.
    private static let further = Set(SchemaDialect.allKeywords).subtracting(plain)

    private static let since31 = Set(SchemaDialect.openAPI31.keywords)

    private static let known = plain.union(further).sorted()

    /// The problem of a keyword that looks like a slip; others may be custom keywords, which JSON Schema allows.
    func problem(of member: JSONObject.Member) -> Problem? {
        let name = member.name
        if name == "nullable", version != .v30, member.value.bool == true {
            return Problem(
                id: "contract/unknown-keyword",
                message:
                    "\"nullable\" in a schema has no effect since OpenAPI 3.1; this document is \(version.rawValue)",
                advice: "add \"null\" to the types, as in \"type\": [\"string\", \"null\"]"
            )
        }
        guard !Self.plain.contains(name), !name.isExtensionName else { return nil }
        if Self.further.contains(name) {
            guard version == .v30 else { return nil }
            return Problem(
                id: "contract/unknown-keyword",
                message: Self.since31.contains(name)
                    ? "\"\(name)\" in a schema is new in OpenAPI 3.1; this document is 3.0, where it has no effect"
                    : "OpenAPI schemas do not support the keyword \"\(name)\""
            )
        }
        if let meant = Self.meant(by: name) {
            return Problem(
                id: "contract/misspelt-keyword",
                message: "unknown keyword \"\(name.shortened)\" in a schema",
                advice: "did you mean \"\(meant)\"?"
            )
        }
        // Only 3.0 has a closed list of keywords.
        guard version == .v30 else { return nil }
        return Problem(
            id: "contract/unknown-keyword",
            message: "OpenAPI 3.0 schemas do not support the keyword \"\(name.shortened)\"",
            advice: "custom keywords must begin with \"x-\""
        )
    }

    /// The keyword that was probably meant; `nil` for a name that may well be a custom keyword.
    private static func meant(by name: String) -> String? {
        // Two letters are a letter away from many things.
        guard name.utf8.count > 2, let meant = Suggestion.nearest(to: name, among: known) else { return nil }
        // As three letters are from "id", "if", "not" and "xml"; and nothing is lost with a comment.
        guard meant.utf8.count > 3, meant != "$comment" else { return nil }
        return meant
    }
}
