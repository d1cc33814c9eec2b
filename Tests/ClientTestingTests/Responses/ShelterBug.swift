/// A mistake that the shelter's client makes when it is told to.
enum ShelterBug: Sendable, Hashable, CaseIterable {
    /// Sends the limit as a word.
    case wordForLimit
    /// Sends a query parameter that nobody has documented.
    case unknownParameter
    /// Misspells a member that may be left out.
    case misspeltMember
    /// Sends a date that is none.
    case wordForDate
    /// Asks for the list once more when it has it already.
    case asksTwice
    /// Adds a pet again when the connection is lost.
    case addsAgain
    /// Asks for ever when nobody listens.
    case knocksForever
    /// Sends the token with another scheme.
    case otherScheme
    /// Sends no token with the body of a new pet.
    case noToken
    /// Answers from a cache that it does not have.
    case asksNobody
    /// Takes 204 for a failure.
    case noContentIsFailure
    /// Requires the name of a pet.
    case nameIsRequired
    /// Reads a problem as an empty list.
    case problemIsEmptyList
    /// Takes a lost connection for an empty list.
    case offlineIsEmptyList
    /// Waits for something that never comes, after a 404.
    case neverComesBack
    /// Goes on asking for the list after the call has returned.
    case keepsPolling
    /// Refreshes as often as the server refuses.
    case refreshesForever
    /// Sends again and again without a pause, when the server is too busy.
    case insists
    /// Pauses for ever, when the server is too busy.
    case pausesForever
    /// Signs in with a demo account when the token has expired.
    case signsInAgain
    /// Sends the list's request again, whatever was refused.
    case replaysAnother
    /// Refreshes, and throws all the same.
    case givesUpAfterRefresh
    /// Sends again with the token that had expired.
    case replaysWithOldToken
    /// Signs out whenever a refresh fails.
    case signsOutWhenRefreshFails
    /// Signs out whenever the server fails.
    case signsOutOnFailure
    /// Stores the access token in the refresh token's place.
    case mixesTokens
    /// Keeps the old refresh token.
    case keepsOldRefreshToken
    /// Deletes the refresh token if a refresh grants no new one.
    case losesRefreshToken
    /// Keeps the tokens when the server refuses the refresh token, which is a warning.
    case keepsRefusedSession
    /// Leaves the refresh token behind when it signs out.
    case leavesTokenBehind
    /// Repeats a sign-out with the refresh token that a refresh has replaced, which is a warning.
    case signsOutWithOldToken
    /// Says that the user is signed out although the server has refused it, and keeps the tokens.
    case ignoresRefusedSignOut
    /// The same without the tokens, which is no mistake.
    case signsOutAnyway
    /// Stores the refresh token alone, and refreshes at the start of each launch, which is no mistake.
    case storesRefreshTokenOnly
    /// Refreshes only if the refusal says that the token has expired, which is no mistake either.
    case readsRefusals
}
