import Basics
import HTTPCodec

/// The target of a response with Location, seen from one server.
enum Redirection: Equatable {
    /// Another path of the same server, with its query.
    case here(String)
    /// Another scheme, host or port.
    case elsewhere(String)

    /// - Parameter path: the path that was asked for.
    init?(_ response: HTTPResponse, from path: String, at server: ServerURL) {
        guard [301, 302, 303, 307, 308].contains(response.status.code), let location = response.fields["Location"]
        else { return nil }
        let target = location.utf8.split(separator: UInt8(ascii: "#"), omittingEmptySubsequences: false)[0]
        self = Self.resolve(String(Substring(target)), from: path, at: server)
    }

    /// RFC 3986, section 5.2, as far as a redirection needs it.
    private static func resolve(_ target: String, from path: String, at server: ServerURL) -> Redirection {
        if target.utf8.starts(with: "//".utf8) { return resolve("\(server.scheme):" + target, from: path, at: server) }
        if target.utf8.first == UInt8(ascii: "/") { return .here(target) }
        if hasScheme(target) {
            let query = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
            guard let url = try? ServerURL(String(target[..<query])), url.isSecure == server.isSecure,
                url.port == server.port,
                url.host.lowercased() == server.host.lowercased()
            else { return .elsewhere(target) }
            let authority = target.utf8.dropFirst("\(server.scheme)://".utf8.count)
            let path = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.endIndex
            return .here(path == query ? "/" + target[query...] : String(target[path...]))
        }
        if target.utf8.first == UInt8(ascii: "?") || target.isEmpty { return .here(path + target) }
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return .here(path[..<slash] + target)
    }

    private static func hasScheme(_ target: String) -> Bool {
        guard let colon = target.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
        return !target.utf8[..<colon].contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
    }
}
