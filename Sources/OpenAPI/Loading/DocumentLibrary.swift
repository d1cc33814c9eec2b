import Basics
import HTTPCodec
import JSON
import JSONSchema

/// The files of a contract: each is read once, when something refers to it.
struct DocumentLibrary {
    private let files: any FileReading
    private let project: ProjectRoot
    private let mappings: [URLMapping]
    private(set) var documents: [ContractDocument] = []
    private(set) var sources = SourceMap()
    private(set) var watched: [String] = []
    /// The findings in files that are referred to.
    private(set) var findings: [Finding] = []
    /// Further URIs that references give to documents: other spellings, or paths through symbolic links.
    private(set) var aliases: [(uri: String, document: Int)] = []
    /// The changes by overlays.
    private(set) var origins: [Overlay.Origin] = []
    /// Documents by the bytes of their resolved paths.
    private var numbers: [[UInt8]: Int] = [:]
    private var knownURIs: Set<String> = []
    /// The dialect of schemas in a document that does not declare one.
    var dialect = SchemaDialect.openAPI31

    init(files: any FileReading, project: ProjectRoot, mappings: [URLMapping] = []) {
        self.files = files
        self.project = project
        self.mappings = mappings.map { $0.resolved(in: files) }
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
    mutating func open(_ path: String) throws(Finding) -> Int {
        guard let resolved = files.resolve(path) else {
            watched.append(path)
            throw Finding(.error, id: "contract/unreadable", "there is no file \"\(path)\"".printable)
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
            // A folder of that name does not count.
            let siblings = files.entries(of: FilePath.folder(of: path)).filter { $0.exact != name.exact }
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
                findings.append(error)
                number = numbers[Array(resolved.utf8)] ?? document
            }
        }
        note(FileURI.resolve(name, against: referrer.uri), for: number)
        guard !documents[number].root.isNull else { throw .unreadable(plain) }
        return number
    }

    /// Reads the file that is mapped to a URL, or finds it among those that were read.
    ///
    /// - Parameter name: a URL, or a reference relative to that of the document. An absolute path starts at the server of
    ///   the URL that the document is read in place of (RFC 3986, section 4.2).
    /// - Returns: `nil` where nothing is mapped to it.
    private mutating func openMapped(_ name: String, from document: Int) throws(ReferenceProblem) -> Int? {
        guard !mappings.isEmpty else { return nil }
        let referrer = documents[document]
        let isRelative = FileURI.scheme(of: name) == nil
        // Next to a document in a mapped folder, files have the same names as below its URL.
        if isRelative, !FileURI.isAbsolutePath(name), mappedURL(of: referrer.resolvedPath) != nil { return nil }
        let url = isRelative ? FileURI.resolve(name, against: referrer.uri) : name
        guard let written = mappings.lazy.compactMap({ $0.path(of: url) }).first else { return nil }
        let path = PercentEncoding.decode(written) ?? written
        guard let resolved = files.resolve(path), !files.isFolder(resolved) else {
            watched.append(path)
            throw .noFile(path, meant: nil)
        }
        var number = numbers[Array(resolved.utf8)]
        if number == nil {
            do {
                number = try read(resolved, as: path, uri: url)
            } catch {
                findings.append(error)
                number = numbers[Array(resolved.utf8)]
            }
        }
        guard let number, !documents[number].root.isNull else { throw .unreadable(path) }
        note(url, for: number)
        return number
    }

    /// The URL that a file in a mapped folder is read in place of, if any.
    private func mappedURL(of resolved: String) -> String? { mappings.lazy.compactMap { $0.url(of: resolved) }.first }

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
                    "the dialect \"\(text.shortened)\" is unknown; schemas are read in the OpenAPI 3.1 dialect"
                        .printable,
                    at: place
                )
            )
        }
    }

    private mutating func note(_ uri: String, for document: Int) {
        if knownURIs.insert(uri).inserted { aliases.append((uri, document)) }
    }

    private mutating func read(_ resolved: String, as path: String, uri: String? = nil) throws(Finding) -> Int {
        let number = Int(sources.add(path))
        let uri = uri ?? mappedURL(of: resolved) ?? FileURI.uri(ofPath: resolved)
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
            throw Finding(.error, id: "contract/unreadable", message)
        }
        do {
            documents[number].root = try JSONParser(document: Int32(number)).parse(bytes, ofFile: path).root
            documents[number].written = documents[number].root
        } catch {
            throw ForeignText.finding(for: bytes, error, in: path)
        }
        readDialect(of: number)
        return number
    }
}

