package import ScenarioFormat

/// A duration that rules use where nothing in the traffic itself decides.
///
/// ``all`` and the article <doc:Time-limits> list all of them; a test compares the two.
package struct TimeLimit: Sendable, Hashable {
    /// Which clock measures it.
    package enum Clock: String, Sendable, Hashable {
        /// The machine's monotonic clock.
        case real
        /// The session's virtual clock.
        case virtual
    }

    package var name: String
    package var value: Duration
    package var clock: Clock
    /// The rules that use it.
    package var rules: [RuleName]
    /// The purpose of the limit and the reason for its length, without a closing full stop.
    package var reason: String

    private init(_ name: String, _ value: Duration, on clock: Clock = .real, _ rules: [RuleName], _ reason: String) {
        (self.name, self.value, self.clock, self.rules, self.reason) = (name, value, clock, rules, reason)
    }
}

extension TimeLimit {
    // MARK: What a client can know

    /// - Note: Sequential clients, held refresh responses and values that only one response gave need none of these.
    static let transit = TimeLimit(
        "transit",
        .milliseconds(20),
        [.noRefreshAfter401, .refreshLoop, .callsAfterInvalidRefresh, .staleTokenFromQueue, .uploadRestarted],
        "the time after a held response within which a request that was sent without knowledge of the response may"
            + " arrive, if the client sends several requests at once; the time covers two network transits and the"
            + " client's scheduling"
    )
    package static let siblings = TimeLimit(
        "siblings",
        .milliseconds(50),
        [
            .noRefreshAfter401, .refreshLoop, .rotatedTokenReused, .requestNotReplayed, .callsAfterInvalidRefresh,
            .tokenOfAnotherOwner, .staleTokenFromQueue, .retryAfterIgnored, .uploadRestarted, .logoutThoughFresh,
        ],
        "the maximum time between the requests of one screen (measured: 0 to 37 ms); if a response was not held, a"
            + " request that arrives later than this was sent with knowledge of the response"
    )
    static let poolRefill = TimeLimit(
        "pool refill",
        .milliseconds(45),
        [.requestNotReplayed, .callsAfterInvalidRefresh, .staleTokenFromQueue, .retryAfterIgnored],
        "the time for which a free connection in the platform's pool may wait for the next queued request; this "
            + "time is shorter than the usual hold, during which a refresh empties the pool"
    )
    static let abandonment = TimeLimit(
        "abandonment",
        .milliseconds(50),
        [.refreshStorm],
        "the time that a server may need to notice that the client has abandoned a request"
    )
    static let stillAtWork = TimeLimit(
        "still at work",
        .milliseconds(200),
        [.noRefreshAfter401, .newTokenNotStored, .requestNotReplayed, .callsAfterInvalidRefresh],
        "the time that a client may need for its next action if the client is judged while it is still running"
    )

    // MARK: What a user can do

