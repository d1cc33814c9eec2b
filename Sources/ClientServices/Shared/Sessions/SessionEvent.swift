/// Something that changes what the app shows first.
public enum SessionEvent: Sendable, Hashable {
    /// Somebody has signed in.
    case signedIn
    /// The session is over, and its tokens are forgotten. Told once for each session, however many calls it has cost.
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
