import Rules

@testable import ReferenceClients

/// What was found in the plays of one client with one bug.
struct MatrixCell: Sendable {
    let design: ClientDesign
    let bug: Bug
    /// The schedules that count.
    private(set) var counted = 0
    /// Those in which the race was not there.
    private(set) var raceless = 0
    private(set) var caught = 0
    /// The first seed that counts and in which the bug was not found.
    private(set) var missedSeed: UInt64?
    /// In how many schedules that count other rules found something, by number.
    private(set) var others: [String: Int] = [:]

    init(_ design: ClientDesign, _ bug: Bug) {
        self.design = design
        self.bug = bug
    }

    mutating func note(_ played: Played, of bugCase: BugCase, seed: UInt64) {
        let history = TokenHistory(played.evidence)
        guard !bugCase.isRace || history.hasRace else {
            raceless += 1
            return
        }
        counted += 1
        var isCaught = false
        for rule in AllRules.list where !rule.violations(in: history).isEmpty {
            let number = rule.profile.number
            if number == bug.number { isCaught = true } else { others[number, default: 0] += 1 }
        }
        if isCaught { caught += 1 } else { missedSeed = missedSeed ?? seed }
    }

    /// The numbers of the other rules, in their order.
    var otherNumbers: [String] {
        AllRules.list.map { $0.profile.number }.filter { others[$0] != nil }
    }
}
