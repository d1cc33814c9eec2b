package import Basics
import HTTPCodec
import HTTPServing

/// The files of a disk, and a document that is not among them: from standard input, or from a server.
///
/// It counts as a file of the current folder, which its relative references start from.
package struct GivenDocument: FileReading {
    /// The name under which it is read, and which messages show.
    package let name: String
    private let bytes: [UInt8]
    private let files: any FileReading

    /// - Parameter stem: the name without an ending, which the content decides.
    package init(_ stem: String, _ bytes: [UInt8], in files: any FileReading) {
        let first = bytes.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D && $0 < 0x80 }
        name = stem + (first == UInt8(ascii: "{") ? ".json" : ".yaml")
        self.bytes = bytes
        self.files = files
    }

    private var place: String { FilePath.join(files.resolve(".") ?? "/", name) }

    package func resolve(_ path: String) -> String? { isDocument(path) ? place : files.resolve(path) }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        isDocument(path) ? bytes : try files.read(path)
    }

    package func entries(of folder: String) -> [String] { files.entries(of: folder) }

    package func isFolder(_ path: String) -> Bool { !isDocument(path) && files.isFolder(path) }

    private func isDocument(_ path: String) -> Bool { path.hasSameUTF8(as: name) || path.hasSameUTF8(as: place) }
}

extension GivenDocument {
    private static let sizeLimit = 64 << 20
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
        let response = try Self.response(to: target, at: server, timeout, trust, "\(address.printable.shortened)")
        let path = target.prefix { $0 != "?" }
        let last = path.split(separator: "/").last.map(String.init) ?? "openapi"
        let stem =
            [".json", ".yaml", ".yml"].first { last.hasSuffix($0) }.map { String(last.dropLast($0.count)) } ?? last
        self.init(stem.isEmpty ? "openapi" : stem, response.body, in: files)
    }

    private static func response(
        to target: String,
        at server: ServerURL,
        _ timeout: Duration,
        _ trust: ServerTrust,
        _ address: String
    ) throws(VerificationProblem) -> HTTPResponse {
        var target = target
        let tls = try trust.context(for: server)
        do throws(HTTPClientFailure) {
            let limits = HTTPLimits(body: sizeLimit)
            let client = try HTTPClient(
                host: server.host,
                port: server.port,
                timeout: timeout,
                limits: limits,
                tls: tls
            )
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
                return response
            }
        } catch .malformed(let sentence) {
            throw VerificationProblem("\(address) cannot be read: \(sentence)")
        } catch {
            throw VerificationProblem("\(address) cannot be read: \(error)")
        }
        throw VerificationProblem(
            "\(address) redirects to another server, or too many times",
            advice: "give the final address"
        )
    }
}
