extension Smeem {
    /// Where the app goes when it is launched.
    public enum Launch: Sendable, Hashable {
        /// To the home screen, with the session that there is.
        case home
        /// To the start screen, for nobody is signed in.
        case start
        /// No further: the app is too old.
        case update(AppVersions)
    }
}
