import Basics
import JSON

extension ShapeChecker {
    /// Keywords of OpenAPI 3.0's schema objects (section 4.7.24).
    private static let plain: Set<String> = [
        "title", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength",
        "pattern", "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required", "enum", "type",
        "allOf", "oneOf", "anyOf", "not", "items", "properties", "additionalProperties", "description", "format",
        "default", "nullable", "discriminator", "readOnly", "writeOnly", "xml", "externalDocs", "example", "deprecated",
        "$ref",
    ]

    /// What JSON Schema adds since OpenAPI 3.1, older drafts' names included.
    private static let further: Set<String> = [
        "$schema", "$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary", "$comment", "$defs", "prefixItems",
        "contains", "minContains", "maxContains", "patternProperties", "propertyNames", "dependentSchemas",
        "dependentRequired", "dependencies", "definitions", "additionalItems", "unevaluatedItems",
        "unevaluatedProperties", "if", "then", "else", "const", "contentEncoding", "contentMediaType", "contentSchema",
        "examples", "id", "$recursiveRef", "$recursiveAnchor",
    ]

    private static let known = (plain.union(further)).sorted()

    /// Tells of a keyword that looks like a slip; others may be somebody's own, which JSON Schema allows.
    mutating func checkKeyword(_ member: JSONObject.Member) {
        let name = member.name
        guard !Self.plain.contains(name), !name.isExtensionName else { return }
        if Self.further.contains(name) {
            // Tools write these into 3.0 often, and without harm; conditions are another matter.
            guard version == .v30, ["const", "if", "then", "else"].containsExactly(name) else { return }
            return report(
                .warning,
                "contract/unknown-keyword",
                "\"\(name)\" in a schema is new in OpenAPI 3.1; this document is 3.0 and it means nothing there",
                at: member.namePosition,
                below: name
            )
        }
        guard let meant = Self.meant(by: name) else { return }
        report(
            .error,
            "contract/misspelt-keyword",
            "unknown keyword \"\(name.shortened)\" in a schema",
            at: member.namePosition,
            below: name,
            advice: "did you mean \"\(meant)\"?"
        )
    }

    /// The keyword that was probably meant; `nil` for a name that may well be somebody's own.
    private static func meant(by name: String) -> String? {
        // Two letters are a letter away from many things.
        guard name.utf8.count > 2, let meant = Suggestion.nearest(to: name, among: known) else { return nil }
        // As three letters are from "id", "if", "not" and "xml"; and nothing is lost with a comment.
        guard meant.utf8.count > 3, meant != "$comment" else { return nil }
        return meant
    }
}
