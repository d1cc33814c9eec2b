/// Carries requests to a server and brings back what it answers.
///
/// The default is ``URLSessionTransport``. Another one, such as a recorder, a stub or an app's own networking, needs
/// this one function.
public protocol Transport: Sendable {
    /// Sends a request and waits for the whole answer, whatever its status.
    ///
    /// The transport keeps to the request's ``TransportRequest/timeout``, follows no redirect to another host with the
    /// request's fields, and sends nothing twice by itself.
    ///
    /// - Throws: ``TransportFailure`` when there is no answer, or none that can be read.
    func send(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}

/// Why there is no answer.
public enum TransportFailure: Error, Sendable, Hashable {
    /// No connection came about, so the server has seen nothing of the request.
    case unreachable
    /// The connection ended before the whole answer was there; the server may have done what it was asked for.
    case connectionLost
    /// The answer took longer than the request allows; the server may have done what it was asked for.
    case timedOut
    /// What came back was no HTTP.
    case unreadableResponse
    /// Whoever waited no longer wants to.
    case cancelled
    /// Anything else, in the transport's words.
    case other(String)

    /// Whether the server cannot have seen the request.
    public var isBeforeSending: Bool { self == .unreachable }
}
