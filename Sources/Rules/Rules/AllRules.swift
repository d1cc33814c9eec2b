import Basics
import JSON
package import ScenarioFormat
import Simulation

/// Every rule that there is, in the order of their numbers.
package enum AllRules {
    package static let list: [any Rule.Type] = [
        NoRefreshAfter401.self,
        RefreshStorm.self,
        RefreshLoop.self,
        RotatedTokenReused.self,
        NewTokenNotStored.self,
        LostResponseSignedOut.self,
        RequestNotReplayed.self,
        RefreshOnOtherError.self,
        SignedOutByPassingFailure.self,
        CallsAfterInvalidRefresh.self,
        RefreshByDeviceClock.self,
        LifetimeCountedFromResponse.self,
        ExpiresInAgainstExp.self,
        TokenOfAnotherOwner.self,
        StaleTokenFromQueue.self,
        RefreshWithExpiredBearer.self,
        RetryAfterIgnored.self,
        TokenSentElsewhere.self,
        UploadRestarted.self,
        TokenOfWrongKind.self,
        AccountSwitchedWithoutUser.self,
        DifferentRequestReplayed.self,
        LogoutThoughFresh.self,
        RefreshAcrossProcesses.self,
        WinnerErased.self,
        SignedOutByUnreadableStore.self,
        RefreshWithoutNeed.self,
        RefreshGivenUp.self,
        MalformedToken.self,
    ]
}

/// A class of client bug, and how it is recognised in what happened.
///
/// A rule looks at each episode by itself, or at the whole history.
package protocol Rule: Sendable {
    static var profile: RuleProfile { get }

    /// The words before the exchanges that repeat a violation.
    static var repetition: String { get }

    /// The effect of the bug on the users of a backend.
    static func reason(in roles: TokenRoles) -> String

    /// The violations in one launch, in order.
    static func violations(in episode: Episode) -> [RuleViolation]

    /// Everything that clients did wrong, in the order in which it happened.
    static func findings(in history: TokenHistory) -> [RuleViolation]
}

extension Rule {
    package static var repetition: String { "so did" }

    package static func reason(in roles: TokenRoles) -> String { profile.reason }

    package static func violations(in episode: Episode) -> [RuleViolation] { [] }

    package static func findings(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap(violations(in:))
    }

    /// All violations, in the order in which they happened; those of one group are one.
    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        var violations: [(first: RuleViolation, repetitions: [UInt64])] = []
        var places: [ExactText: Int] = [:]
        for violation in findings(in: history) {
            let group = violation.group.map { ExactText("\(violation.isUnclear) \($0)") }
            if let place = group.flatMap({ places[$0] }) {
                violations[place].repetitions += [violation.repeated ?? violation.exchanges[0]]
            } else {
                if let group { places[group] = violations.count }
                violations.append((violation, []))
            }
        }
        return violations.map { first, repetitions in
            var violation = first
            (violation.group, violation.repeated) = (nil, nil)
            guard !repetitions.isEmpty else { return violation }
            violation.sentence += "; \(repetition) \(Sentences.exchanges(repetitions))"
            violation.exchanges += repetitions
            return violation
        }
    }
}

/// The texts of a rule that every report shows.
package struct RuleProfile: Sendable, Hashable {
    package var rule: RuleName
    /// The effect of the bug on users, as a sentence without a closing full stop.
    package var reason: String
    /// The advice, as a sentence without a closing full stop.
    package var advice: String
    /// Where a standard says so, such as `RFC 6749, section 6`.
    package var source: String

    package var number: String { rule.number }
    package var name: String { rule.name }
    /// The printed form: `B2 refresh-storm`.
    package var id: String { rule.rawValue }
}

/// Something that a client did wrong.
package struct RuleViolation: Sendable, Hashable {
    /// One sentence without a closing full stop, with the exchanges' numbers.
    package var sentence: String
    /// The exchange that it is pinned to comes first.
    package var exchanges: [UInt64]
    package var device: String?
    /// A Boolean value that indicates whether it cannot be decided, because the server was late by more than the
    /// exchanges are apart.
    package var isUnclear = false
    /// The words that a group of equal violations shares, which are printed once; `nil` for a single violation.
    var group: String?
    /// The exchange that is named where it repeats one of its group; `nil` for the first.
    var repeated: UInt64?

    /// - Parameter steps: the one that it is pinned to first, whose device it is about; `nil` for a sort of step that did not occur.
    init(_ sentence: String, _ steps: [Step?], isUnclear: Bool = false, group: String? = nil) {
        let steps = steps.compactMap(\.self)
        (self.sentence, self.isUnclear, self.group) = (sentence, isUnclear, group)
        exchanges = steps.map(\.number)
        device = steps.first.flatMap { $0.device ?? $0.episode?.device }
    }
}
