import HTTPCodec

/// Carries requests to a server and brings back what it answers.
protocol Transport: Sendable {
    func send(_ request: Request) async throws(TransportError) -> HTTPResponse
}

/// A request, and the server that it goes to.
struct Request: Sendable, Hashable {
    /// The name of another server of the story; `nil` for the backend itself.
    var origin: String?
    var http: HTTPRequest

    /// The request with a field, in place of any of that name.
    func with(_ name: String, _ value: String) -> Request {
        var copy = self
        copy.http.fields.set(name, value)
        return copy
    }
}

/// Why there was no response.
enum TransportError: Error, Hashable {
    /// The connection broke before the response was whole.
    case broken
    case timedOut
    /// The play was over.
    case abandoned
}
