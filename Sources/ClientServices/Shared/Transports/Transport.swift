public import Foundation

/// Carries requests to a server and returns its responses.
///
/// The default is ``URLSessionTransport``. Another one, such as a recorder, a stub or an app's own networking, needs
/// this one function.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole response with any status.
    ///
    /// The transport obeys the request's ``TransportRequest/timeout``, follows no redirect to another host with the
    /// request's fields, and sends nothing twice by itself.
    ///
    /// - Throws: ``TransportFailure`` when there is no response, or none that can be read.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// The reason for a missing response.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No connection came about, so the server has seen nothing of the request.
    case unreachable
    /// The connection ended before the whole response was there; the server may have done what it was asked for.
    case connectionLost
    /// The response took longer than the request allows; the server may have done what it was asked for.
    case timedOut
    /// The received bytes were not HTTP.
    case unreadableResponse
    /// The caller was cancelled.
    case cancelled
    /// Anything else, in the transport's words.
    case other(String)

    /// A Boolean value that indicates whether the server cannot have seen the request.
    public var isBeforeSending: Bool { self == .unreachable }
}

/// A request as it goes to a ``Transport``.
public struct TransportRequest: Sendable, Hashable {
    /// The method.
    public var method: HTTPMethod
    /// To what it is done; absolute, and complete with its query.
    public var url: URL
    /// The header fields, without those that a transport adds by itself, such as the length.
    public var fields: HeaderFields
    /// The body; `nil` where there is none.
    public var body: Data?
    /// Seconds until the whole response has to be there.
    public var timeout: TimeInterval

    /// A request in the form that is sent.
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

/// The method of a request (RFC 9110, section 9).
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
    /// The header fields, as far as the transport keeps them.
    public var fields: HeaderFields
    /// The body; empty where there is none.
    public var body: Data

    /// A response as it came.
    public init(status: Int, fields: HeaderFields = HeaderFields(), body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// A Boolean value that indicates whether the request succeeded (2xx).
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// The header fields of a message in their order; names are compared without regard to case (RFC 9110, section 5.1).
public struct HeaderFields: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name as written.
        public var name: String
        /// The value without white space around it.
        public var value: String

        /// A field of this name.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Every field, also several of one name.
    public private(set) var all: [Field] = []

    /// No fields.
    public init() {}

    /// The fields of a literal, in its order.
    public init(dictionaryLiteral elements: (String, String)...) {
        all = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The first field's value; setting it replaces all fields of that name, and `nil` removes them.
    public subscript(name: String) -> String? {
        get { all.first { $0.name.lowercased() == name.lowercased() }?.value }
        set {
            all.removeAll { $0.name.lowercased() == name.lowercased() }
            if let newValue { all.append(Field(name: name, value: newValue)) }
        }
    }

    /// Adds a field behind the others, also where there is one of that name.
    public mutating func append(_ name: String, _ value: String) {
        all.append(Field(name: name, value: value))
    }
}
