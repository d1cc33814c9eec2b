public import Foundation

/// The common properties of the errors of all services.
///
/// Each app's errors have their own names; a screen uses these properties instead.
public protocol ServiceError: Error, Sendable {
    /// A Boolean value that indicates whether the same call may work in a while, so that a screen should offer to try
    /// again.
    var isTemporary: Bool { get }

    /// A Boolean value that indicates whether the server may have processed the request without confirming it.
    ///
    /// A caller that asked for something that must not happen twice has to look before asking again.
    var leavesDoubt: Bool { get }

    /// A Boolean value that indicates whether no user is signed in or the session has ended, so that the sign-in
    /// screen is next.
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

/// A response with a success status that cannot be read.
public struct UndecodableResponse: Error, Sendable {
    /// The status, a success.
    public let status: Int
    /// The body as it came.
    public let body: Data
    /// The decoder's message, with the coding path.
    public let reason: DecodingError

    /// A response and the decoder's error.
    public init(status: Int, body: Data, reason: DecodingError) {
        self.status = status
        self.body = body
        self.reason = reason
    }
}

extension UndecodableResponse: Hashable {
    /// Returns whether both are the same response; the decoder's words do not matter.
    public static func == (left: UndecodableResponse, right: UndecodableResponse) -> Bool {
        left.status == right.status && left.body == right.body
    }

    /// Hashes the response.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(status)
        hasher.combine(body)
    }
}
