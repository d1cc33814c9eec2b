import Basics
package import JSON

/// The purpose of a schema's member, by the keywords of every version of OpenAPI, for those who look at a schema before it
/// is compiled.
package enum KeywordRole: Sendable {
    /// It refers to a schema by a text.
    case reference
    /// Its value is a schema, or a list of them.
    case schema
    /// Its value has schemas by name.
    case schemasByName
    /// It documents values.
    case examples
    case discriminator
    /// It is what references inside of the schema are relative to.
    case identifier

    private static let byName: [ExactText: KeywordRole] = {
        var roles: [ExactText: KeywordRole] = [:]
        for keyword in Keyword.allCases { roles[keyword.rawValue.exact] = KeywordRole(keyword) }
        return roles
    }()

    package init?(named name: String) {
        guard let role = KeywordRole.byName[name.exact] else { return nil }
        self = role
    }

    private init?(_ keyword: Keyword) {
        switch (keyword, KeywordShape(of: keyword, in: .openAPI31)) {
        case (.ref, _), (.dynamicRef, _): self = .reference
        case (.example, _), (.examples, _), (.default, _): self = .examples
        case (.discriminator, _): self = .discriminator
        case (.id, _): self = .identifier
        case (_, .schema), (_, .schemas), (_, .schemaOrSchemas): self = .schema
        case (_, .schemaByName), (_, .schemaByExpression), (_, .schemaOrNamesByName): self = .schemasByName
        default: return nil
        }
    }
}

extension JSONObject {
    /// The value of a schema's `discriminator` or `$id`.
    package func value(of role: KeywordRole) -> JSONValue? {
        members.first { KeywordRole(named: $0.name) == role }?.value
    }
}
