/// Why a call of ``WhipItService`` came to nothing.
public enum WhipItError: Error, Sendable, Hashable {
    /// The server refused, with a status that it documents and, mostly in Korean, what it says to people.
    case refused(WhipItStatus, message: String?)
    /// The server, or something before it, answered with a status that nobody has documented, such as 413 or 503.
    case unknownStatus(Int, message: String?)
    /// No answer came; ``TransportFailure/isBeforeSending`` tells whether the server may have done what it was asked for.
    case connection(TransportFailure)
    /// The server agreed, but what it sent cannot be read.
    case unreadable(UndecodableReply)
    /// Nobody is signed in, so nothing was sent.
    case signedOut
    /// The session is over, and its tokens are forgotten; ``SessionEvent/ended(_:)`` tells the same, once.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens can be neither read nor kept, for the reason given.
    case storage(String)
    /// Nothing was sent, because no request can be made of what was given.
    case invalidRequest(String)
}

extension WhipItError {
    init(_ problem: ServiceProblem) {
        switch problem {
        case .transport(let failure):
            self = .connection(failure)
        case .status(let reply):
            let message = (try? reply.decoded(as: WhipItMessage.self))?.message
            self =
                WhipItStatus(rawValue: reply.status).map { .refused($0, message: message) }
                ?? .unknownStatus(reply.status, message: message)
        case .undecodable(let reply): self = .unreadable(reply)
        case .signedOut: self = .signedOut
        case .sessionEnded(let reason): self = .sessionEnded(reason)
        case .storage(let reason): self = .storage(reason)
        case .invalidRequest(let reason): self = .invalidRequest(reason)
        }
    }

    /// The documented status, where the server refused with one.
    public var status: WhipItStatus? {
        guard case .refused(let status, _) = self else { return nil }
        return status
    }

    /// Whether the same call may work in a while, so that a screen should offer to try again.
    public var isTemporary: Bool {
        switch self {
        case .connection(let failure): failure != .cancelled
        case .refused(let status, _): status == .tooManyCalls || status == .serverError
        case .unknownStatus(let status, _): status >= 500
        default: false
        }
    }

    /// Whether the server may have done what it was asked for, although nobody knows.
    var isUncertain: Bool {
        switch self {
        case .connection(let failure): !failure.isBeforeSending
        case .unreadable: true
        default: false
        }
    }
}
