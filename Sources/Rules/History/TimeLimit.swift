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
        "how long a request that was sent before a held response may arrive after it, where the client sends several "
            + "at once: two ways through a network, and the client's own scheduling"
    )
    package static let siblings = TimeLimit(
        "siblings",
        .milliseconds(50),
        [
            .noRefreshAfter401, .refreshLoop, .rotatedTokenReused, .requestNotReplayed, .callsAfterInvalidRefresh,
            .tokenOfAnotherOwner, .staleTokenFromQueue, .retryAfterIgnored, .uploadRestarted, .logoutThoughFresh,
        ],
        "how far the requests of one screen are apart; what comes later after a response that was not held knows it "
            + "(measured: 0 to 37 ms)"
    )
    static let poolRefill = TimeLimit(
        "pool refill",
        .milliseconds(45),
        [.requestNotReplayed, .callsAfterInvalidRefresh, .staleTokenFromQueue, .retryAfterIgnored],
        "how long a connection of the platform's pool that has become free may wait for the next request in its queue; "
            + "shorter than the usual hold, during which a refresh empties the pool"
    )
    static let abandonment = TimeLimit(
        "abandonment",
        .milliseconds(50),
        [.refreshStorm],
        "how long a server may take to notice that the client has given a request up"
    )
    static let stillAtWork = TimeLimit(
        "still at work",
        .milliseconds(200),
        [.noRefreshAfter401, .newTokenNotStored, .requestNotReplayed, .callsAfterInvalidRefresh],
        "how long a client that is looked at while it runs may take for what it has to do next"
    )

    // MARK: What a user can do

    static let ownSignIn = TimeLimit(
        "own sign-in",
        .seconds(1),
        [.accountSwitchedWithoutUser],
        "a sign-in so soon after a refusal is the client's own, since a person types longer"
    )
    static let ownSignInWithReplay = TimeLimit(
        "own sign-in with replay",
        .seconds(5),
        [.accountSwitchedWithoutUser],
        "the same if the client repeats the refused request"
    )
    static let ownSignOut = TimeLimit(
        "own sign-out",
        .seconds(2),
        [.lostResponseSignedOut, .signedOutByPassingFailure, .winnerErased, .malformedToken],
        "a sign-out or sign-in so soon after a failed refresh is the client's own; later ones are a person's"
    )
    static let sameSignOut = TimeLimit(
        "same sign-out",
        .seconds(1),
        [
            .noRefreshAfter401, .lostResponseSignedOut, .requestNotReplayed, .signedOutByPassingFailure,
            .signedOutByUnreadableStore,
        ],
        "a report of a sign-out and a request for one so close together are the same"
    )
    static let tap = TimeLimit(
        "tap",
        .milliseconds(300),
        [.requestNotReplayed],
        "the same request again later than this is a second tap and no second replay"
    )
    static let rewritten = TimeLimit(
        "rewritten",
        .seconds(1),
        [.requestNotReplayed],
        "another body so soon after a refresh was not written by a person"
    )
    static let ownRefresh = TimeLimit(
        "own refresh",
        .seconds(2),
        [.refreshOnOtherError],
        "a refresh so soon after an error is caused by it"
    )
    static let coolDown = TimeLimit(
        "cool-down",
        .seconds(300),
        [.refreshGivenUp],
        "a client may wait for so long after a failed refresh before it tries again"
    )
    static let loopGap = TimeLimit(
        "loop gap",
        .seconds(2),
        [.refreshLoop],
        "tries that are further apart may be a person's"
    )
    static let screen = TimeLimit(
        "screen",
        .seconds(5),
        [.requestNotReplayed, .differentRequestReplayed],
        "what was loaded so shortly before a refusal belongs to the same screen and is not asked for again"
    )
    static let replayGap = TimeLimit(
        "replay gap",
        .milliseconds(250),
        [.differentRequestReplayed, .refreshWithoutNeed],
        "requests that follow a refresh, or each other, so soon were waiting for it"
    )
    static let reopened = TimeLimit(
        "reopened",
        .seconds(5),
        [.uploadRestarted],
        "a client that continues for this long after a stream was interrupted does not reopen it; on either clock"
    )
    static let reconnection = TimeLimit(
        "reconnection",
        .milliseconds(100),
        [.uploadRestarted],
        "a client that opens a stream again so soon after it ended has not waited; on either clock"
    )

    // MARK: What clocks and timers cannot do better

    static let timer = TimeLimit(
        "timer",
        .milliseconds(50),
        [.retryAfterIgnored, .uploadRestarted],
        "a client's timer may be early by this much"
    )
    static let way = TimeLimit(
        "way",
        .milliseconds(100),
        on: .virtual,
        [.lifetimeCountedFromResponse],
        "a token may expire while the request is on its way"
    )
    static let wholeSecond = TimeLimit(
        "whole second",
        .seconds(1),
        on: .virtual,
        [.expiresInAgainstExp],
        "expires_in and exp are whole seconds and may differ by one"
    )
    static let renewalMargin = TimeLimit(
        "renewal margin",
        .seconds(60),
        on: .virtual,
        [.expiresInAgainstExp],
        "a client that refreshes so shortly before a token expires goes by its lifetime"
    )
    static let foresight = TimeLimit(
        "foresight",
        .seconds(300),
        on: .virtual,
        [.refreshByDeviceClock],
        "a token that expires sooner may be renewed ahead, however short its lifetime"
    )
    static let wrongClock = TimeLimit(
        "wrong clock",
        .seconds(60),
        on: .virtual,
        [.refreshByDeviceClock],
        "a clock that is off by less is not called wrong"
    )
    static let loopGapVirtual = TimeLimit(
        "loop gap, virtual",
        .seconds(60),
        on: .virtual,
        [.refreshLoop],
        "the same as loop gap on the session's clock, which a story may move"
    )
    static let copies = TimeLimit(
        "copies, virtual",
        .seconds(60),
        on: .virtual,
        [.requestNotReplayed],
        "copies that are further apart on the session's clock are different actions"
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
