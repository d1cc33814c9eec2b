public import Foundation

/// The properties that are common to the errors of all services.
///
/// The reasons for a rejection differ between the apps. An app can use these properties to react to errors of any service.
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

/// A server's reason for rejecting a request, in an app's own terms.
public protocol RefusalReason: Sendable, Hashable {
    /// Creates the reason from a response whose status is not a success.
    init(_ response: TransportResponse)

    /// A Boolean value that indicates whether a later retry may succeed.
    var isTemporary: Bool { get }

    /// A Boolean value that indicates whether the server may have processed the request nevertheless; `false` by default.
    var leavesDoubt: Bool { get }
}

extension RefusalReason {
    /// `false`, because a server usually rejects a request before it changes anything.
    public var leavesDoubt: Bool { false }
}

/// An error that a service throws, for which each app has its own name, such as ``SmeemError``.
public enum ServiceFailure<Reason: RefusalReason>: ServiceError, Hashable {
    /// The request was rejected, usually by the server.
    case refused(Reason)
    /// No response was received, usually because of the user's connection.
    case transport(TransportFailure)
    /// The server reported success, but the response cannot be decoded.
    case unreadable(UndecodableResponse)
    /// No user is signed in. The request was not sent.
    case signedOut
    /// The session has ended, and its tokens were deleted. ``SessionEvent/ended(_:)`` is reported once as well.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens cannot be read, saved or deleted. The associated value describes the reason.
    case storage(String)
    /// The request is invalid and was not sent. The associated value describes the reason.
    case unsendable(String)
}

extension ServiceFailure {
    init(_ problem: ServiceProblem) {
        self =
            switch problem {
            case .transport(let failure): .transport(failure)
            case .status(let response): .refused(Reason(response))
            case .undecodable(let response): .unreadable(response)
            case .signedOut: .signedOut
            case .sessionEnded(let reason): .sessionEnded(reason)
            case .storage(let reason): .storage(reason)
            case .unsendable(let reason): .unsendable(reason)
            }
    }

    /// A Boolean value that indicates whether a later retry may succeed.
    public var isTemporary: Bool {
        switch self {
        case .transport(let failure): failure != .cancelled
        case .refused(let reason): reason.isTemporary
        default: false
        }
    }

    /// A Boolean value that indicates whether the server may have processed the request without confirming it.
    public var leavesDoubt: Bool {
        switch self {
        case .transport(let failure): !failure.isBeforeSending
        case .refused(let reason): reason.leavesDoubt
        case .unreadable: true
        case .signedOut, .sessionEnded, .storage, .unsendable: false
        }
    }

    /// A Boolean value that indicates whether the user has to sign in.
    public var needsSignIn: Bool {
        switch self {
        case .signedOut, .sessionEnded: true
        default: false
        }
    }

    /// The reason for a rejection, or `nil` if the error has another cause.
    public var reason: Reason? {
        guard case .refused(let reason) = self else { return nil }
        return reason
    }
}

/// An error of a call, before it is converted to the error of an app.
enum ServiceProblem: Error, Sendable, Hashable {
    case transport(TransportFailure)
    /// The status is not a success.
    case status(TransportResponse)
    case undecodable(UndecodableResponse)
    case signedOut
    case sessionEnded(SessionEvent.Reason)
    case storage(String)
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
