/// Something that changes what the app shows first.
public enum SessionEvent: Sendable, Hashable {
    /// A user has signed in, and the store holds the tokens.
    case signedIn
    /// The session is over: no request carries its tokens from now on, and the store is being cleared.
    ///
    /// Told once for each session, however many calls it has cost.
    case ended(Reason)

    /// Why a session is over.
    public enum Reason: Sendable, Hashable {
        /// The user wanted it.
        case signedOut
        /// The server no longer takes what could renew the session.
        case expired
        /// The server refuses the session, although it was renewed or cannot be.
        case refused
    }
}
