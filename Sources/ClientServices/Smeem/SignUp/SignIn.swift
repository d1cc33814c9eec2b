extension Smeem {
    /// Where somebody is who has signed in.
    public enum SignIn: Sendable {
        /// On the home screen.
        case signedIn
        /// In the middle of signing up.
        case unfinished(SignUp)
    }
}
