import Basics
import JSON

/// A document's root, or a schema in it that has an identifier: the things that a URI without a fragment names.
struct SchemaResource: Sendable {
    /// Without a fragment.
    var uri: String
    /// The number of its document in the registry.
    var document: Int
    /// The names and indices from the document's root to here.
    var path: [String]
    var value: JSONValue
    /// The places that have a name, from the document's root.
    var anchors: [ExactText: [String]] = [:]
    /// Those of them that a `$dynamicRef` looks for.
    var dynamicAnchors: [(name: String, path: [String])] = []
    /// `$recursiveAnchor: true` (draft 2019-09).
    var isRecursiveAnchor = false
}

/// A document of the registry.
struct RegisteredDocument: Sendable {
    var uri: String
    var root: JSONValue
    var dialect: SchemaDialect
    /// The number of the resource that is the whole document.
    var resource: Int
    /// The number of its resources, itself included; their numbers follow each other, outer ones first.
    var resourceCount = 1
    /// Numbers of the resources inside it, by their pointer.
    var embedded: [ExactText: Int] = [:]
}

/// The schemas directly inside a schema.
enum SubschemaWalk {
    /// Each with the names and indices that lead to it.
    static func children(of object: JSONObject, in dialect: SchemaDialect) -> [(tokens: [String], value: JSONValue)] {
        var found: [(tokens: [String], value: JSONValue)] = []
        for member in object.members {
            guard let keyword = Keyword(named: member.name), let shape = KeywordShape(of: keyword, in: dialect) else {
                continue
            }
            let name = member.name
            switch (shape, member.value.content) {
            case (.schema, _):
                found.append(([name], member.value))
            case (.schemas, .array(let elements)), (.schemaOrSchemas, .array(let elements)):
                for (number, element) in elements.enumerated() { found.append(([name, String(number)], element)) }
            case (.schemaOrSchemas, _):
                found.append(([name], member.value))
            case (.schemaByName, .object(let schemas)), (.schemaByExpression, .object(let schemas)),
                (.schemaOrNamesByName, .object(let schemas)):
                for schema in schemas.members { found.append(([name, schema.name], schema.value)) }
            default:
                break
            }
        }
        return found
    }
}

/// Finds the identifiers and anchors of a document, in schemas only: an `$id` inside of `enum` identifies nothing.
struct IdentifierScan {
    private struct Task {
        var value: JSONValue
        var path: [String]
        var resource: Int
        var dialect: SchemaDialect
    }

    private(set) var resources: [SchemaResource]
    /// The place of each resource but the first one.
    private(set) var embedded: [(pointer: String, resource: Int)] = []
    private let firstNumber: Int
    private var waiting: [Task] = []

    /// - Parameter firstNumber: the number that the document's own resource has in the registry.
    init(_ root: JSONValue, uri: String, document: Int, dialect: SchemaDialect, firstNumber: Int) {
        self.firstNumber = firstNumber
        resources = [SchemaResource(uri: uri, document: document, path: [], value: root)]
        // OpenAPI 3.0 knows no identifiers, and its documents are large.
        guard dialect != .openAPI30 else { return }
        for (value, path) in OpenAPISchemas.roots(of: root, dialect: dialect) {
            waiting.append(Task(value: value, path: path, resource: 0, dialect: dialect))
        }
        while let task = waiting.popLast() { visit(task) }
    }

    private mutating func visit(_ task: Task) {
        guard let object = task.value.object else { return }
        var task = task
        if let declared = object["$schema"]?.string {
            task.dialect = SchemaDialect(schemaURI: declared) ?? task.dialect
        }
        let isHidden = task.dialect.referencesHideSiblings && object["$ref"]?.string != nil
        if !isHidden { note(object, in: &task) }
        for (tokens, value) in SubschemaWalk.children(of: object, in: task.dialect) {
            waiting.append(
                Task(value: value, path: task.path + tokens, resource: task.resource, dialect: task.dialect)
            )
        }
    }

    private mutating func note(_ object: JSONObject, in task: inout Task) {
        if let identifier = object[task.dialect.identifierKeyword]?.string {
            let reference = URIReference(identifier)
            if !(identifier.utf8.first == UInt8(ascii: "#")) {
                begin(reference, in: &task)
            }
            // Before 2019-09 an identifier's fragment was what `$anchor` is now.
            if task.dialect < .draft2019, let name = reference.fragment, !name.isEmpty,
                name.utf8.first != UInt8(ascii: "/")
            {
                resources[task.resource].anchors[name.exact] = task.path
            }
        }
        guard task.dialect >= .draft2019 else { return }
        if let name = object["$anchor"]?.string { resources[task.resource].anchors[name.exact] = task.path }
        if task.dialect == .draft2019 {
            if object["$recursiveAnchor"]?.bool == true, task.path == resources[task.resource].path {
                resources[task.resource].isRecursiveAnchor = true
            }
        } else if let name = object["$dynamicAnchor"]?.string {
            resources[task.resource].anchors[name.exact] = task.path
            resources[task.resource].dynamicAnchors.append((name, task.path))
        }
    }

    private mutating func begin(_ reference: URIReference, in task: inout Task) {
        let uri = reference.resolved(against: URIReference(resources[task.resource].uri)).resource
        guard !task.path.isEmpty else {
            resources[0].uri = uri
            return
        }
        let document = resources[0].document
        resources.append(SchemaResource(uri: uri, document: document, path: task.path, value: task.value))
        task.resource = resources.count - 1
        embedded.append((JSONPointer(tokens: task.path).description, firstNumber + task.resource))
    }
}

/// The places where the schemas of a document begin: its root, or, in an OpenAPI file, every place of a schema.
enum OpenAPISchemas {
    static func roots(of document: JSONValue, dialect: SchemaDialect) -> [(value: JSONValue, path: [String])] {
        guard dialect == .openAPI31 || dialect == .openAPI30, document["openapi"] != nil else {
            return [(document, [])]
        }
        var found: [(value: JSONValue, path: [String])] = []
        var waiting: [(value: JSONValue, path: [String])] = [(document, [])]
        while let (value, path) = waiting.popLast() {
            switch value.content {
            case .array(let elements):
                for (number, element) in elements.enumerated() { waiting.append((element, path + [String(number)])) }
            case .object(let object):
                for member in object.members {
                    let inner = path + [member.name]
                    switch member.name {
                    case "schema": found.append((member.value, inner))
                    case "schemas" where path == ["components"]:
                        for schema in member.value.object?.members ?? [] {
                            found.append((schema.value, inner + [schema.name]))
                        }
                    case "example", "examples", "default", "value": break
                    default: waiting.append((member.value, inner))
                    }
                }
            default: break
            }
        }
        return found
    }
}
