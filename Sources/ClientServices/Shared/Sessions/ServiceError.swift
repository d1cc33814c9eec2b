public import Foundation

/// The properties that are common to the errors of all services.
///
/// The error cases differ between the apps. An app can use these properties to react to errors of any service.
public protocol ServiceError: Error, Sendable {
    /// A Boolean value that indicates whether a later retry may succeed.
    ///
    /// If the value is `true`, the app should offer to retry.
    var isTemporary: Bool { get }

    /// A Boolean value that indicates whether the server may have processed the request without confirming it.
    ///
    /// Check the current state before you retry an operation that must not be performed twice.
    var leavesDoubt: Bool { get }

    /// A Boolean value that indicates whether the user has to sign in, because no user is signed in or the session has
    /// ended.
    var needsSignIn: Bool { get }
}

/// An app's own words for what goes wrong.
protocol ServiceWords: ServiceError {
    init(_ problem: ServiceProblem)
}

extension TransportFailure {
    /// A Boolean value that indicates whether another attempt may succeed: neither side gave up on purpose.
    var isTemporary: Bool { self != .cancelled }
}

/// An error of a call, before an app converts it to its own error.
enum ServiceProblem: Error, Sendable, Hashable {
    /// There is no response.
    case transport(TransportFailure)
    /// The server says no.
    case status(TransportResponse)
    /// The server says yes, but not what was documented.
    case undecodable(UndecodableResponse)
    /// No user is signed in, so nothing was sent.
    case signedOut
    /// The session is over; its tokens are forgotten.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens cannot be read, saved or cleared.
    case storage(String)
    /// The request is wrong before it is sent, for the reason given.
    case unsendable(String)
}

/// A response that reports success but cannot be decoded.
public struct UndecodableResponse: Error, Sendable {
    /// The status code, which indicates success.
    public let status: Int
    /// The response body.
    public let body: Data
    /// The decoding error, including the coding path.
    public let reason: DecodingError

    /// Creates a value from a response and its decoding error.
    public init(status: Int, body: Data, reason: DecodingError) {
        self.status = status
        self.body = body
        self.reason = reason
    }
}

extension UndecodableResponse: Hashable {
    /// Returns a Boolean value that indicates whether two values contain the same response, ignoring the decoding
    /// error.
    public static func == (left: UndecodableResponse, right: UndecodableResponse) -> Bool {
        left.status == right.status && left.body == right.body
    }

    /// Hashes the response.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}
