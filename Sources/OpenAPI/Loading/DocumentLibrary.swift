import Basics
import HTTPCodec
import JSON
import JSONSchema

/// The files of a contract: each is read once, when something refers to it.
struct DocumentLibrary {
    private let files: any FileReading
    private let project: ProjectRoot
    private(set) var documents: [ContractDocument] = []
    private(set) var sources = SourceMap()
    private(set) var watched: [String] = []
    /// What is wrong with files that are referred to.
    private(set) var findings: [Finding] = []
    /// Further URIs that references give to documents: other spellings, or paths through symbolic links.
    private(set) var aliases: [(uri: String, document: Int)] = []
    /// Documents by the bytes of their resolved paths.
    private var numbers: [[UInt8]: Int] = [:]
    private var knownURIs: Set<String> = []
    /// How schemas are read where a document does not say so itself.
    var dialect = SchemaDialect.openAPI31

    init(files: any FileReading, project: ProjectRoot) {
        self.files = files
        self.project = project
    }

    func root(of document: Int) -> ContractNode {
        ContractNode(document: document, pointer: JSONPointer(), value: documents[document].root)
    }

    /// The absolute URI of a place.
    func uri(of node: ContractNode) -> String {
        documents[node.document].uri + node.pointer.fragment
    }

    mutating func tell(_ finding: Finding) {
        findings.append(finding)
    }

    /// Reads the file that the user named.
    ///
    /// - Throws: the finding that says why there is nothing to read.
    mutating func open(_ path: String) throws(FindingError) -> Int {
        guard let resolved = files.resolve(path) else {
            watched.append(path)
            throw FindingError(
                Finding(.error, id: "contract/unreadable", "there is no file \"\(path)\"".printable)
            )
        }
        return try read(resolved, as: path)
    }

    /// Reads a file that a reference names, or finds it among those that were read.
    mutating func open(_ name: String, from document: Int) throws(ReferenceProblem) -> Int {
        guard let plain = PercentEncoding.decode(name), FilePath.isPath(plain) else { throw .notAPath(name) }
        let referrer = documents[document]
        let path = FilePath.join(FilePath.folder(of: referrer.resolvedPath), plain)
        guard let resolved = files.resolve(path), !files.isFolder(resolved) else {
            watched.append(path)
            let name = FilePath.name(of: plain)
            // A folder of that name is no answer.
            let siblings = files.entries(of: FilePath.folder(of: path)).filter { !$0.utf8.elementsEqual(name.utf8) }
            throw .noFile(plain, meant: Suggestion.nearest(to: name, among: siblings))
        }
        guard FilePath.contains(project.path, resolved) else { throw .outside(plain) }
        let number: Int
        if let known = numbers[Array(resolved.utf8)] {
            number = known
        } else {
            let shown = FilePath.join(FilePath.folder(of: referrer.path), FileURI.withoutDots(plain))
            do {
                number = try read(resolved, as: shown)
            } catch {
                findings.append(error.finding)
                number = numbers[Array(resolved.utf8)] ?? document
            }
        }
        note(FileURI.resolve(name, against: referrer.uri), for: number)
        guard !documents[number].root.isNull else { throw .unreadable(plain) }
        return number
    }

    /// A document may name its version and, since 3.1, the dialect of its schemas.
    private mutating func readDialect(of number: Int) {
        let root = documents[number].root
        guard let version = root["openapi"]?.string.flatMap(OpenAPIVersion.init(written:)) else { return }
        documents[number].dialect = version.dialect
        guard version != .v30, let named = root["jsonSchemaDialect"], let text = named.string else { return }
        if let dialect = SchemaDialect(openAPIName: text) {
            documents[number].dialect = dialect
        } else {
            let place = Place(
                file: documents[number].path,
                position: named.position.text,
                pointer: "/jsonSchemaDialect"
            )
            tell(
                Finding(
                    .warning,
                    id: "contract/unknown-dialect",
                    "the dialect \"\(text.shortened)\" is not known; schemas are read as OpenAPI 3.1's".printable,
                    at: place
                )
            )
        }
    }

    private mutating func note(_ uri: String, for document: Int) {
        if knownURIs.insert(uri).inserted { aliases.append((uri, document)) }
    }

    private mutating func read(_ resolved: String, as path: String) throws(FindingError) -> Int {
        let number = Int(sources.add(path))
        let uri = FileURI.uri(ofPath: resolved)
        numbers[Array(resolved.utf8)] = number
        watched.append(resolved)
        knownURIs.insert(uri)
        documents.append(
            ContractDocument(path: path, resolvedPath: resolved, uri: uri, root: .null, dialect: dialect)
        )
        let bytes: [UInt8]
        do {
            bytes = try files.read(resolved)
        } catch {
            let message = "\"\(path)\" cannot be read: \(error.reason)".printable
            throw FindingError(Finding(.error, id: "contract/unreadable", message))
        }
        do {
            documents[number].root = try JSONParser(document: Int32(number)).parse(bytes, ofFile: path).root
        } catch {
            throw FindingError(ForeignText.finding(for: bytes, error, in: path))
        }
        readDialect(of: number)
        return number
    }
}

/// A finding that ends what found it.
struct FindingError: Error {
    var finding: Finding

    init(_ finding: Finding) {
        self.finding = finding
    }
}
