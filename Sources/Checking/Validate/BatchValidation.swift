package import Basics
import JSON
package import JSONSchema

/// `backlot validate --batch`: a case on every line, a result for each.
package struct BatchValidation {
    /// A sentence for the result of a case that has no verdict.
    private struct Problem: Error {
        var sentence: String
    }

    /// The identity of a case's schema.
    private struct Key: Hashable {
        var schema: JSONValue
        var registry: JSONValue?
        var dialect: SchemaDialect
        var formats: FormatMode
    }

    /// The compiled schemas that are kept.
    private static let capacity = 256

    private var schemas: [Key: Schema] = [:]
    private var registries: [JSONValue: (dialect: SchemaDialect, registry: SchemaRegistry)] = [:]
    private var libraries: [FormatMode: SchemaLibrary] = [:]

    private let files: any FileReading

    /// - Parameter files: where cases find the files that they name.
    package init(_ files: any FileReading) {
        self.files = files
    }

    /// The result for a line that is too long to hold in memory.
    ///
    /// - Parameter limit: the longest line that is read, in words such as `64 MB`.
    package static func answerToLine(longerThan limit: String) -> String {
        answer(nil, "the line is longer than \(limit)")
    }

    /// The result for a line, with a line's end; none for a blank one.
    package mutating func answer(to line: [UInt8]) -> String? {
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") && $0 != UInt8(ascii: "\r") })
        else { return nil }
        let root: JSONValue
        do {
            // A case is three levels deeper than its parts.
            root = try JSONParser(maximumDepth: JSONParser.depthLimit, duplicateNames: .lastWins).parse(line).root
        } catch {
            return Self.answer(nil, "the line is not valid JSON: \(error.sentence)")
        }
        guard let object = root.object else { return Self.answer(nil, "a case must be an object") }
        let id = object["id"]
        do throws(Problem) {
            let isValid = try verdict(on: object)
            return Self.line([("id", id ?? .null), ("valid", .bool(isValid))])
        } catch {
            return Self.answer(id, error.sentence)
        }
    }

    private static func answer(_ id: JSONValue?, _ sentence: String) -> String {
        line([("id", id ?? .null), ("error", .string(sentence))])
    }

    private static func line(_ members: [(String, JSONValue)]) -> String {
        JSONValue.object(JSONObject(members)).text(.compact) + "\n"
    }

    private mutating func verdict(on test: JSONObject) throws(Problem) -> Bool {
        guard let instance = test["instance"] else { throw Problem(sentence: "\"instance\" is missing from the case") }
        let schema = try schema(of: test)
        let direction = try direction(of: test)
        do {
            return try schema.accepts(instance, going: direction)
        } catch {
            throw Problem(sentence: error.message)
        }
    }

    private func direction(of test: JSONObject) throws(Problem) -> SchemaDirection {
        guard let value = test["direction"] else { return .either }
        switch value.string {
        case "request": return .request
        case "response": return .response
        default: throw Problem(sentence: "\"direction\" must be \"request\" or \"response\"")
        }
    }

    private mutating func schema(of test: JSONObject) throws(Problem) -> Schema {
        let formats = try formats(of: test)
        let dialect = try dialect(of: test)
        guard let schema = test["schema"] else { return try schemaInFile(test, dialect, formats) }
        let key = Key(schema: schema, registry: test["registry"], dialect: dialect ?? .draft2020, formats: formats)
        if let known = schemas[key] { return known }
        let registry = try registry(of: test, key.dialect)
        let compiled: Schema
        do {
            compiled = try Schema.compile(schema, dialect: key.dialect, formats: formats, registry: registry)
        } catch {
            throw Problem(sentence: Self.sentence(for: error))
        }
        if schemas.count >= Self.capacity { schemas = [:] }
        schemas[key] = compiled
        return compiled
    }

    private func formats(of test: JSONObject) throws(Problem) -> FormatMode {
        guard let value = test["format"], !value.isNull else { return .annotation }
        guard let isAsserted = value.bool else { throw Problem(sentence: "\"format\" must be true or false") }
        return isAsserted ? .assertion : .annotation
    }

    private static func sentence(for error: SchemaError) -> String {
        guard let first = error.problems.first else { return "the schema cannot be used" }
        let advice = first.advice.map { "; \($0)" } ?? ""
        return "\(first.message)\(advice) (\(first.uri))"
            + (error.problems.count > 1 ? ", and \(error.problems.count - 1) more" : "")
    }

    private func dialect(of test: JSONObject) throws(Problem) -> SchemaDialect? {
        guard let draft = test["draft"], !draft.isNull else { return nil }
        let name = draft.string ?? draft.number?.text ?? ""
        guard let dialect = SchemaDraft.dialect(name) else {
            let known = SchemaDraft.names.joined(separator: ", ")
            throw Problem(sentence: "unknown draft \"\(name)\"; the drafts are \(known)")
        }
        return dialect
    }

    private mutating func schemaInFile(
        _ test: JSONObject,
        _ dialect: SchemaDialect?,
        _ formats: FormatMode
    ) throws(Problem) -> Schema {
        guard let path = test["spec"]?.string else {
            throw Problem(sentence: "the case contains neither \"schema\" nor \"spec\"")
        }
        let place = test["pointer"] ?? ""
        guard let pointer = place.string else {
            throw Problem(sentence: "\"pointer\" must be a string such as \"#/a/b\"")
        }
        var library = libraries.removeValue(forKey: formats) ?? SchemaLibrary(files, formats: formats)
        defer { libraries[formats] = library }
        do {
            return try library.schema(in: path, at: pointer, dialect: dialect)
        } catch {
            throw Problem(sentence: error.sentence)
        }
    }

    private mutating func registry(of test: JSONObject, _ dialect: SchemaDialect) throws(Problem) -> SchemaRegistry {
        guard let value = test["registry"], !value.isNull else { return SchemaRegistry() }
        guard let documents = value.object else {
            throw Problem(sentence: "\"registry\" must be an object that maps URIs to schemas")
        }
        if let known = registries[value], known.dialect == dialect { return known.registry }
        var registry = SchemaRegistry()
        for document in documents.members { registry.add(document.value, at: document.name, dialect: dialect) }
        // Many cases in a row share one registry, and few have many.
        registries = [value: (dialect, registry)]
        return registry
    }
}

/// The names of dialects, as users write them.
package enum SchemaDraft {
    private static let all: [(name: String, dialect: SchemaDialect)] = [
        ("4", .draft4), ("6", .draft6), ("7", .draft7), ("2019-09", .draft2019), ("2020-12", .draft2020),
        ("openapi-3.0", .openAPI30), ("openapi-3.1", .openAPI31),
    ]

    /// All names, the oldest draft first.
    package static var names: [String] { all.map(\.name) }

    /// The dialect of a name, if any.
    package static func dialect(_ name: String) -> SchemaDialect? { all.first { $0.name == name }?.dialect }
}
