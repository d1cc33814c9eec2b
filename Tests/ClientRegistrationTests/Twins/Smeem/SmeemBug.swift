/// What Smeem's own apps do wrong, by the rows of the list of bugs (B) and of the mismatches with the server (M).
///
/// Left out are those of which a server sees nothing: B8 (a provider that a test cannot replace), B10 (a spinner), B11
/// (forced unwraps of a picker), B12 (Kakao is unlinked first), B14 (tokens in a log), B15 (fixtures that have drifted),
/// M14's order of days, which is free, and M20 (how a percentage is shortened). M1 is B1, M4 is M3 as somebody meets it
/// who has signed up on another platform, M10 is B5, M19 is B9, and M22 is the server's own. SM-20 is a row of the list of
/// stories.
enum SmeemBug: String, CaseIterable, Sendable {
    /// The new access token is stored as the refresh token too.
    case b1
    /// Tokens are renewed at the launch and never else.
    case b2
    /// A refused refresh leaves the splash screen as it is.
    case b3
    /// Every error of the splash screen leads to the start screen.
    case b4
    /// What cannot be decoded is never told to anybody.
    case b5
    /// The editor closes whatever comes of saving.
    case b6
    /// The test of push messages requires a body.
    case b7
    /// Versions are compared as texts, by their first part, which has to be there.
    case b9
    /// A refused sign-out is left at that.
    case b13
    /// A refresh token that is null is stored as an empty one.
    case m2
    /// A member without a plan gets no response at all, so that a response without one cannot be read.
    case m3
    /// A member without a goal or a nickname cannot be read.
    case m5
    /// A member without a badge cannot be read.
    case m6
    /// The time of a member who chose none is sent back.
    case m7
    /// A diary that is changed has to come with data.
    case m8
    /// Every success has to come with a body.
    case m9
    /// A refused social token is a server that is down, to be asked again.
    case m11
    /// A nickname that is taken is an error like any other.
    case m12
    /// The place in the list is sent for a plan's id.
    case m13
    /// Midnight is sent as hour 0.
    case m14
    /// Dates have the digits of the device.
    case m15
    /// A day has one diary, the last one.
    case m16
    /// A button is a request, however often it is tapped.
    case sm20
    /// A goal's name and title are the other way round.
    case m17
    /// The body of every refusal is read first.
    case m18
    /// The goals are one.
    case m21
}
