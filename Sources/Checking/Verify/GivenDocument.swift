package import Basics
import HTTPCodec
import HTTPServing
package import OpenAPI

/// The files of a disk, and a document that is not among them: from standard input, or from a server.
///
/// That of standard input counts as a file of the current folder, which its relative references start from. The
/// relative references of a fetched document lead to documents of the same server (RFC 3986, section 5.2), and to no
/// file of this machine.
package struct GivenDocument: FileReading {
    /// The name under which it is read, and which messages show.
    package let name: String
    private let bytes: [UInt8]
    private let files: any FileReading
    private var server: DocumentServer?

    /// The folder that references may not leave, for a document from a server; `nil` for another one.
    package var root: String? { server?.root }

    /// The mapping by which absolute URLs of that server lead to its documents, too.
    package var mapping: URLMapping? { server.flatMap { URLMapping("\($0.address.origin)/=\($0.root)/") } }

    /// - Parameter stem: the name without an ending, which the content decides.
    package init(_ stem: String, _ bytes: [UInt8], in files: any FileReading) {
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 < 0x80 }
        name = stem + (first == UInt8(ascii: "{") ? ".json" : ".yaml")
        self.bytes = bytes
        self.files = files
    }

    private var place: String {
        FilePath.join(server.map { $0.root + $0.folder } ?? files.resolve(".") ?? "/", name)
    }

    package func resolve(_ path: String) -> String? {
        isDocument(path) ? place : server?.resolve(path) ?? files.resolve(path)
    }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        if isDocument(path) { return bytes }
        if let server, let resolved = server.resolve(path) { return try server.read(resolved) }
        return try files.read(path)
    }

    package func entries(of folder: String) -> [String] {
        server?.resolve(folder) != nil ? [] : files.entries(of: folder)
    }

    package func isFolder(_ path: String) -> Bool {
        if isDocument(path) { return false }
        return server?.resolve(path).map { $0.exact == (root ?? "").exact } ?? files.isFolder(path)
    }

    private func isDocument(_ path: String) -> Bool { path.exact == name.exact || path.exact == place.exact }
}

extension GivenDocument {
    fileprivate static let sizeLimit = 64 << 20
    private static let redirectLimit = 5

    /// Returns whether a text is the address of a document and no path.
    package static func isAddress(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start == "https://"
    }

    /// Fetches a document from a server.
    ///
    /// - Throws: ``VerificationProblem`` for an address that is not valid, and for any response but a success.
    package init(
        at address: String,
        timeout: Duration,
        trust: ServerTrust = ServerTrust(),
        in files: any FileReading
    ) throws(VerificationProblem) {
        let plain = address.prefix { $0 != "#" }
        let start = plain.utf8.firstIndex(of: UInt8(ascii: ":")) ?? plain.startIndex
        let authority = plain.utf8[start...].dropFirst("://".utf8.count)
        let end = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? plain.endIndex
        let server = try ServerURL(String(plain[..<end]))
        var target = String(plain[end...])
        if target.utf8.first != UInt8(ascii: "/") { target = "/" + target }
        let shown = "\(address.printable.shortened)"
        let (response, final) = try Self.response(to: target, at: server, timeout, trust, shown)
        let path = target.prefix { $0 != "?" }
        let last = path.split(separator: "/").last.map(String.init) ?? "openapi"
        let stem =
            [".json", ".yaml", ".yml"].first { last.hasSuffix($0) }.map { String(last.dropLast($0.count)) } ?? last
        self.init(stem.isEmpty ? "openapi" : stem, response.body, in: files)
        self.server = DocumentServer(
            address: server,
            folder: FilePath.folder(of: String(final.prefix { $0 != "?" })),
            timeout: timeout,
            trust: trust,
            fetched: Lock([:])
        )
    }

    /// - Returns: the response, and the target that it is from after all redirects.
    fileprivate static func response(
        to target: String,
        at server: ServerURL,
        _ timeout: Duration,
        _ trust: ServerTrust,
        _ address: String
    ) throws(VerificationProblem) -> (response: HTTPResponse, target: String) {
        var target = target
        let way = try trust.way(to: server)
        do throws(HTTPClientFailure) {
            let client = try way.connect(timeout: timeout, limits: HTTPLimits(body: sizeLimit))
            for _ in 0...redirectLimit {
                let fields: HTTPFields = [
                    "Accept": "application/json, application/yaml, */*;q=0.5",
                    "Accept-Encoding": ContentCoding.accepted,
                ]
                var response = try client.exchange(HTTPRequest(method: .get, target: target, fields: fields)).response
                if let redirection = Redirection(response, from: target, at: server) {
                    guard case .here(let next) = redirection else { break }
                    target = next
                    continue
                }
                guard response.status.isSuccessful else {
                    throw HTTPClientFailure.malformed("the status is \(response.status)")
                }
                do throws(ContentCodingError) {
                    response.body = try ContentCoding.decode(response.body, codedBy: response.fields, limit: sizeLimit)
                } catch {
                    throw HTTPClientFailure.malformed(error.sentence)
                }
                return (response, target)
            }
        } catch .malformed(let sentence) {
            throw VerificationProblem("\(address) cannot be read: \(sentence)")
        } catch {
            throw VerificationProblem("\(address) cannot be read: \(error)", advice: error.advice)
        }
        throw VerificationProblem(
            "\(address) redirects to another server, or too many times",
            advice: "specify the final address"
        )
    }
}

/// The documents of the server that a document was fetched from, as files of a folder that is named after the server.
private struct DocumentServer: Sendable {
    /// The maximum number of documents that references may fetch, and the maximum size of all together.
    private static let most = 100

    let address: ServerURL
    /// The folder of the document that was fetched first, as the path of its URL.
    let folder: String
    let timeout: Duration
    let trust: ServerTrust
    /// The fetched documents by their paths, or the reasons why they could not be fetched.
    let fetched: Lock<[String: Result<[UInt8], FileProblem>]>

    var root: String { "/\(address.host):\(address.port)" }

    /// The path without dot segments (RFC 3986, section 5.2.4); `nil` for a file of the machine.
    func resolve(_ path: String) -> String? {
        guard path.exact == root.exact || path.utf8.starts(with: "\(root)/".utf8) else { return nil }
        var parts: [Substring] = []
        for part in Substring(path.utf8.dropFirst(root.utf8.count)).split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return ([root] + parts.map(String.init)).joined(separator: "/")
    }

    func read(_ resolved: String) throws(FileProblem) -> [UInt8] {
        let (known, count, size) = fetched.withLock { fetched in
            (fetched[resolved], fetched.count, fetched.values.reduce(0) { $0 + ((try? $1.get().count) ?? 0) })
        }
        if let known { return try known.get() }
        guard count < Self.most, size < GivenDocument.sizeLimit else {
            throw FileProblem(
                reason: "references can load at most \(Self.most) documents with a total of "
                    + "\(GivenDocument.sizeLimit >> 20) MB"
            )
        }
        let target = FileURI.encoded(String(Substring(resolved.utf8.dropFirst(root.utf8.count))))
        let result: Result<[UInt8], FileProblem>
        do throws(VerificationProblem) {
            let shown = address.origin + target
            result = .success(
                try GivenDocument.response(to: target, at: address, timeout, trust, shown).response.body
            )
        } catch {
            result = .failure(FileProblem(reason: error.sentence))
        }
        fetched.withLock { $0[resolved] = result }
        return try result.get()
    }
}