extension DocumentLibrary {
    /// Lays an overlay over a document that has been read, unless it says that it is another file's.
    ///
    /// - Throws: the finding that says why there is nothing to read.
    mutating func lay(_ path: String, over document: Int) throws(Finding) {
        guard let resolved = files.resolve(path), !files.isFolder(resolved) else {
            watched.append(path)
            let message = "there is no overlay \"\(path)\"".printable
            throw Finding(.error, id: "contract/unreadable", message)
        }
        let number = try read(resolved, as: path)
        documents[number].isOverlay = true
        let root = documents[number].root
        if let extended = root["extends"]?.string, FileURI.scheme(of: extended) == nil,
            let other = files.resolve(FilePath.join(FilePath.folder(of: resolved), extended)),
            other.exact != documents[document].resolvedPath.exact
        {
            let place = Place(file: path, position: root["extends"]?.position.text)
            let message = "the overlay extends \(extended.shortened), so it does not change \(documents[document].path)"
                .printable
            return tell(Finding(.note, id: Overlay.findingID, message, at: place))
        }
        var overlay = Overlay(root, number: number, path: path, bytes: (try? files.read(resolved)) ?? [])
        let changed = overlay.apply(to: documents[document].root, named: documents[document].path)
        documents[document].root = changed.document
        origins += changed.origins
        findings += overlay.findings
        readDialect(of: document)
    }

    /// A finding in what an overlay says, with the place in the document that it changes.
    func withOrigin(_ finding: Finding) -> Finding { finding.withOrigin(among: origins, in: sources) }
}

extension Finding {
    /// The finding, with the place in the document next to the one in an overlay.
    func withOrigin(among origins: [Overlay.Origin], in sources: SourceMap) -> Finding {
        guard !origins.isEmpty, id != Overlay.findingID, let file = place?.file, let position = place?.position else {
            return self
        }
        let last = origins.last { origin in
            sources.paths[Int(origin.overlay)].exact == file.exact && origin.start <= position
        }
        guard let last, last.target.isKnown else { return self }
        var finding = self
        finding.related.append(RelatedPlace(sources.place(of: last.target), "the overlay changes this"))
        return finding
    }
}

extension DocumentLibrary {
    /// Follows one reference, which may lead to a place that is a reference again.
    ///
    /// - Parameters:
    ///   - reference: the text of a `$ref`.
    ///   - document: the number of the document that it is in.
    mutating func target(of reference: String, from document: Int) throws(ReferenceProblem) -> ContractNode {
        let bytes = reference.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let file = String(reference[..<end])
        let number = try number(of: file, from: document)
        let fragment = String(reference[end...])
        guard fragment.utf8.count > 1 else { return root(of: number) }
        guard fragment.utf8.dropFirst().first == UInt8(ascii: "/") || fragment.utf8.starts(with: "#%2F".utf8) else {
            throw .anchor(reference)
        }
        guard let pointer = JSONPointer(fragment: fragment) else { throw .notAPointer(reference) }
        guard let value = pointer.value(in: documents[number].root) else {
            throw nothing(at: pointer, in: number, reference)
        }
        return ContractNode(document: number, pointer: pointer, value: value)
    }

    /// Opens the document that a reference without its fragment names.
    private mutating func number(of file: String, from document: Int) throws(ReferenceProblem) -> Int {
        if let known = file.isEmpty ? document : ownURI(file) { return known }
        if let mapped = try openMapped(file, from: document) { return mapped }
        return try open(checked(file), from: document)
    }

    /// The document that says of itself that this is its URI (`$self` of OpenAPI 3.2); relative ones name files.
    private func ownURI(_ text: String) -> Int? {
        guard FileURI.scheme(of: text) != nil else { return nil }
        return documents.firstIndex { $0.root["$self"]?.string?.exact == text.exact }
    }

    /// The limit of references that lead to one another; of a long chain each would be followed through all the rest.
    private static let chainLimit = 100

    /// Follows references to the last one.
    mutating func resolve(_ node: ContractNode) throws(ReferenceProblem) -> ContractNode {
        var node = node
        var seen: Set<ContractNode.Key> = []
        while let reference = node.value["$ref"]?.string {
            guard seen.insert(node.key).inserted else { throw .circular(reference) }
            guard seen.count <= Self.chainLimit else { throw .endless(reference) }
            node = try target(of: reference, from: node.document)
        }
        return node
    }

    private func checked(_ file: String) throws(ReferenceProblem) -> String {
        if file.utf8.starts(with: "//".utf8) { throw .remote(file) }
        if FileURI.isAbsolutePath(file) { throw .absolutePath(file) }
        switch FileURI.scheme(of: file) {
        case nil: return file
        case "http", "https": throw .remote(file)
        default: throw .foreignScheme(file)
        }
    }

    private func nothing(at pointer: JSONPointer, in number: Int, _ reference: String) -> ReferenceProblem {
        var value = documents[number].root
        var parent = JSONPointer()
        for token in pointer.tokens {
            guard let next = JSONPointer(tokens: [token]).value(in: value) else {
                // Comparing with very many names would make a broken file slow.
                let names = value.object.map { $0.members.prefix(2_000).map(\.name) } ?? []
                let meant = Suggestion.nearest(to: token, among: names)
                return .nothingThere(reference, parent: parent.description, meant: meant)
            }
            parent = parent.appending(token)
            value = next
        }
        return .nothingThere(reference, parent: parent.description, meant: nil)
    }
}

