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

    /// What the bug does to the users of a backend.
    static func reason(in roles: TokenRoles) -> String

    /// The violations of the client in one launch, in the order in which they happened.
    static func violations(in episode: Episode) -> [RuleViolation]

    /// All violations, in the order in which they happened.
    static func violations(in history: TokenHistory) -> [RuleViolation]
}

extension Rule {
    package static func reason(in roles: TokenRoles) -> String { profile.reason }

    package static func violations(in episode: Episode) -> [RuleViolation] { [] }

    package static func violations(in history: TokenHistory) -> [RuleViolation] {
        history.episodes.flatMap { episode in
            violations(in: episode).map { violation in
                var violation = violation
                violation.device = episode.device
                return violation
            }
        }
    }
}

/// What a rule is about, for every report.
package struct RuleProfile: Sendable, Hashable {
    package var rule: RuleName
    /// What the bug does to users, as a sentence without a closing full stop.
    package var reason: String
    /// What to do, as a sentence without a closing full stop.
    package var advice: String
    /// Where a standard says so, such as `RFC 6749, section 6`.
    package var source: String

    package init(
        _ rule: RuleName,
        reason: String,
        advice: String,
        source: String
    ) {
        (self.rule, self.reason, self.advice, self.source) = (rule, reason, advice, source)
    }

    package var number: String { rule.number }
    package var name: String { rule.name }
    /// How it is printed: `B2 refresh-storm`.
    package var id: String { rule.rawValue }
}

/// Something that a client did wrong.
package struct RuleViolation: Sendable, Hashable {
    /// One sentence without a closing full stop, with the exchanges' numbers.
    package var sentence: String
    /// The exchange that it is pinned to comes first.
    package var exchanges: [UInt64]
    package var device: String?
    /// Whether it cannot be decided, because the server was late by more than the exchanges are apart.
    package var isUnclear = false

    package init(_ sentence: String, exchanges: [UInt64], device: String? = nil, isUnclear: Bool = false) {
        self.sentence = sentence
        self.exchanges = exchanges
        self.device = device
        self.isUnclear = isUnclear
    }
}

extension RuleViolation {
    /// - Parameter steps: the one that it is pinned to first; `nil` where there is none of a sort.
    init(_ sentence: String, _ steps: [Step?], device: String? = nil, isUnclear: Bool = false) {
        self.init(sentence, exchanges: steps.compactMap { $0?.number }, device: device, isUnclear: isUnclear)
    }

    init(_ sentence: String, _ steps: [Step?], in episode: Episode, isUnclear: Bool = false) {
        self.init(sentence, steps, device: episode.device, isUnclear: isUnclear)
    }
}

/// Gathers exchanges that do the same wrong thing, so that it is said once.
struct RepeatedViolations {
    private struct Entry {
        var violation: RuleViolation
        var repetitions: [UInt64] = []
    }

    /// What stands before the exchanges that repeat a violation.
    private let repetition: String
    private var entries: [Entry] = []
    private var indexByKey: [ExactText: Int] = [:]

    init(repetition: String = "so did") {
        self.repetition = repetition
    }

    /// Adds a violation, or notes that an exchange repeats the one that was added with the same key.
    mutating func add(_ key: String, by step: Step, _ violation: @autoclosure () -> RuleViolation) {
        if let index = indexByKey[ExactText(key)] {
            entries[index].repetitions.append(step.number)
        } else {
            indexByKey[ExactText(key)] = entries.count
            entries.append(Entry(violation: violation()))
        }
    }

    /// In the order in which each began.
    var list: [RuleViolation] {
        entries.map { entry in
            var violation = entry.violation
            guard !entry.repetitions.isEmpty else { return violation }
            violation.sentence += "; \(repetition) \(Sentences.exchanges(entry.repetitions))"
            violation.exchanges += entry.repetitions
            return violation
        }
    }
}
