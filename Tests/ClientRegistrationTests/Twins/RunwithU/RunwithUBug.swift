import Testing

/// What RunwithU's own app does wrong, by the rows of its lists of bugs (B) and of mismatches with the server (E).
///
/// Left out, because no request and no stored token shows them: B9 (a keychain query without a service), B10 (the app
/// begins with a test screen), B11 (a screen that nobody tells), E8 (a chip that is removed and an invitee who is not),
/// E9 (lists read with a limit of 100000, which the contract allows) and E14 (pictures in the order of their arrival).
enum RunwithUBug: String, CaseIterable, Sendable {
    /// Every refused call refreshes for itself.
    case b1
    /// Whoever is refused goes on as the demo account.
    case b2
    /// Logs in with the stored password and tries again, as often as it is refused.
    case b3
    /// Without automatic login the refresh token is never used.
    case b4
    /// Calls log in, pictures refresh, and the later response is stored.
    case b5
    /// 409 is a refresh that failed.
    case b6
    /// Nobody looks at what the login has answered.
    case b7
    /// Logging out stores empty tokens.
    case b8
    /// Statuses without an error of their own are good news.
    case e1
    /// A post without a title, a text or a namespace breaks its page.
    case e2
    /// Posts of a group are written where nobody reads.
    case e3
    /// White space in a nickname is told as a nickname that is in use.
    case e4
    /// A post goes out without the pictures that could not be uploaded.
    case e5
    /// A group that is full has no members, and is open to everybody.
    case e6
    /// An invitation that could not be declined is shown as declined.
    case e7
    /// All posts of a profile are asked for at once, and those that fail are dropped.
    case e10
    /// No list goes on after its second page.
    case e11
    /// Moments are cut to their day.
    case e12
    /// Comments are turned round.
    case e13
    /// Every tap pays, under a number of seconds that tells the service key.
    case e15
    /// No payment is ever validated.
    case p20
    /// A payment that was not made is validated, too.
    case validatesAnything
    /// Invitations to runs that are over are shown.
    case showsPast
    /// An error ends the stream of a button's taps.
    case endsTaps
    /// Whoever is followed already is a problem that nobody knows.
    case fearsFollowed
    /// Logging out leaves the tokens for the next launch.
    case keepsTokens
}

extension RunwithUBug: CustomTestStringConvertible {
    /// The row as the stories name it, such as `runwithu/B1`; the bug's own name where it is in no list.
    var testDescription: String {
        if self == .p20 { return "runwithu/20" }
        return rawValue.count > 3 ? rawValue : "runwithu/\(rawValue.uppercased())"
    }
}
