/// What one backend's tokens have that another's have not.
///
/// All that differs between the apps' sessions is here.
struct SessionRules: Sendable {
    /// Puts the tokens into an ordinary request.
    var authorize: @Sendable (Tokens, inout TransportRequest) -> Void
    /// What a response to an ordinary request says about its token.
    var verdict: @Sendable (TransportResponse) -> TokenVerdict
    /// The request for new tokens.
    var refreshRequest: @Sendable (Tokens) -> TransportRequest
    /// What the response to that request means.
    var refreshResult: @Sendable (TransportResponse, Tokens) -> RefreshResult

    /// What a response says about the access token that its request carried.
    enum TokenVerdict: Sendable, Hashable {
        /// Nothing: the response is about the request itself.
        case accepted
        /// New tokens would help.
        case expired
        /// No token of this session will do any more.
        case refused
    }

    /// The result of asking for new tokens.
    enum RefreshResult: Sendable, Hashable {
        case renewed(Tokens)
        /// The access token in the store is still valid, so there is nothing to renew.
        case stillFresh
        /// The session is over.
        case ended
        /// The server has no time, and may say for how long with `Retry-After`, or its response was lost.
        case busy(ServiceProblem)
        /// It may work another time.
        case failed(ServiceProblem)

        /// What a success brings: tokens that can be read, or a failure.
        init(reading tokens: () throws(ServiceProblem) -> Tokens) {
            do throws(ServiceProblem) {
                self = .renewed(try tokens())
            } catch {
                self = .failed(error)
            }
        }
    }
}

/// Something that changes what the app shows first.
public enum SessionEvent: Sendable, Hashable {
    /// A user has signed in, and the store holds the tokens.
    case signedIn
    /// The session is over: no request carries its tokens from now on, and the store is being cleared.
    ///
    /// Reported once for each session, however many calls it has cost.
    case ended(Reason)

    /// Why a session is over.
    public enum Reason: Sendable, Hashable {
        /// The user asked for it.
        case signedOut
        /// The server no longer takes what could renew the session.
        case expired
        /// The server refuses the session, although it was renewed or cannot be.
        case refused
    }
}