extension FileURI {
    /// The scheme of an absolute URI in lower case; `nil` for a relative reference (RFC 3986, section 3.1).
    static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { return nil }
        let scheme = text[..<colon].lowercased()
        let isScheme = scheme.utf8.enumerated().allSatisfy { offset, byte in
            byte &- 0x61 < 26 || offset > 0 && (byte &- 0x30 < 10 || "+-.".utf8.contains(byte))
        }
        return isScheme ? scheme : nil
    }
}

/// Finds the words for a contract that cannot be read, of which YAML under a name of JSON is the likeliest.
enum ForeignText {
    static func finding(for bytes: [UInt8], _ error: JSONSyntaxError, in path: String) -> Finding {
        guard TextFormat(ofFile: path) == .json, let position = TextFormat.yamlStart(bytes) else {
            return error.finding(in: path)
        }
        return Finding(
            .error,
            id: "contract/yaml",
            "this text looks like YAML, but the file is read as JSON because of its name",
            at: Place(file: path, position: position),
            advice: "rename the file so that its name ends with .yaml or .yml"
        )
    }
}

/// The URIs under which a contract's files are known to the schema registry (RFC 8089 and RFC 3986, section 5.2).
package enum FileURI {
    /// The URI of an absolute path; only what a path may not hold is encoded, so that plain references meet it.
    static func uri(ofPath path: String) -> String {
        "file://" + encoded(path)
    }

    /// A path in which all is encoded that the path of a URI does not contain (RFC 3986, section 3.3).
    package static func encoded(_ path: String) -> String {
        PercentEncoding.encode(path, allowing: "/!$&'()*+,;=:@")
    }

    /// Resolves a relative path, percent-encoded or not, against the URI of a document.
    static func resolve(_ reference: String, against base: String) -> String {
        let folder = base.utf8.lastIndex(of: slash).map { base.utf8[...$0] } ?? base.utf8[...]
        // A file's URI has no host.
        let host = base.utf8.firstIndex(of: UInt8(ascii: ":")).map { base.utf8[$0...].dropFirst(3) } ?? base.utf8[...]
        let prefix = String(base[..<(host.firstIndex(of: slash) ?? base.endIndex)])
        let path = isAbsolutePath(reference) ? [] : Array(folder.dropFirst(prefix.utf8.count))
        var parts: [ArraySlice<UInt8>] = []
        for part in (path + Array(reference.utf8)).dropFirst().split(separator: slash, omittingEmptySubsequences: false)
        {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else if !part.elementsEqual(".".utf8) {
                parts.append(part)
            }
        }
        return prefix + parts.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// Returns whether a reference is an absolute path, which replaces the whole path of the base.
    static func isAbsolutePath(_ reference: String) -> Bool {
        reference.utf8.first == slash && !reference.utf8.starts(with: "//".utf8)
    }

    /// The same path without the `./` in front.
    static func withoutDots(_ path: String) -> String {
        var rest = path[...]
        while rest.utf8.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
        return String(rest)
    }

    private static let slash = UInt8(ascii: "/")
}

/// A file that a contract is made of.
struct ContractDocument: Sendable {
    /// As the user would write it.
    var path: String
    /// Absolute and without symbolic links: what relative references are resolved against.
    var resolvedPath: String
    /// The absolute URI of the document, made from its resolved path.
    var uri: String
    /// Null when the file could not be read.
    ///
    /// Overlays have been laid over it.
    var root: JSONValue
    /// The tree as it is in the file, in which positions are in order.
    var written = JSONValue.null
    var dialect: SchemaDialect
    var isOverlay = false
}

/// A value somewhere in a contract's files.
struct ContractNode: Sendable {
    /// The document's number, which is also the one in the positions of its values.
    var document: Int
    var pointer: JSONPointer
    var value: JSONValue

    var object: JSONObject? { value.object }

    var position: JSONPosition { value.position }

    /// A member's value, with its place.
    subscript(name: String) -> ContractNode? {
        value[name].map { ContractNode(document: document, pointer: pointer.appending(name), value: $0) }
    }

    /// An object's members, with their places; none when this is not an object.
    var members: [(name: String, node: ContractNode)] {
        guard let object else { return [] }
        return object.members.map { ($0.name, child($0.name, $0.value)) }
    }

    /// An array's elements, with their places; none when this is not an array.
    var elements: [ContractNode] {
        guard let array = value.array else { return [] }
        return array.enumerated().map {
            ContractNode(document: document, pointer: pointer.appending($0), value: $1)
        }
    }

    func child(_ name: String, _ value: JSONValue) -> ContractNode {
        ContractNode(document: document, pointer: pointer.appending(name), value: value)
    }

    /// The identity of this place.
    var key: Key { Key(document: document, pointer: pointer) }

    struct Key: Hashable {
        var document: Int
        var pointer: JSONPointer
    }
}

extension String {
    /// A Boolean value that indicates whether a key is an extension: `x-…` (OpenAPI 3.1, section 4.9).
    var isExtensionName: Bool { utf8.starts(with: "x-".utf8) }
    /// A Boolean value that indicates whether the extension is one of Backlot's, so that a misspelt one does not pass as
    /// that of another tool.
    var isOwnExtensionName: Bool { utf8.starts(with: "x-backlot-".utf8) }
}
