public import Foundation

/// A request as it goes to a ``Transport``.
public struct TransportRequest: Sendable, Hashable {
    public var method: HTTPMethod
    public var url: URL
    public var fields: HeaderFields
    public var body: Data?
    /// Seconds until the whole answer has to be there.
    public var timeout: TimeInterval

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
public struct TransportReply: Sendable, Hashable {
    public var status: Int
    public var fields: HeaderFields
    public var body: Data

    public init(status: Int, fields: HeaderFields = HeaderFields(), body: Data = Data()) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Whether the server did what it was asked for (2xx).
    public var isSuccess: Bool { (200..<300).contains(status) }
}
