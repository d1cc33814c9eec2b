package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// Traffic that was captured somewhere else: what a client sent and what it got, each with its moment.
package struct Capture: Sendable {
    /// One request with its response.
    package struct Entry: Sendable {
        /// When the request was sent, on the clock of the capturing machine.
        package var start: VirtualTime
        /// The duration; `nil` where the capture does not have it.
        package var duration: Duration?
        /// The connection, by a name that only tells connections apart.
        package var connection: String?
        /// The page or launch of the client to which it belongs.
        package var page: String?
        /// The sender, where the capture tells several clients apart.
        package var client: String?
        /// `https`.
        package var scheme: String
        /// Host and port, as the URL has them.
        package var host: String
        package var request: HTTPRequest
        /// `nil` where none is known.
        package var response: HTTPResponse?
        /// The reason why the response did not reach the client whole.
        package var error: String?
        /// A Boolean value that indicates whether a body was sent that the capture does not have.
        package var lacksRequestBody = false
        /// A Boolean value that indicates whether the response had a body that the capture does not have.
        package var lacksResponseBody = false
        /// Tokens that a log names itself, by kind: what was offered, and what was granted.
        package var offered: [NamedToken] = []
        package var granted: [NamedToken] = []
        /// The texts of both messages that may be tokens, if they have been read already.
        package var strings: (sent: [CapturedStrings.Item], received: [CapturedStrings.Item])?
        /// Its place in the capture.
        package var position: TextPosition?

        /// The texts of the request at the places where tokens travel.
        var sentStrings: [CapturedStrings.Item] { strings?.sent ?? CapturedStrings.request(request) }

        /// Those of the response.
        var receivedStrings: [CapturedStrings.Item] {
            strings?.received ?? response.map(CapturedStrings.response) ?? []
        }

        /// A Boolean value that indicates whether it had the response of a success.
        var isSuccess: Bool { response?.status.isSuccessful ?? false }

        /// A Boolean value that indicates whether a browser asks whether a page may send a request (Fetch standard).
        package var isPreflight: Bool {
            request.method == .options && request.fields.contains("Access-Control-Request-Method")
        }

        /// A Boolean value that indicates whether a sign-in has succeeded: that of a form answers with a redirection,
        /// and its cookies.
        var hasSignedIn: Bool { response.map { 200..<400 ~= $0.status.code } ?? false }
    }

    /// A token's value, or its stand-in, and its kind.
    package struct NamedToken: Sendable, Hashable {
        package var kind: String
        package var value: String
    }

    /// The file, as the user would write it.
    package var file: String
    /// Oldest first.
    package var entries: [Entry] = []
    /// Until when traffic was captured; `nil` where the last entry is all that is known.
    package var end: VirtualTime?
    /// A Boolean value that indicates whether the client had nothing more to send when the capture ended.
    package var isComplete = false
    /// The number of entries that the capture has lost, as it says itself.
    package var lost = 0
    /// Texts that are known to be secret, in addition to those that the entries show.
    package var secrets: Set<String> = []
    /// The shortest time that its moments tell apart.
    package var resolution: Duration = .milliseconds(1)
    /// The parts that were ignored, with the reasons.
    package var findings: [Finding] = []

    package init(file: String) {
        self.file = file
    }
}

extension Capture.Entry {
    /// An exchange at a moment, whose duration is not known.
    package init(
        at moment: VirtualTime,
        scheme: String,
        host: String,
        request: HTTPRequest,
        response: HTTPResponse
    ) {
        self.init(start: moment, scheme: scheme, host: host, request: request)
        self.response = response
    }
}

/// The reason why a capture cannot be read.
package struct CaptureProblem: Error, Sendable {
    package var finding: Finding

    package init(_ message: String, in file: String, at position: JSONPosition = .unknown, advice: String? = nil) {
        finding = Finding(
            .error,
            id: "capture/format",
            message,
            at: Place(file: file, position: position.isKnown ? position.text : nil),
            advice: advice
        )
    }

    init(_ finding: Finding) { self.finding = finding }
}

/// The parts of an absolute URL (RFC 3986, section 3), as far as a capture needs them.
struct CapturedURL {
    var scheme: String
    var host: String
    /// Path and query.
    var target: String

    /// - Returns: `nil` for text that is not an absolute URL of HTTP.
    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        scheme = text[..<colon].lowercased()
        guard ["http", "https", "ws", "wss"].contains(scheme) else { return nil }
        let rest = text[colon...].dropFirst()
        guard rest.hasPrefix("//") else { return nil }
        let authority = rest.dropFirst(2)
        let end = authority.utf8.firstIndex { "/?#".utf8.contains($0) } ?? authority.endIndex
        // User information is a secret and does not belong to the host.
        let named = authority[..<end].split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard !named.isEmpty else { return nil }
        host = named.lowercased()
        let tail = authority[end...].prefix { $0 != "#" }
        target = tail.hasPrefix("/") ? String(tail) : "/" + tail
    }
}
