/// Where somebody is who has signed in.
public enum SmeemSignIn: Sendable {
    /// On the home screen.
    case signedIn
    /// In the middle of signing up.
    case unfinished(SmeemSignUp)
}
