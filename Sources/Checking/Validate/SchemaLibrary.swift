package import Basics
package import JSON
package import JSONSchema
import OpenAPI

/// Schemas in files, each file read once with the files that it refers to, each schema compiled once.
package struct SchemaLibrary {
    /// The reason why there is no schema, or no document.
    package struct Problem: Error {
        package var findings: [Finding]

        /// The first finding, and how many more there are.
        package var sentence: String {
            let first = findings.first.map { finding in
                (finding.place.map { "\($0): " } ?? "") + finding.message + (finding.advice.map { "; \($0)" } ?? "")
            }
            return (first ?? "the schema cannot be used")
                + (findings.count > 1 ? ", and \(findings.count - 1) more" : "")
        }
    }

    private struct Key: Hashable {
        var uri: String
        var dialect: SchemaDialect?
    }

    private let files: any FileReading
    private let formats: FormatMode
    private let overlays: [String]
    /// The file of each document, for positions.
    package private(set) var sources = SourceMap()
    /// By the path as it was given; each with all the files that it leads to.
    private var compilers: [Key: SchemaCompiler] = [:]
    private var schemas: [Key: Schema] = [:]
    /// The URI of the contract that overlays have changed.
    private var contractURI: String?

    /// The findings in a contract with overlays that do not prevent its use.
    package private(set) var remarks: [Finding] = []

    /// - Parameter overlays: files of changes that are laid over an OpenAPI file that has the schemas, in this order; the
    ///   schemas are asked for before anything else is read.
    package init(_ files: any FileReading, formats: FormatMode, overlays: [String] = []) {
        self.files = files
        self.formats = formats
        self.overlays = overlays
    }

    /// The schema at a fragment of a file; an OpenAPI file's version decides the dialect.
    package mutating func schema(in path: String, at fragment: String, dialect: SchemaDialect?) throws(Problem)
        -> Schema
    {
        let fragment = fragment.utf8.first == UInt8(ascii: "#") ? String(fragment.dropFirst()) : fragment
        let fileKey = Key(uri: path, dialect: dialect)
        let key = Key(uri: "\(path)#\(fragment)", dialect: dialect)
        if let known = schemas[key] { return known }
        var compiler: SchemaCompiler
        if let known = compilers[fileKey] {
            compiler = known
        } else {
            compiler = SchemaCompiler(registry: try registry(for: path, dialect: dialect), formats: formats)
        }
        let before = compiler.problems.count
        let handle = compiler.compile("\(contractURI ?? uri(of: path))#\(fragment)")
        compilers[fileKey] = compiler
        guard let handle else {
            // A schema may fail for what was found before; then all of it is reported again.
            let problems = compiler.problems.count > before ? compiler.problems[before...] : compiler.problems[...]
            throw Problem(findings: problems.map { finding(for: $0) })
        }
        let schema = compiler.finish().schema(handle)
        schemas[key] = schema
        return schema
    }

    /// Reads a file, which keeps its number in positions.
    package mutating func read(_ path: String, duplicateNames: JSONParser.DuplicateNames) throws(Problem)
        -> JSONDocument
    {
        let number = sources.add(path)
        let bytes: [UInt8]
        do {
            bytes = try files.read(path)
        } catch {
            let finding = Finding(
                .error,
                id: "file/unreadable",
                error.sentence(about: path),
                at: Place(file: path)
            )
            throw Problem(findings: [finding])
        }
        do {
            return try JSONParser(document: number, duplicateNames: duplicateNames).parse(bytes, ofFile: path)
        } catch {
            throw Problem(findings: [error.finding(in: path)])
        }
    }

    private func uri(of path: String) -> String { "file://" + (files.resolve(path) ?? path) }

    private func finding(for problem: SchemaProblem) -> Finding {
        // A missing schema has no position; its address is in the message.
        let isPlaced = problem.position.isKnown
        let place = isPlaced ? sources.place(of: problem.position) : nil
        return Finding(.error, id: "schema/\(problem.id)", problem.message, at: place, advice: problem.advice)
    }

    private mutating func registry(for path: String, dialect: SchemaDialect?) throws(Problem) -> SchemaRegistry {
        guard overlays.isEmpty else { return try registry(ofContract: path) }
        var registry = SchemaRegistry()
        let root = try read(path, duplicateNames: .lastWins).root
        let dialect = dialect ?? SchemaLibrary.dialect(of: root)
        registry.add(root, at: uri(of: path), dialect: dialect)
        var seen: Set<String> = [uri(of: path)]
        var waiting = FileReferences.all(in: root, folder: FilePath.folder(of: path))
        while let next = waiting.popLast() {
            // A reference to a missing file is reported at its place, when a schema needs it.
            guard files.resolve(next) != nil, seen.insert(uri(of: next)).inserted else { continue }
            guard let document = try? read(next, duplicateNames: .lastWins) else { continue }
            registry.add(document.root, at: uri(of: next), dialect: dialect)
            waiting += FileReferences.all(in: document.root, folder: FilePath.folder(of: next))
        }
        return registry
    }

    /// The documents of a contract as its overlays change it.
    private mutating func registry(ofContract path: String) throws(Problem) -> SchemaRegistry {
        guard let project = ProjectRoot(enclosing: path, files: files) else {
            let message = FileProblem.missing.sentence(about: path)
            let finding = Finding(.error, id: "file/unreadable", message, at: Place(file: path))
            throw Problem(findings: [finding])
        }
        do throws(ContractError) {
            let contract = try ContractLoader(files: files, project: project, overlays: overlays).load(path)
            sources = contract.sources
            contractURI = contract.uri
            remarks = contract.findings.filter { $0.severity != .note }
            return contract.schemas.registry
        } catch {
            throw Problem(findings: error.findings)
        }
    }

    private static func dialect(of root: JSONValue) -> SchemaDialect {
        guard let version = root["openapi"]?.string else { return .draft2020 }
        return version.utf8.starts(with: "3.0".utf8) ? .openAPI30 : .openAPI31
    }
}

/// The files that references in a document name.
private enum FileReferences {
    static func all(in root: JSONValue, folder: String) -> [String] {
        var found: [String] = []
        var waiting = [root]
        while let value = waiting.popLast() {
            switch value.content {
            case .array(let elements): waiting += elements
            case .object(let object):
                if let reference = object["$ref"]?.string, let path = path(in: reference) {
                    found.append(FilePath.join(folder, path))
                }
                waiting += object.members.map(\.value)
            default: break
            }
        }
        return found
    }

    private static func path(in reference: String) -> String? {
        let path = String(reference.prefix { $0 != "#" })
        return path.isEmpty || path.contains(":") ? nil : path
    }
}
