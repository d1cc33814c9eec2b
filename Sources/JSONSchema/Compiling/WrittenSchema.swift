import Basics
package import JSON

/// A schema as its document has it, for those who look at it before it is compiled.
package struct WrittenSchema {
    package let object: JSONObject

    /// - Returns: `nil` for what is not an object.
    package init?(_ value: JSONValue) {
        guard let object = value.object else { return nil }
        self.object = object
    }

    /// A Boolean value that indicates whether it has a name that references inside of it are relative to.
    package var hasIdentifier: Bool { self[.id]?.string != nil }

    package var discriminator: JSONValue? { self[.discriminator] }

    /// The members that refer to schemas by a text.
    package var references: [JSONObject.Member] {
        members([.ref, .dynamicRef]).filter { $0.value.string != nil }
    }

    /// The members that document values.
    package var examples: [JSONObject.Member] { members([.example, .examples, .default]) }

    /// The schemas directly inside, by the keywords of every version of OpenAPI, each with the names and indices that lead
    /// to it.
    package var subschemas: [(tokens: [String], value: JSONValue)] {
        SubschemaWalk.children(of: object, in: .openAPI31)
    }

    private subscript(keyword: Keyword) -> JSONValue? { object[keyword.rawValue] }

    private func members(_ keywords: [Keyword]) -> [JSONObject.Member] {
        object.members.filter { member in Keyword(named: member.name).map(keywords.contains) ?? false }
    }
}

extension CompiledSchemas {
    /// The value of a keyword as the document has it, for messages that name the keyword.
    func written(_ keyword: Keyword, at node: Int32) -> JSONValue? {
        places[nodes[Int(node)].place].value[keyword.rawValue]
    }
}

extension SchemaProgram {
    /// The position of a keyword's value in a schema; `nil` where the schema lacks it.
    package func position(of keyword: String, in id: SchemaID) -> JSONPosition? { source(of: id)[keyword]?.position }

    /// The position of a name in the `required` of a schema.
    package func position(ofRequired name: String, in id: SchemaID) -> JSONPosition? {
        let names = source(of: id)[Keyword.required.rawValue]?.array
        return names?.first { $0.string?.hasSameUTF8(as: name) == true }?.position
    }

    /// The schema as its document has it, to be shown or compared as a whole.
    package func source(of id: SchemaID) -> JSONValue { schemas.places[schemas.place(of: id)].value }
}
