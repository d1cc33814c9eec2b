import Basics
import Checking
import HTTPCodec

/// The URLs in the responses of a call, and whether the client has used one.
///
/// A client may send a request to such a URL although the contract has no operation for it, for example to upload a file
/// to a presigned URL. The contract does not document the response, so the call's failure after it proves nothing.
///
/// A class, because the client's requests and the server's responses meet in it.
package final class FollowedLinks: Sendable {
    private struct State {
        var known: Set<String> = []
        var followed: Set<String> = []
        var fields: [String: Set<String>] = [:]
        var isLast = false
        var isOver = false
    }

    /// More links than this in the responses of one call are not looked at.
    private static let limit = 10_000

    private let state = Lock(State())

    init() {}

    /// The links that the client has used.
    var followed: Set<String> { state.withLock { $0.followed } }

    /// A Boolean value that indicates whether the client has received no response since it last used a link.
    var endsTheCall: Bool { state.withLock { $0.isLast } }

    /// The values of the fields that the client has sent to other hosts, by host.
    var fieldsByHost: [String: Set<String>] { state.withLock { $0.fields } }

    /// Ends the call: requests that follow are those of another call whose responses have the same URLs.
    func end() { state.withLock { $0.isOver = true } }

    /// Takes the URLs of a response into account.
    func note(_ response: HTTPResponse) {
        let targets = response.fields.values(of: "Link").flatMap(\.linkTargets)
        let texts = CapturedStrings.response(response).map(\.value) + response.fields.values(of: "Location") + targets
        let links = texts.filter(\.isLink)
        state.withLock { state in
            state.isLast = false
            if state.known.count < Self.limit { state.known.formUnion(links) }
        }
    }

    /// Returns whether a request is for a URL of a response, or for a path below it, and remembers that.
    ///
    /// - Parameter url: an absolute URL, or the request's target for a request to the server of the contract.
    package func follow(_ url: String) -> Bool {
        state.withLock { state in
            guard !state.isOver, let link = state.known.first(where: url.isWithin) else { return false }
            state.followed.insert(link)
            state.isLast = true
            return true
        }
    }

    /// Remembers the values of the fields that a request to another host has.
    package func note(_ values: some Sequence<String>, sentTo host: String) {
        state.withLock { $0.fields[host, default: []].formUnion(values) }
    }
}

extension String {
    /// A Boolean value that indicates whether the text is a URL of a web server, or a path on the server of the contract.
    var isLink: Bool {
        guard !utf8.contains(UInt8(ascii: " ")) else { return false }
        return ["http://", "https://"].contains { utf8.count > $0.utf8.count && lowercased().hasPrefix($0) }
            || utf8.count > 1 && hasPrefix("/")
    }

    /// The targets of the links in a `Link` field (RFC 8288, section 3).
    fileprivate var linkTargets: [String] {
        split(separator: "<", omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            rest.firstIndex(of: ">").map { String(rest[..<$0]) }
        }
    }

    fileprivate func isWithin(_ link: String) -> Bool {
        guard utf8.starts(with: link.utf8) else { return false }
        return link.hasSuffix("/") || utf8.count == link.utf8.count
            || utf8.dropFirst(link.utf8.count).first.map { "/?&#".utf8.contains($0) } == true
    }
}
