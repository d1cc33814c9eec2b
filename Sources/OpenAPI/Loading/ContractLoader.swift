package import Basics
import JSON
import JSONSchema

/// Reads an OpenAPI file and every file that it refers to.
package struct ContractLoader: Sendable {
    private let files: any FileReading
    private let project: ProjectRoot
    private let overlays: [String]
    private let mappings: [URLMapping]

    /// - Parameters:
    ///   - overlays: files of changes that are laid over every contract, in this order.
    ///   - mappings: the files that are read in place of URLs.
    package init(
        files: any FileReading,
        project: ProjectRoot,
        overlays: [String] = [],
        mappings: [URLMapping] = []
    ) {
        self.files = files
        self.project = project
        self.overlays = overlays
        self.mappings = mappings
    }

    /// Loads a contract.
    ///
    /// An error in a part of it costs that part only, and is among ``Contract/findings``.
    ///
    /// - Throws: ``ContractError`` with everything that was found, when the file cannot be used at all: it is not
    ///   JSON, not OpenAPI 3, or has no paths.
    package func load(_ path: String) throws(ContractError) -> Contract {
        try DeepStack.run { () throws(ContractError) in try read(path) }
    }

    private func read(_ path: String) throws(ContractError) -> Contract {
        var library = DocumentLibrary(files: files, project: project, mappings: mappings)
        let version: OpenAPIVersion
        do {
            let number = try library.open(path)
            for overlay in overlays { try library.lay(overlay, over: number) }
            version = try VersionReader.version(of: library.documents[number])
        } catch {
            throw ContractError(findings: [error], watched: library.watched)
        }
        library.dialect = library.documents[0].dialect
        var checker = ShapeChecker(library: library, version: version)
        checker.checkAll()
        library = checker.library
        let findings = (library.findings + checker.survey.findings).inOrder(of: library.sources)
            .map(library.withOrigin).grouped
        let root = library.root(of: 0)
        // Since 3.1 a document may have webhooks or components only.
        let mayLackPaths = version != .v30 && root.value["paths"] == nil
        guard mayLackPaths || root.value["paths"]?.object != nil else {
            throw ContractError(findings: findings, watched: library.watched)
        }
        var builder = ContractBuilder(library: library)
        let operations = builder.operations(of: root)
        let schemes = builder.securitySchemes(of: root)
        builder.addComponents(of: root)
        let asides = builder.asides(of: root)
        let servers = builder.allServers(of: root)
        library = builder.library
        return Contract(
            path: path,
            version: version,
            title: root.value["info"]?["title"]?.string ?? "",
            servers: ContractBuilder.servers(root["servers"]),
            allServers: servers,
            operations: operations,
            asides: asides,
            securitySchemes: schemes,
            sources: library.sources,
            watched: library.watched,
            findings: findings,
            schemas: ContractSchemas(
                registry: library.registry,
                roots: builder.schemas + checker.survey.schemaExamples.map(\.schema)
            ),
            index: OperationIndex(operations, basePaths: servers.map(\.basePath.exact).unique.map(\.text)),
            documents: library.documents,
            origins: library.origins,
            survey: checker.survey
        )
    }
}

/// The reason why a contract cannot be used.
package struct ContractError: Error {
    package var findings: [Finding]
    /// The files that were looked at, so that the next save of one may fix it.
    package var watched: [String]
}

extension DocumentLibrary {
    /// The registry of every document, under every URI by which references name it.
    var registry: SchemaRegistry {
        var registry = SchemaRegistry()
        for document in documents where !document.root.isNull && !document.isOverlay {
            registry.add(document.root, at: document.uri, dialect: document.dialect)
        }
        for document in documents {
            guard let own = document.root["$self"]?.string, FileURI.scheme(of: own) != nil else { continue }
            registry.add(document.root, at: own, dialect: document.dialect)
        }
        for (uri, number) in aliases where !documents[number].root.isNull {
            registry.add(documents[number].root, at: uri, dialect: documents[number].dialect)
        }
        return registry
    }
}

/// The reason why a reference cannot be resolved.
enum ReferenceProblem: Error {
    /// It names something on another machine.
    case remote(String)
    /// It has a scheme that no file of the project has.
    case foreignScheme(String)
    case absolutePath(String)
    case notAPath(String)
    case noFile(String, meant: String?)
    case outside(String)
    case unreadable(String)
    case notAPointer(String)
    /// It names an anchor, which only schemas have.
    case anchor(String)
    /// The document has nothing there; `parent` is how far the pointer leads.
    case nothingThere(String, parent: String, meant: String?)
    case circular(String)
    /// It begins a chain of references that is too long.
    case endless(String)

