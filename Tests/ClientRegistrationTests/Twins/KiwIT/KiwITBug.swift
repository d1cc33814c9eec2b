/// What the app of September 2024 did wrong, each to be switched on in a ``KiwITTwin``.
///
/// Left out, as nothing of it is seen from a client's calls: T9 (a blank screen without tokens), T11 (a data race),
/// M8 (text for a boolean, which the contract allows), M10 (a status that never comes) and M16 (harmless); and T10,
/// which is the server's own.
enum KiwITBug: String, Sendable, CaseIterable {
    /// T1: each refused call renews the tokens for itself, and the first refusal forgets even new ones.
    case renewsAlone
    /// T2: new tokens that are refused are renewed, without an end.
    case renewsForever
    /// T3: the user is not told when there is no response.
    case swallowsFaults
    /// T4: what should follow a call is forgotten when the call was replayed.
    case forgetsWhatFollows
    /// T5: after a renewal, the lectures with a bookmark are asked for in place of the quizzes.
    case replaysAnother
    /// T6: no sign-out without a good token.
    case staysWithoutToken
    /// T7: the user is let in before the tokens are kept.
    case letsInWithoutTokens
    /// T8: new tokens that could not be stored count as stored.
    case keepsOldTokens
    /// M1: an exercise that is not answered cannot be read.
    case wantsAnswer
    /// M2: whether an answer was right is read as text.
    case wantsTextualResult
    /// M3: no trophies are an error.
    case wantsTrophies
    /// M4: a trophy without a picture cannot be read.
    case wantsPicture
    /// M5: trophies are asked for where they were in July 2024.
    case asksForOldTrophies
    /// M6: what has no level cannot be read.
    case wantsLevel
    /// M7: a response that is lost is not looked for.
    case looksNothingUp
    /// M9: a refresh token that has expired counts as a passing fault of the server.
    case outlivesItsTokens
    /// M11: a user without an address cannot be read.
    case wantsEmail
    /// M12: a sign-up that is refused begins from the front.
    case signsUpInACircle
    /// M13: the address is compared with the number.
    case confirmsByNumber
    /// M14: a word that is new cannot be read.
    case knowsAllWords
    /// M15: nothing in the body is an error.
    case wantsBody
    /// Section C of the app's own account: all tabs are made after a sign-in, and each asks for what it will show.
    case opensAllTabs
    /// Section A: the taps on a star are not gathered.
    case sendsEveryTap
    /// P1: the next page begins too late when something was taken out.
    case missesMovedRow
    /// P2: a list without a query is taken for complete.
    case sendsNoQuery
    /// K15: the star of the quiz on the screen changes.
    case starsWhatIsShown
    /// K16: six digits of the second, no more and no fewer.
    case wantsSixDigits
}
