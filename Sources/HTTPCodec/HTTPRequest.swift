/// A request as the wire gave it: nothing is normalised, nothing percent-decoded.
package struct HTTPRequest: Sendable, Hashable {
    package var method: HTTPMethod

    /// The request target as received, in whichever of the four forms (RFC 9112, section 3.2).
    package var target: String

    /// The path, still percent-encoded; of an absolute-form its path, never empty; `*` for the asterisk-form.
    package var path: String

    /// What follows the first question mark, without it; `nil` when there is none.
    package var query: String?

    /// The authority of an absolute-form.
    package var targetAuthority: String?

    package var version: HTTPVersion
    package var fields: HTTPFields

    /// Empty in a head that is handed out before its body.
    package var body: [UInt8]

    /// Fields after a chunked body, never merged into `fields`.
    package var trailers: HTTPFields

    /// Whether the client lets the connection live on after the response (RFC 9112, section 9.3).
    package var keepsAlive: Bool

    /// Whether the client waits for 100 before it sends the body; never in HTTP/1.0 (RFC 9110, section 10.1.1).
    package var expectsContinue: Bool

    /// How the body comes, or came.
    package var framing: HTTPBodyFraming

    /// Who is addressed: the authority of an absolute-form overrules Host (RFC 9112, section 3.2.2).
    package var authority: String? { targetAuthority ?? fields["Host"] }

    package init(
        method: HTTPMethod = .get,
        target: String,
        version: HTTPVersion = .http11,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) {
        self.method = method
        self.target = target
        let parts = RequestTarget(splitting: target, method: method)
        path = parts.path
        query = parts.query
        targetAuthority = parts.authority
        self.version = version
        self.fields = fields
        self.body = body
        trailers = HTTPFields()
        keepsAlive = HTTPFields.keepsAlive(fields, version: version)
        expectsContinue = false
        framing = body.isEmpty ? .none : .length(body.count)
    }

    init(line: consuming RequestLine, fields: consuming HTTPFields) {
        method = line.method
        target = line.target
        path = line.parts.path
        query = line.parts.query
        targetAuthority = line.parts.authority
        version = line.version
        keepsAlive = HTTPFields.keepsAlive(fields, version: line.version)
        self.fields = fields
        body = []
        trailers = HTTPFields()
        expectsContinue = false
        framing = .none
    }
}