    static let ownSignIn = TimeLimit(
        "own sign-in",
        .seconds(1),
        [.accountSwitchedWithoutUser],
        "a sign-in this soon after a refusal is automatic, because a person needs longer to type"
    )
    static let ownSignInWithReplay = TimeLimit(
        "own sign-in with replay",
        .seconds(5),
        [.accountSwitchedWithoutUser],
        "the limit for an automatic sign-in if the client also repeats the refused request"
    )
    static let ownSignOut = TimeLimit(
        "own sign-out",
        .seconds(2),
        [.lostResponseSignedOut, .signedOutByPassingFailure, .winnerErased, .malformedToken],
        "a sign-out or sign-in this soon after a failed refresh is automatic; a later sign-out or sign-in is the user's"
    )
    static let sameSignOut = TimeLimit(
        "same sign-out",
        .seconds(1),
        [
            .noRefreshAfter401, .lostResponseSignedOut, .requestNotReplayed, .signedOutByPassingFailure,
            .signedOutByUnreadableStore,
        ],
        "a reported sign-out and a sign-out request within this time are the same sign-out"
    )
    static let tap = TimeLimit(
        "tap",
        .milliseconds(300),
        [.requestNotReplayed],
        "an identical request that arrives after this time is a second tap, not a second replay"
    )
    static let rewritten = TimeLimit(
        "rewritten",
        .seconds(1),
        [.requestNotReplayed],
        "a different body this soon after a refresh was not entered by a person"
    )
    static let ownRefresh = TimeLimit(
        "own refresh",
        .seconds(2),
        [.refreshOnOtherError],
        "a refresh this soon after an error was caused by the error"
    )
    static let coolDown = TimeLimit(
        "cool-down",
        .seconds(300),
        [.refreshGivenUp],
        "the time that a client may wait after a failed refresh before it retries"
    )
    static let loopGap = TimeLimit(
        "loop gap",
        .seconds(2),
        [.refreshLoop],
        "attempts that are further apart than this may be the user's"
    )
    static let screen = TimeLimit(
        "screen",
        .seconds(5),
        [.requestNotReplayed, .differentRequestReplayed],
        "data that was loaded within this time before a refusal belongs to the same screen and is not requested again"
    )
    static let replayGap = TimeLimit(
        "replay gap",
        .milliseconds(250),
        [.differentRequestReplayed, .refreshWithoutNeed],
        "requests that follow a refresh or one another within this time were waiting for the refresh"
    )
    static let reopened = TimeLimit(
        "reopened",
        .seconds(5),
        [.uploadRestarted],
        "a client that keeps sending requests for this long after a stream was interrupted does not intend to reopen the stream;"
            + " the time is measured on either clock"
    )
    static let reconnection = TimeLimit(
        "reconnection",
        .milliseconds(100),
        [.uploadRestarted],
        "a client that reopens a stream this soon after the stream ended has not waited; the time is measured on either"
            + " clock"
    )

    // MARK: What clocks and timers cannot do better

    static let timer = TimeLimit(
        "timer",
        .milliseconds(50),
        [.retryAfterIgnored, .uploadRestarted],
        "the time by which a client's timer may fire early"
    )
    static let way = TimeLimit(
        "way",
        .milliseconds(100),
        on: .virtual,
        [.lifetimeCountedFromResponse],
        "a token may expire while the request is in transit"
    )
    static let wholeSecond = TimeLimit(
        "whole second",
        .seconds(1),
        on: .virtual,
        [.expiresInAgainstExp],
        "expires_in and exp are whole seconds and may differ by one second"
    )
    static let renewalMargin = TimeLimit(
        "renewal margin",
        .seconds(60),
        on: .virtual,
        [.expiresInAgainstExp],
        "a client that refreshes within this time before a token expires uses the token's lifetime"
    )
    static let foresight = TimeLimit(
        "foresight",
        .seconds(300),
        on: .virtual,
        [.refreshByDeviceClock],
        "a token that expires within this time may be renewed early, regardless of its lifetime"
    )
    static let wrongClock = TimeLimit(
        "wrong clock",
        .seconds(60),
        on: .virtual,
        [.refreshByDeviceClock],
        "a clock that deviates by less than this time is not considered wrong"
    )
    static let loopGapVirtual = TimeLimit(
        "loop gap, virtual",
        .seconds(60),
        on: .virtual,
        [.refreshLoop],
        "the loop gap on the session's clock, which a story can advance"
    )
    static let copies = TimeLimit(
        "copies, virtual",
        .seconds(60),
        on: .virtual,
        [.requestNotReplayed],
        "identical requests that are further apart than this on the session's clock are different actions"
    )

    /// Every limit, in the order of the article.
    package static let all: [TimeLimit] = [
        transit, siblings, poolRefill, abandonment, stillAtWork, ownSignIn, ownSignInWithReplay, ownSignOut,
        sameSignOut, tap, rewritten, ownRefresh, coolDown, loopGap, screen, replayGap, reopened, reconnection, timer,
        way, wholeSecond, renewalMargin, foresight, wrongClock, loopGapVirtual, copies,
    ]

    /// The table of the article, as Markdown.
    package static var markdown: String {
        let head = "| name | value | clock | rules | reason |\n| --- | --- | --- | --- | --- |\n"
        return all.reduce(into: head) { text, limit in
            let rules = limit.rules.map(\.number).joined(separator: ", ")
            text += "| \(limit.name) | \(DurationText.text(limit.value)) | \(limit.clock.rawValue) | \(rules) | "
            text += "\(limit.reason) |\n"
        }
    }
}
