/// A class of client bug, by the number of the rule that finds it; each is a switch on every client.
package enum Bug: Int, Sendable, CaseIterable, CustomStringConvertible {
    case noRefresh = 1
    case refreshStorm
    case refreshLoop
    case rotatedTokenReused
    case newTokenNotStored
    case lostResponseSignsOut
    case requestNotReplayed
    case refreshOnOtherError
    case passingFailureSignsOut
    case callsAfterInvalidRefresh
    case refreshByDeviceClock
    case lifetimeFromAnswer
    case laterOfExpiresInAndExp
    case tokenOfAnotherOwner
    case staleTokenFromQueue
    case refreshWithExpiredBearer
    case retryAfterIgnored
    case tokenSentElsewhere
    case uploadRestarted
    case tokenOfWrongKind
    case accountSwitched
    case otherRequestReplayed
    case signedOutThoughFresh
    case refreshAcrossProcesses
    case winnerErased
    case signedOutByUnreadableStore
    case refreshWithoutNeed
    case refreshGivenUp
    case malformedToken

    /// The number of the rule: `B2`.
    package var number: String { "B\(rawValue)" }

    package var description: String { number }
}
