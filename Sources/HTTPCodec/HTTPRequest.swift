import Basics

/// A request as the wire gave it: nothing is normalised, nothing percent-decoded.
///
/// Its parts lie behind one reference, since a request is handed on and kept far more often than it is changed.
package struct HTTPRequest: Sendable {
    private var box: Box

    /// Immutable, so that every copy of a request may mean the same one.
    private final class Box: Sendable {
        let parts: Parts

        init(_ parts: consuming Parts) {
            self.parts = parts
        }
    }

    private struct Parts: Sendable, Hashable {
        var method: HTTPMethod
        var target: String
        var path: String
        var query: String?
        var targetAuthority: String?
        var version: HTTPVersion
        var fields: HTTPFields
        var body: [UInt8] = []
        var trailers = HTTPFields()
        var keepsAlive: Bool
        var expectsContinue = false
        var framing = HTTPBodyFraming.none
        var isSecure = false
        var isBodyPending = false
    }

    package init(
        method: HTTPMethod = .get,
        target: String,
        version: HTTPVersion = .http11,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) {
        let split = RequestTarget(splitting: target, method: method)
        box = Box(
            Parts(
                method: method,
                target: target,
                path: split.path,
                query: split.query,
                targetAuthority: split.authority,
                version: version,
                fields: fields,
                body: body,
                keepsAlive: HTTPFields.keepsAlive(fields, version: version),
                framing: body.isEmpty ? .none : .length(body.count)
            )
        )
    }

    init(
        line: consuming RequestLine,
        fields: consuming HTTPFields,
        framing: HTTPBodyFraming,
        expectsContinue: Bool,
        isSecure: Bool
    ) {
        let keepsAlive = HTTPFields.keepsAlive(fields, version: line.version)
        box = Box(
            Parts(
                method: line.method,
                target: line.target,
                path: line.parts.path,
                query: line.parts.query,
                targetAuthority: line.parts.authority,
                version: line.version,
                fields: fields,
                keepsAlive: keepsAlive,
                expectsContinue: expectsContinue,
                framing: framing,
                isSecure: isSecure
            )
        )
    }

    /// The head with what came after it.
    func completed(body: [UInt8], trailers: HTTPFields) -> HTTPRequest {
        var request = self
        request.change {
            $0.body = body
            $0.trailers = trailers
        }
        return request
    }

    /// The same request for another path.
    package func readdressed(to path: String) -> HTTPRequest {
        var request = self
        request.change {
            $0.path = path
            $0.target = $0.query.map { "\(path)?\($0)" } ?? path
        }
        return request
    }

    /// The same request with another target.
    package func retargeted(_ target: String) -> HTTPRequest {
        let split = RequestTarget(splitting: target, method: method)
        var request = self
        request.change {
            ($0.target, $0.path, $0.query, $0.targetAuthority) = (target, split.path, split.query, split.authority)
        }
        return request
    }

    private mutating func change(_ body: (inout Parts) -> Void) {
        var parts = box.parts
        body(&parts)
        box = Box(parts)
    }

    /// Returns whether both are copies of one request, which is quicker to see than that they are equal.
    package func isIdentical(to other: HTTPRequest) -> Bool { box === other.box }
}

extension HTTPRequest {
    package var method: HTTPMethod { box.parts.method }

    /// The request target as received, in whichever of the four forms (RFC 9112, section 3.2).
    package var target: String { box.parts.target }

    /// The path, still percent-encoded; of an absolute-form its path, never empty; `*` for the asterisk-form.
    package var path: String { box.parts.path }

    /// The text after the first question mark, or `nil` for a target without a question mark.
    package var query: String? { box.parts.query }

    /// The authority of an absolute-form.
    package var targetAuthority: String? { box.parts.targetAuthority }

    /// A Boolean value that indicates whether the request came over TLS.
    package var isSecure: Bool {
        get { box.parts.isSecure }
        set { change { $0.isSecure = newValue } }
    }

    /// A Boolean value that indicates whether the body follows while the request is answered, so that ``body`` is empty.
    package var isBodyPending: Bool {
        get { box.parts.isBodyPending }
        set { change { $0.isBodyPending = newValue } }
    }

    package var version: HTTPVersion {
        get { box.parts.version }
        set { change { $0.version = newValue } }
    }

    package var fields: HTTPFields {
        get { box.parts.fields }
        set { change { $0.fields = newValue } }
    }

    /// Empty in a head that is returned before its body.
    package var body: [UInt8] {
        get { box.parts.body }
        set { change { $0.body = newValue } }
    }

    /// Fields after a chunked body, never merged into `fields`.
    package var trailers: HTTPFields {
        get { box.parts.trailers }
        set { change { $0.trailers = newValue } }
    }

    /// A Boolean value that indicates whether the client lets the connection stay open after the response (RFC 9112,
    /// section 9.3).
    package var keepsAlive: Bool { box.parts.keepsAlive }

    /// A Boolean value that indicates whether the client waits for 100 before it sends the body; never in HTTP/1.0 (RFC
    /// 9110, section 10.1.1).
    package var expectsContinue: Bool { box.parts.expectsContinue }

    /// The framing of the body.
    package var framing: HTTPBodyFraming { box.parts.framing }

    /// The addressed host: the authority of an absolute-form overrides Host (RFC 9112, section 3.2.2).
    package var authority: String? { targetAuthority ?? fields["Host"] }
}

extension HTTPRequest: Hashable {
    package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.box === right.box || left.box.parts == right.box.parts
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.parts)
    }
}

/// The two minor versions whose rules differ; a later 1.x is treated as 1.1 (RFC 9110, section 2.5).
package enum HTTPVersion: Sendable, Hashable {
    case http10
    case http11
}

extension HTTPVersion: CustomStringConvertible {
    package var description: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }
}
