import Basics
package import JSON

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
        return names?.first { $0.string?.exact == name.exact }?.position
    }

    /// The schema as its document has it, to be shown or compared as a whole.
    package func source(of id: SchemaID) -> JSONValue { schemas.places[schemas.place(of: id)].value }
}
