extension WhipIt {
    /// A refusal that the server documents, by the status that it has for it.
    public enum Status: Int, Sendable, Hashable, CaseIterable {
        /// Something is missing or breaks a limit, such as the size of a picture.
        case invalidRequest = 400
        /// At a login, no such user or another password; anywhere else the access token is not the server's.
        case unauthorized = 401
        /// The user is gone or may not do this.
        case forbidden = 403
        /// An address that is taken, somebody who is followed already, a token that needs no refresh.
        case conflict = 409
        /// The post, comment or user is gone; of a new post: it was not stored.
        case notFound = 410
        /// Only a login helps.
        case refreshTokenExpired = 418
        /// A refresh helps.
        case accessTokenExpired = 419
        /// The app key is missing or wrong, which is the app's fault and not its user's.
        case invalidAppKey = 420
        /// Too many calls in too short a time.
        case tooManyCalls = 429
        /// The server has nothing at that address.
        case invalidAddress = 444
        /// The post or comment belongs to somebody else.
        case notOwner = 445
        /// The server broke.
        case serverError = 500
    }
}
