/// Why a call of ``KiwITService`` came to nothing.
///
/// The backend never says more than a status: none of its refusals has a body.
public enum KiwITError: ServiceError, Hashable {
    /// There is no answer, for the reason given.
    case transport(TransportFailure)
    /// The answer is good but empty, where something had to be in it.
    case emptyBody
    /// The answer is good, but cannot be read.
    case unreadable(UndecodableResponse)
    /// The server does not want what was asked for (400): it is taken, unknown, done already, or not possible yet.
    case invalidRequestBody
    /// The session is over and its tokens are forgotten (401, even with new tokens).
    case invalidToken(SessionEvent.Reason)
    /// The server has failed (500).
    case invalidContent
    /// The server, or something in front of it, has answered with another status.
    case unexpectedStatus(Int)
    /// Nobody is signed in, so nothing was sent.
    case signedOut
    /// The tokens cannot be read, saved or cleared, in the store's words.
    case storage(String)
    /// The request could not be written, for the reason given.
    case unsendable(String)
}

extension KiwITError: ServiceWords {
    /// Whether the same call may work in a while, so that a screen should offer to try again.
    public var isTemporary: Bool {
        switch self {
        case .transport(let failure): failure.isTemporary
        case .invalidContent: true
        case .unexpectedStatus(let status): status == 429 || status >= 500
        default: false
        }
    }

    /// Whether the server may have done what it was asked for, although it did not say so.
    ///
    /// Who asked for something that must not happen twice has to look before asking again.
    public var leavesDoubt: Bool {
        switch self {
        case .transport(let failure): !failure.isBeforeSending
        case .emptyBody, .unreadable, .invalidContent, .unexpectedStatus: true
        case .invalidRequestBody, .invalidToken, .signedOut, .storage, .unsendable: false
        }
    }

    /// Whether nobody is signed in, or nobody is any more, so that the sign-in screen is next.
    public var needsSignIn: Bool {
        switch self {
        case .signedOut, .invalidToken: true
        default: false
        }
    }

    init(_ problem: ServiceProblem) {
        self =
            switch problem {
            case .transport(let failure): .transport(failure)
            case .undecodable(let response): response.body.isEmpty ? .emptyBody : .unreadable(response)
            case .status(let response): KiwITError(status: response.status)
            case .signedOut: .signedOut
            case .sessionEnded(let reason): .invalidToken(reason)
            case .storage(let reason): .storage(reason)
            case .unsendable(let reason): .unsendable(reason)
            }
    }

    private init(status: Int) {
        self =
            switch status {
            case 204: .emptyBody
            case 400: .invalidRequestBody
            case 500: .invalidContent
            default: .unexpectedStatus(status)
            }
    }
}
