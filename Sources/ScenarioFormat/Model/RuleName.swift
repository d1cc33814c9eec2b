/// A rule by which clients are judged: its number and its name, declared here and nowhere else.
///
/// The format knows what rules are called, so that a file that turns one off is checked without knowing how it judges.
package enum RuleName: String, Sendable, Hashable, CaseIterable {
    case noRefreshAfter401 = "B1 no-refresh-after-401"
    case refreshStorm = "B2 refresh-storm"
    case refreshLoop = "B3 refresh-loop"
    case rotatedTokenReused = "B4 rotated-token-reused"
    case newTokenNotStored = "B5 new-token-not-stored"
    case lostResponseSignedOut = "B6 lost-response-signed-out"
    case requestNotReplayed = "B7 request-not-replayed"
    case refreshOnOtherError = "B8 refresh-on-other-error"
    case signedOutByPassingFailure = "B9 signed-out-by-passing-failure"
    case callsAfterInvalidRefresh = "B10 calls-after-invalid-refresh"
    case refreshByDeviceClock = "B11 refresh-by-device-clock"
    case lifetimeCountedFromResponse = "B12 lifetime-counted-from-answer"
    case expiresInAgainstExp = "B13 expires-in-against-exp"
    case tokenOfAnotherOwner = "B14 token-of-another-owner"
    case staleTokenFromQueue = "B15 stale-token-from-queue"
    case refreshWithExpiredBearer = "B16 refresh-with-expired-bearer"
    case retryAfterIgnored = "B17 retry-after-ignored"
    case tokenSentElsewhere = "B18 token-sent-elsewhere"
    case uploadRestarted = "B19 upload-restarted"
    case tokenOfWrongKind = "B20 token-of-wrong-kind"
    case accountSwitchedWithoutUser = "B21 account-switched-without-user"
    case differentRequestReplayed = "B22 different-request-replayed"
    case logoutThoughFresh = "B23 logout-though-fresh"
    case refreshAcrossProcesses = "B24 refresh-across-processes"
    case winnerErased = "B25 winner-erased"
    case signedOutByUnreadableStore = "B26 signed-out-by-unreadable-store"
    case refreshWithoutNeed = "B27 refresh-without-need"
    case refreshGivenUp = "B28 refresh-given-up"
    case malformedToken = "B29 malformed-token"
}

extension RuleName {
    /// `B2`: stable, never given to another rule.
    package var number: String { rawValue.utf8.firstIndex(of: 0x20).map { String(rawValue[..<$0]) } ?? rawValue }

    /// `refresh-storm`: the name in words.
    package var name: String { String(rawValue.dropFirst(number.utf8.count + 1)) }

    /// Every text that a file may name a rule by.
    static let written = allCases.map(\.number) + allCases.map(\.name)

    private static let byText = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { [($0.number, $0), ($0.name, $0), ($0.rawValue, $0)] }
    )

    /// - Parameter text: the rule's number, its name, or both.
    package init?(_ text: String) {
        guard let rule = Self.byText[text] else { return nil }
        self = rule
    }
}
