public import Foundation

/// A type that sends requests to a server and returns the server's responses.
///
/// The default is ``URLSessionTransport``. Implement this protocol to use a recorder, a stub or the app's own
/// networking.
public protocol Transport: Sendable {
    /// Sends a request and waits for the complete response, regardless of the response status.
    ///
    /// The transport must respect the request's ``TransportRequest/timeout``. It must not send the request's header
    /// fields to another host after a redirect, and it must not retry requests.
    ///
    /// - Throws: ``TransportFailure`` if no response is received or the response cannot be parsed.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// The reason for a missing response.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No connection was established, so the server has not received the request.
    case unreachable
    /// The connection ended before the response was complete. The server may have processed the request.
    case connectionLost
    /// The request timed out. The server may have processed the request.
    case timedOut
    /// The received data was not a valid HTTP response.
    case unreadableResponse
    /// The task was canceled.
    case cancelled
    /// Another failure, described by the transport.
    case other(String)

    /// A Boolean value that indicates whether the failure occurred before the server could receive the request.
    public var isBeforeSending: Bool { self == .unreachable }
}

/// A request for a ``Transport``.
public struct TransportRequest: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// The absolute URL, including its query.
    public var url: URL
    /// The header fields, except fields that a transport adds automatically, such as `Content-Length`.
    public var fields: HeaderFields
    /// The body, or `nil` if the request has no body.
    public var body: Data?
    /// The maximum time to wait for the complete response, in seconds.
    public var timeout: TimeInterval

    /// Creates a request.
    public init(
        _ method: HTTPMethod,
        _ url: URL,
        fields: HeaderFields = HeaderFields(),
        body: Data? = nil,
        timeout: TimeInterval = 30
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.timeout = timeout
    }
}

/// A request method (RFC 9110, section 9).
public enum HTTPMethod: String, Sendable, Hashable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
}

/// A response from a ``Transport``.
public struct TransportResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The response's header fields, as far as the transport provides them.
    public var fields: HeaderFields
    /// The body, which is empty if the response has no body.
    public var body: Data

    /// Creates a response.
    public init(status: Int, fields: HeaderFields = HeaderFields(), body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A Boolean value that indicates whether the request succeeded (2xx).
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// The ordered header fields of a message, with case-insensitive names (RFC 9110, section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// A header field.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public var name: String
        /// The value without surrounding whitespace.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All fields, including repeated names.
    public private(set) var all: [Field] = []

    /// Creates an empty collection of fields.
    public init() {}

    /// Creates fields from a dictionary literal, preserving its order.
    public init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// Accesses the value of the first field with the given name.
    ///
    /// Setting a value replaces all fields with that name, and setting `nil` removes the fields.
    public subscript(name: String) -> String? {
        get { all.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            all.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { all.append(Field(name: name, value: newValue)) }
        }
    }

    /// Appends a field, even if a field with the same name already exists.
    public mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }
}
