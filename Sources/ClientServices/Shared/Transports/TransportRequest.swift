public import Foundation

/// A request as it goes to a ``Transport``.
public struct TransportRequest: Sendable, Hashable {
    /// What is to be done.
    public var method: HTTPMethod
    /// To what it is done; absolute, and complete with its query.
    public var url: URL
    /// The header fields, without those that a transport adds by itself, such as the length.
    public var fields: HeaderFields
    /// The body; `nil` where there is none.
    public var body: Data?
    /// Seconds until the whole answer has to be there.
    public var timeout: TimeInterval

    /// A request as it is to be sent.
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

/// An answer as it comes from a ``Transport``.
public struct TransportResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The header fields, as far as the transport keeps them.
    public var fields: HeaderFields
    /// The body; empty where there is none.
    public var body: Data

    /// An answer as it came.
    public init(status: Int, fields: HeaderFields = HeaderFields(), body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the server did what it was asked for (2xx).
    public var isSuccess: Bool { (200..<300).contains(status) }
}
