import Basics
import Rules
import Simulation
import StoryRunning

/// What a client has shown in one manner of connecting.
package struct ProofRow: Sendable {
    package let design: ClientDesign
    package let connections: Connections
    /// Of the client without bugs.
    package private(set) var plays = 0
    package private(set) var alarms = 0
    package private(set) var inconclusive = 0
    /// Of the client with each bug: the schedules that count, and those in which the bug was found or is in doubt.
    package private(set) var counted: [Bug: Int] = [:]
    package private(set) var found: [Bug: Int] = [:]
    package private(set) var doubtful: [Bug: Int] = [:]
    /// The rules that were inconclusive for the client without bugs, and how often.
    package private(set) var doubts: [String: Int] = [:]

    init(design: ClientDesign, connections: Connections) {
        (self.design, self.connections) = (design, connections)
    }

    /// The schedules in which a bug was neither found nor in doubt.
    package var missed: Int { counted.values.reduce(0, +) - sum(found) - sum(doubtful) }

    private func sum(_ counts: [Bug: Int]) -> Int { counts.values.reduce(0, +) }

    /// Takes a play in, and says what should not be.
    mutating func note(_ result: StoryResult, of bugCase: BugCase, bug: Bug?) -> String? {
        guard let bug else { return note(result, of: bugCase) }
        let history = TokenHistory(result.recording.evidence)
        let isSequential = UserHabits(connections, in: bugCase, seed: result.play.seed).isSequential
        guard !bugCase.isRace || isSequential || history.hasRace(for: bug) else { return nil }
        counted[bug, default: 0] += 1
        switch result.recording.verdict.rules.first(where: { $0.number == bug.number })?.status {
        case .failed:
            found[bug, default: 0] += 1
            return nil
        case .inconclusive:
            doubtful[bug, default: 0] += 1
            return nil
        default: return words(result, of: bugCase, "\(bug) not found")
        }
    }

    private mutating func note(_ result: StoryResult, of bugCase: BugCase) -> String? {
        plays += 1
        if result.checks.contains(where: { $0.status == .failed }) {
            alarms += 1
            return words(result, of: bugCase, "false alarm")
        }
        let open = result.checks.filter { $0.status == .inconclusive || $0.status == .incomplete }
        if !open.isEmpty { inconclusive += 1 }
        for check in open { doubts[check.id, default: 0] += 1 }
        return nil
    }

    private func words(_ result: StoryResult, of bugCase: BugCase, _ what: String) -> String {
        let findings = result.checks.filter { $0.status != .held }.compactMap(\.finding)
        return """
            \(what): \(design), \(connections), \(bugCase.id) \(bugCase.title), seed \(result.play.seed)
            \(findings.map { "  \($0)" }.joined(separator: "\n"))
            \(result.recording.evidence.lines)

            """
    }
}

extension [ProofRow] {
    /// Whether there was no false alarm, no bug was missed, and at most one schedule in a hundred was inconclusive.
    package var isProof: Bool {
        allSatisfy { $0.alarms == 0 && $0.missed == 0 && $0.inconclusive * 100 <= $0.plays }
    }

    /// A table for people.
    package var text: String {
        var lines = [Self.line(["design", "connections", "schedules", "false alarms", "inconclusive", "bugs found"])]
        for row in self {
            let total = row.counted.values.reduce(0, +)
            let found = row.found.values.reduce(0, +)
            lines.append(
                Self.line([
                    row.design.rawValue, row.connections.rawValue, "\(row.plays)", "\(row.alarms)",
                    "\(row.inconclusive)", "\(found) of \(total)",
                ])
            )
        }
        for bug in Bug.allCases {
            for row in self {
                let (counted, found) = (row.counted[bug] ?? 0, row.found[bug] ?? 0)
                guard found < counted else { continue }
                let doubtful = row.doubtful[bug] ?? 0
                lines.append(
                    "\(bug) in \(row.design), \(row.connections): found in \(found) of \(counted), "
                        + "inconclusive in \(doubtful)"
                )
            }
        }
        var doubts: [String: Int] = [:]
        for row in self { doubts.merge(row.doubts, uniquingKeysWith: +) }
        for (rule, count) in doubts.sorted(by: { $0.value > $1.value }) {
            lines.append("inconclusive \(rule): \(count)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { $0 + String(repeating: " ", count: Swift.max(1, 14 - $0.count)) }.joined()
    }
}

extension TokenHistory {
    /// Whether two requests or more were under way together when their token turned out to be dead.
    package var hasRace: Bool {
        let refused = steps.filter(\.isRefused)
        return zip(refused, refused.dropFirst()).contains { $0.overlaps($1) }
    }

    /// Whether a bug that is a race was there to be seen.
    fileprivate func hasRace(for bug: Bug) -> Bool {
        guard bug == .signedOutThoughFresh else { return hasRace }
        // It is about a refusal that comes when the tokens have been renewed already.
        guard let renewed = steps.first(where: \.isRefresh)?.end else { return false }
        return hasRace && steps.contains { $0.isRefused && $0.end.map { $0 > renewed } ?? false }
    }
}
