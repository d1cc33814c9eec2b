/// What WhipIt's own app does wrong, by the rows of its list of bugs (W), of its mismatches with the server (N) and of
/// what its authors tell of earlier versions (R).
///
/// Left out are W14 (force unwraps of screens that have nothing to show) and what no client can show: N6 (both profiles
/// have one model, which is right as long as `email` is optional in it), N12 without the verb and N16 (the server keeps
/// whoever has withdrawn off every list).
enum WhipItBug: String, CaseIterable, Sendable {
    /// The button to join is dead after the first error.
    case r1
    /// The interceptor's refresh fails before it is sent.
    case r2
    /// The feed is laid out only after its pictures have arrived.
    case r3
    /// Every refused call refreshes for itself.
    case w1
    /// A call is sent again as often as it is refused.
    case w2
    /// The refresh goes through the interceptor that refreshes.
    case w3
    /// 409 is a refresh that failed, which is N10 too.
    case w4
    /// Whatever goes wrong at the launch signs out.
    case w5
    /// The login that follows a session's end is shown for each call, and the tokens stay and go with everything.
    case w6
    /// 401 is an error like any other.
    case w7
    /// 418 means something to the refresh alone.
    case w8
    /// Without tokens the launch comes to nothing.
    case w9
    /// Pictures are fetched past the interceptor.
    case w10
    /// Whatever keeps an address from being checked means that it is taken.
    case w11
    /// No success but 200, which is N7 too.
    case w12
    /// The keychain keeps the old token.
    case w13
    /// Nobody remembers that a page is on its way, and that "0" was the end.
    case w15
    /// Every appearance sets the screen up once more.
    case w16
    /// A post without a ratio breaks its page, in another app's posts too (N4).
    case n1
    /// A post without a text breaks its page.
    case n2
    /// A post without an app's name breaks its page.
    case n3
    /// A comment without an author breaks its page.
    case n5
    /// What was refused or lost is sent again, toggles too.
    case n8
    /// The ratio has the name that the README gives it.
    case n9
    /// The first page of the bookmarks is taken for all.
    case n11
    /// The user is deleted with POST, as another app does it.
    case n12
    /// One limit is told for all pictures, so that the user tries again.
    case n13
    /// Times are read without milliseconds, and what cannot be read is now.
    case n14
    /// Pictures' paths are joined to the address with a slash too many.
    case n15
}
