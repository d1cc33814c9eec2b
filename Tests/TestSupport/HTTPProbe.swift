import Foundation

/// What a server of HTTP/1.1 may be sent, and whether it ought to take it: a case of `suites/http/http11probe.json`.
package struct HTTPProbe: Sendable, Decodable, CustomStringConvertible {
    package var id: String
    /// `accept`, `reject`, or something else where both are right.
    package var want: String
    /// What is sent, in pieces; ``pieces(authority:ok:post:)`` fills in their placeholders.
    private var send: [String]
    /// Status codes that count as the right refusal.
    package var codes: [Int]?
    /// Whether the client closes its side after sending.
    package var half: Bool?

    package static let file = "http/http11probe.json"

    /// All cases; none where the file is missing, which ``Suites/has(_:for:)`` tells, or is not what it should be.
    package static let all: [HTTPProbe] = {
        guard let bytes = try? Suites.bytes(of: file) else { return [] }
        return (try? JSONDecoder().decode([HTTPProbe].self, from: Data(bytes))) ?? []
    }()

    package var description: String { id }

    package var isHead: Bool { send.first?.hasPrefix("HEAD ") == true }

    /// The bytes to send, for a server at an authority with a resource to get and one to post to.
    package func pieces(authority: String, ok: String, post: String) -> [[UInt8]] {
        send.map { text in
            text.replacingOccurrences(of: "@OK@", with: ok)
                .replacingOccurrences(of: "@POST@", with: post)
                .replacingOccurrences(of: "@H@", with: authority)
                .unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        }
    }
}
