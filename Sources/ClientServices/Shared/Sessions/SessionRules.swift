/// The properties of one backend's tokens.
///
/// All that differs between the apps' sessions is here.
struct SessionRules: Sendable {
    /// Puts the tokens into an ordinary request.
    var authorize: @Sendable (Tokens, inout TransportRequest) -> Void
    /// The verdict of a response to an ordinary request about its token.
    var verdict: @Sendable (TransportResponse) -> TokenVerdict
    /// The request for new tokens.
    var refreshRequest: @Sendable (Tokens) -> TransportRequest
    /// The meaning of the response to that request.
    var refreshResult: @Sendable (TransportResponse, Tokens) -> RefreshResult

    /// The verdict of a response about the access token of its request.
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

        /// The result of a success: readable tokens, or a failure.
        init(reading tokens: () throws(ServiceProblem) -> Tokens) {
            do throws(ServiceProblem) {
                self = .renewed(try tokens())
            } catch {
                self = .failed(error)
            }
        }
    }
}

/// A change in the session's state.
public enum SessionEvent: Sendable, Hashable {
    /// A user has signed in, and the store contains the tokens.
    case signedIn
    /// The session has ended. No further request uses the session's tokens, which are being deleted from the store.
    ///
    /// This event is reported once for each session, even if several requests failed.
    case ended(Reason)

    /// The reason why a session ended.
    public enum Reason: Sendable, Hashable {
        /// The user signed out.
        case signedOut
        /// The server no longer accepts the refresh token.
        case expired
        /// The server rejects the session even after a renewal, or for a reason that a renewal cannot resolve.
        case refused
    }
}
