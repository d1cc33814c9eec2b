import Basics
import HTTPCodec

/// The URIs under which a contract's files are known to the schema registry (RFC 8089 and RFC 3986, section 5.2).
enum FileURI {
    /// The URI of an absolute path; only what a path may not hold is encoded, so that plain references meet it.
    static func uri(ofPath path: String) -> String {
        "file://" + PercentEncoding.encode(path, allowing: "/!$&'()*+,;=:@")
    }

    /// Resolves a relative path, percent-encoded or not, against a file's URI.
    static func resolve(_ reference: String, against base: String) -> String {
        let folder = base.utf8.lastIndex(of: slash).map { base.utf8[...$0] } ?? base.utf8[...]
        let prefix = "file://"
        let path = Array(folder.dropFirst(prefix.utf8.count)) + Array(reference.utf8)
        var parts: [ArraySlice<UInt8>] = []
        for part in path.dropFirst().split(separator: slash, omittingEmptySubsequences: false) {
            if part.elementsEqual("..".utf8) {
                _ = parts.popLast()
            } else if !part.elementsEqual(".".utf8) {
                parts.append(part)
            }
        }
        return prefix + parts.map { "/" + String(decoding: $0, as: UTF8.self) }.joined()
    }

    /// The same path without the `./` in front, as people would write it.
    static func withoutDots(_ path: String) -> String {
        var rest = path[...]
        while rest.utf8.starts(with: "./".utf8) { rest = rest.dropFirst(2) }
        return String(rest)
    }

    private static let slash = UInt8(ascii: "/")
}
