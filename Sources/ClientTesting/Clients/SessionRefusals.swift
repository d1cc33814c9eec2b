/// The statuses that say something about a session, and not about the request that was sent.
package struct SessionRefusals: Sendable, Hashable {
    /// The access token has expired and new tokens would help; the one that says it most clearly comes first.
    package var expired: [Int]
    /// From an operation behind a token: the session may be over, and its tokens forgotten.
    package var ending: Set<Int>
    /// The same from the operation that gives new tokens.
    package var endingRefresh: Set<Int>

    package init(
        expired: [Int] = [419, 440, 401],
        ending: Set<Int> = [401, 419, 440],
        endingRefresh: Set<Int> = [401, 403, 418, 419, 440]
    ) {
        self.expired = expired
        self.ending = ending
        self.endingRefresh = endingRefresh
    }
}
