package import Basics
import JSON
import JSONSchema

/// Reads an OpenAPI file and every file that it refers to.
package struct ContractLoader: Sendable {
    private let files: any FileReading
    private let project: ProjectRoot

    package init(files: any FileReading, project: ProjectRoot) {
        self.files = files
        self.project = project
    }

    /// Loads a contract.
    ///
    /// What is wrong in a part of it costs that part only, and is among ``Contract/findings``.
    ///
    /// - Throws: ``ContractError`` with everything that was found, when the file cannot be used at all: it is not
    ///   JSON, not OpenAPI 3, or has no paths.
    package func load(_ path: String) throws(ContractError) -> Contract {
        try DeepStack.run { () throws(ContractError) in try read(path) }
    }

    private func read(_ path: String) throws(ContractError) -> Contract {
        var library = DocumentLibrary(files: files, project: project)
        let version: OpenAPIVersion
        do {
            let number = try library.open(path)
            version = try VersionReader.version(of: library.documents[number])
            if version == .v32 { library.tell(VersionReader.note(on: library.documents[number])) }
        } catch {
            throw ContractError(findings: [error.finding], watched: library.watched)
        }
        library.dialect = library.documents[0].dialect
        var checker = ShapeChecker(library: library, version: version)
        checker.checkAll()
        library = checker.library
        let findings = (library.findings + checker.survey.findings).inOrder(of: library.sources)
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
        let basePaths = builder.basePaths(of: root)
        library = builder.library
        return Contract(
            path: path,
            version: version,
            title: root.value["info"]?["title"]?.string ?? "",
            servers: ContractBuilder.servers(root["servers"]),
            operations: operations,
            securitySchemes: schemes,
            sources: library.sources,
            watched: library.watched,
            findings: findings,
            schemas: ContractSchemas(
                registry: library.registry,
                roots: builder.schemas + checker.survey.schemaExamples.map(\.schema)
            ),
            index: OperationIndex(operations, basePaths: basePaths),
            documents: library.documents,
            survey: checker.survey
        )
    }
}

/// Why a contract cannot be used.
package struct ContractError: Error {
    package var findings: [Finding]
    /// The files that were looked at, so that the next save of one may fix it.
    package var watched: [String]
}

extension DocumentLibrary {
    /// The registry of every document, under every URI by which references name it.
    var registry: SchemaRegistry {
        var registry = SchemaRegistry()
        for document in documents where !document.root.isNull {
            registry.add(document.root, at: document.uri, dialect: document.dialect)
        }
        for (uri, number) in aliases where !documents[number].root.isNull {
            registry.add(documents[number].root, at: uri, dialect: documents[number].dialect)
        }
        return registry
    }
}