    var id: String {
        switch self {
        case .circular: "contract/circular-reference"
        default: "contract/unresolvable-reference"
        }
    }

    /// The finding, as a sentence without a full stop.
    var sentence: String {
        switch self {
        case .remote(let text): "\"\(text)\" is on another machine, and Backlot does not download files"
        case .foreignScheme(let text): "\"\(text)\" is not a relative path; references must be relative to this file"
        case .absolutePath(let text): "\"\(text)\" is an absolute path; references must be relative to this file"
        case .notAPath(let text): "\"\(text)\" cannot be percent-decoded"
        case .noFile(let name, _): "there is no file \"\(name)\""
        case .outside(let name): "\"\(name)\" is outside the project folder"
        case .unreadable(let name): "\"\(name)\" cannot be used, so its content is not available here"
        case .notAPointer(let text):
            "\"\(text)\" is not a JSON Pointer, which begins with #/ and encodes ~ as ~0 and / as ~1"
        case .anchor(let text): "\"\(text)\" is an anchor, but only schemas can have anchors"
        case .nothingThere(let text, let parent, _):
            "\"\(text)\" cannot be resolved: there is no such member in \(parent.isEmpty ? "the document" : parent)"
        case .circular(let text): "\"\(text)\" refers to itself"
        case .endless(let text): "\"\(text)\" leads to a chain of more than a hundred references"
        }
    }

    var advice: String? {
        switch self {
        case .remote(let text): "save a copy, and specify the copy with --map \(text)=FILE"
        case .noFile(_, let meant?), .nothingThere(_, _, let meant?): "did you mean \"\(meant)\"?"
        default: nil
        }
    }
}

/// Reads the version of a document, and says what it is when it is not OpenAPI.
enum VersionReader {
    static func version(of document: ContractDocument) throws(Finding) -> OpenAPIVersion {
        let root = document.root
        guard let object = root.object else {
            throw refusal(
                "an OpenAPI file must be a JSON object, but this is \(root.kindName.withArticle)",
                at: root.position,
                "",
                in: document
            )
        }
        if let swagger = object.member(named: "swagger"), object["openapi"] == nil {
            throw refusal(
                "this is Swagger \(swagger.value.string ?? "2.0"); only OpenAPI 3.0, 3.1 and 3.2 are supported",
                at: swagger.value.position,
                "/swagger",
                in: document,
                advice: "convert the file to OpenAPI 3"
            )
        }
        guard let version = object["openapi"] else {
            let meant = Suggestion.nearest(to: "openapi", among: object.names).flatMap(object.member(named:))
            throw refusal(
                "this is not an OpenAPI file: \"openapi\" with a version such as \"3.1.0\" is missing",
                at: meant?.namePosition ?? root.position,
                meant.map { JSONPointer(tokens: [$0.name]).description } ?? "",
                in: document,
                advice: meant.map { "is \"\($0.name)\" meant to be \"openapi\"?" }
            )
        }
        guard let text = version.string else {
            throw refusal(
                "\"openapi\" must be a version in quotes, such as \"3.1.0\", but this is \(version.kindName.withArticle)",
                at: version.position,
                "/openapi",
                in: document
            )
        }
        guard let known = OpenAPIVersion(written: text) else {
            throw refusal(
                "OpenAPI \(text.shortened) is not supported; use OpenAPI 3.0, 3.1 or 3.2",
                at: version.position,
                "/openapi",
                in: document
            )
        }
        return known
    }

    private static func refusal(
        _ message: String,
        at position: JSONPosition,
        _ pointer: String,
        in document: ContractDocument,
        advice: String? = nil
    ) -> Finding {
        let place = Place(file: document.path, position: position.text, pointer: pointer)
        return Finding(.error, id: "contract/version", message.printable, at: place, advice: advice?.printable)
    }
}

extension OpenAPIVersion {
    /// Reads a version as files write it: two or three numbers with dots between them.
    init?(written text: String) {
        let parts = text.utf8.split(separator: 0x2E, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts.contains(where: \.isEmpty),
            parts.count == 2 || (0x30...0x39).contains(parts[2][parts[2].startIndex])
        else { return nil }
        let minor = parts[..<2].map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
        self.init(rawValue: minor)
    }

    /// The dialect of schemas that do not declare one.
    var dialect: SchemaDialect { self == .v30 ? .openAPI30 : .openAPI31 }
}

extension String {
    /// A kind of JSON value with its article.
    var withArticle: String {
        switch self {
        case "array", "object": "an \(self)"
        case "null": self
        default: "a \(self)"
        }
    }
}

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
