package import Basics
import HTTPCodec
package import JSON
package import Reports
import Rules
import Simulation

/// The result of an exploration.
package struct ExploreResult: Sendable {
    /// A violation, and the story that shows it.
    package struct Found: Sendable {
        package var violation: ExploreOutcome.Violation
        /// With no more parts than the violation needs.
        package var perturbation: Perturbation
        /// The story, and its file's name without an ending; `nil` where other places have a file already.
        package var text: String?
        package var name = ""
        /// A Boolean value that indicates whether the story has shown it again.
        package var isConfirmed = false
        /// The seed that the story has to be run with; its own when `nil`.
        package var seed: UInt64?
        /// Other runs with the same violation at the same route.
        package var others: [String] = []
        /// The name of the story's file; `nil` where it has none.
        package var file: String? { text == nil ? nil : name + ".json" }

        init(_ violation: ExploreOutcome.Violation, _ perturbation: Perturbation) {
            (self.violation, self.perturbation) = (violation, perturbation)
        }

        /// Takes the story of another violation.
        mutating func take(_ other: Found) {
            (perturbation, name, text) = (other.perturbation, other.name, other.text)
            (isConfirmed, seed) = (other.isConfirmed, other.seed)
        }
    }

    /// The number of runs by their outcome; each run is one check of a report.
    package struct Counts: Sendable, Hashable {
        package var passed = 0
        /// A rule was violated, or the client itself did something wrong.
        package var failed = 0
        /// A rule could not be decided, and none was violated.
        package var undecided = 0
        /// The client did not come to what was to go wrong.
        package var notReached = 0
        /// The ordinary run, where nothing else was tried.
        package var idle = 0

        package var runs: Int { passed + failed + skipped }
        package var skipped: Int { undecided + notReached + idle }
    }

    package let base: ExploreBase
    /// The exchanges of the ordinary run that every run has.
    package internal(set) var steps: [ExploredStep]
    /// Which of them belong together.
    var waves: ExploredWaves
    /// The difference between two ordinary runs; `nil` if they are equal.
    package internal(set) var difference: String?
    /// The end of the ordinary run, if it was not as expected.
    var complaint: String?
    /// The reason that the lack of violations shows nothing; `nil` if it does.
    ///
    /// See ``ExploreObstacle``.
    package internal(set) var obstacle: Finding?
    /// Every run in the order of the plan, the ordinary one first.
    package internal(set) var runs: [(perturbation: Perturbation, outcome: ExploreOutcome)] = []
    package internal(set) var found: [Found] = []
    /// The number of times that the client was run: once for each of the ``runs``, and to compare and to confirm.
    package internal(set) var plays = 0
    /// The number of planned runs that were not made.
    package private(set) var leftOut = 0
    /// The reasons for that; each once.
    private var reasons: [String] = []
    /// A Boolean value that indicates whether the budget or an interrupt ended it.
    package internal(set) var isStopped: Bool
    /// The routes that the ordinary run was answered by with success.
    var successes: Set<String> = []
    /// The requests of the ordinary run.
    var ordinary: SentRequests?

    init(_ base: ExploreBase, _ steps: [ExploredStep], stopped: Bool) {
        (self.base, self.steps, isStopped) = (base, steps, stopped)
        waves = ExploredWaves(count: steps.count)
    }

    mutating func leaveOut(_ count: Int, because reason: String) {
        leftOut += count
        if count > 0, !reasons.contains(reason) { reasons.append(reason) }
    }

    /// A Boolean value that indicates whether nothing was tried after the ordinary run.
    private var isIdle: Bool { obstacle != nil && runs.count == 1 }

    package var counts: Counts {
        runs.reduce(into: Counts()) { counts, run in
            switch run.outcome.word {
            case "held" where isIdle: counts.idle += 1
            case "violation": counts.failed += 1
            case "held": counts.passed += 1
            case "unclear": counts.undecided += 1
            default: counts.notReached += 1
            }
        }
    }

    mutating func note(_ perturbation: Perturbation, of violation: ExploreOutcome.Violation) {
        guard let index = found.firstIndex(where: { $0.violation.key == violation.key }) else { return }
        found[index].others.append(perturbation.title)
    }

    static func successes(in recording: Recording) -> Set<String> {
        Set(recording.evidence.exchanges.filter { 200..<300 ~= $0.status.code }.compactMap(\.route))
    }
}

// MARK: - As text

extension ExploreResult {
    /// The table, what was found, and how much was done.
    ///
    /// - Parameter command: the client's command, for the line that runs a story again; `nil` in a test.
    package func lines(_ command: ClientCommand? = nil) -> [String] {
        var lines = table
        let whole = runs.filter { $0.perturbation.place == nil && $0.perturbation.kind != .ordinary }
        for (perturbation, outcome) in whole {
            lines.append("  \(outcome.cell.padded(10))\(perturbation.title) (\(Self.facts(outcome)))")
        }
        lines += remarks.map { "  note      \($0)" }
        for found in found { lines += Self.lines(found, base, command) }
        lines += undecided
        if found.isEmpty, let obstacle {
            lines.append("✗ nothing was tried: \(obstacle.message.printable)")
            if let advice = obstacle.advice { lines.append("    what to do: \(advice.printable)") }
        }
        lines.append(closing)
        return lines
    }

    /// The runs that could not be decided, a line for each reason.
    private var undecided: [String] {
        runs.filter { $0.outcome.word == "unclear" }.grouped { $0.outcome.unclear.joined(lastBy: "and") }.map {
            "? not decided because of \($0): \(Self.list($1.map(\.perturbation.title)))"
        }
    }

    /// The first two of several runs.
    private static func list(_ titles: [String]) -> String {
        titles.prefix(2).joined(separator: "; ") + (titles.count > 2 ? " and \(titles.count - 2) more" : "")
    }

    private static func facts(_ outcome: ExploreOutcome) -> String {
        let refreshes = outcome.refreshes == 1 ? "1 refresh" : "\(outcome.refreshes) refreshes"
        return "\(plural(outcome.exchanges, "exchange")), \(refreshes)"
    }

    /// A row for each exchange, a column for each kind of perturbation.
    private var table: [String] {
        let map = map
        let width = (map.rows.map(\.name.utf8.count).max() ?? 0) + 2
        var lines: [String] = []
        if let ordinary = runs.first?.outcome {
            let outcome = isIdle && ordinary.violations.isEmpty ? "" : ", \(ordinary.cell)"
            lines.append("ordinary run: \(Self.facts(ordinary))\(outcome)")
        }
        guard !map.columns.isEmpty else { return lines }
        let widths = map.columns.indices.map { column in
            2
                + ([map.columns[column]] + map.rows.map { $0.cells[column].text }).map(\.unicodeScalars.count).reduce(
                    0,
                    max
                )
        }
        let heading = zip(map.columns, widths).map { $0.padded($1) }.joined()
        lines.append((String(repeating: " ", count: width + 4) + heading).trimmedEnd)
        for (index, row) in map.rows.enumerated() {
            let cells = zip(row.cells, widths).map { $0.text.padded($1) }.joined()
            lines.append(("\(index + 1)".padded(4) + row.name.padded(width) + cells).trimmedEnd)
        }
        return lines
    }

    /// A row for each exchange, a column for each kind of perturbation, and what was about the whole run.
    package var map: ExplorationMap {
        let places = Dictionary(grouping: runs) {
            MapPlace(kind: $0.perturbation.kind, address: $0.perturbation.place)
        }
        let kinds = Perturbation.Kind.allCases.filter { kind in
            places.keys.contains { $0.kind == kind && $0.address != nil }
        }
        let rows = steps.map { step in
            ExplorationMap.Row(
                step.address.text,
                kinds.map { Self.cell(places[MapPlace(kind: $0, address: step.address)] ?? []) }
            )
        }
        let whole = runs.filter { $0.perturbation.place == nil }
        return ExplorationMap(
            base.title,
            columns: kinds.map(\.rawValue),
            rows: rows,
            whole: whole.map { ExplorationMap.Row($0.perturbation.title, [Self.cell([$0])]) }
        )
    }

    private struct MapPlace: Hashable {
        var kind: Perturbation.Kind
        var address: ExchangeAddress?
    }

    /// The outcomes of several runs at one place, the worst first.
    private static func cell(
        _ runs: [(perturbation: Perturbation, outcome: ExploreOutcome)]
    ) -> ExplorationMap.Cell {
        guard !runs.isEmpty else { return ExplorationMap.Cell(.untried, "", runs: []) }
        let told = runs.map { "\($0.perturbation.title): \($0.outcome.cell)" }
        let outcomes = runs.map(\.outcome)
        let violations = outcomes.filter { !$0.violations.isEmpty }
        guard violations.isEmpty else {
            var numbers: [String] = []
            for number in violations.flatMap({ $0.cell.split(separator: " ").map(String.init) })
            where !numbers.contains(number) {
                numbers.append(number)
            }
            let text = numbers.count > 2 ? "\(numbers[0]) …" : numbers.joined(separator: " ")
            return ExplorationMap.Cell(.violation, text, runs: told)
        }
        if outcomes.contains(where: { $0.word == "unclear" }) { return ExplorationMap.Cell(.unclear, "?", runs: told) }
        return outcomes.contains { $0.isReached }
            ? ExplorationMap.Cell(.held, "ok", runs: told) : ExplorationMap.Cell(.notReached, "–", runs: told)
    }

    private static func lines(_ found: Found, _ base: ExploreBase, _ command: ClientCommand?) -> [String] {
        let route = found.violation.route.isEmpty ? "" : " at \(found.violation.route)"
        var lines = ["✗ \(found.violation.rule)\(route): \(found.violation.message.printable)"]
        lines.append("    when: \(found.perturbation.title)")
        lines += found.violation.consequences.map { "    \($0.printable)" }
        if !found.others.isEmpty { lines.append("    also: \(list(found.others))") }
        if let advice = found.violation.advice { lines.append("    what to do: \(advice.printable)") }
        guard let file = found.file else { return lines }
        if !found.isConfirmed {
            lines.append(
                "    the violation did not occur when the story was run again, so it does not depend on the story alone"
            )
        }
        if let command {
            var words = ["backlot", "run", base.path(found.name)]
            if let seed = found.seed { words += ["--seed", "\(seed)"] }
            words += base.configuration.options
            let line = words.map(\.shellWord) + command.options + ["--", command.shellLine]
            lines.append("    again: \(line.joined(separator: " "))")
        } else {
            lines.append("    story: \(file)" + (found.seed.map { ", seed \($0)" } ?? ""))
        }
        return lines
    }

    /// The remarks that do not fail the exploration.
    package var remarks: [String] {
        let end = complaint.map {
            "in the run without failures, the client ended with \($0); its further behavior is not explored"
        }
        var remarks = [end, difference].compactMap { $0 }
        let roles = TokenRoles(base.scenario)
        if obstacle == nil, !roles.kinds.contains(where: { $0.role == .refresh }) || roles.wantedByRefreshes.isEmpty {
            remarks.append("\(base.file) contains no route that accepts a refresh token, so no refresh was disturbed")
        }
        if obstacle != nil, let obstacle, !found.isEmpty {
            remarks.append("nothing else was tried: \(obstacle.message)")
        }
        let lifetimes = runs.filter { $0.perturbation.kind == .lifetime }
        if let most = lifetimes.max(by: { $0.outcome.refreshes < $1.outcome.refreshes }),
            let least = lifetimes.min(by: { $0.outcome.refreshes < $1.outcome.refreshes }),
            most.outcome.refreshes > least.outcome.refreshes + 1
        {
            remarks.append(
                "access tokens of \(most.perturbation.detail) caused \(most.outcome.refreshes) refreshes, and access "
                    + "tokens of \(least.perturbation.detail) caused \(least.outcome.refreshes); a client's "
                    + "renewal margin must be shorter than the token's lifetime"
            )
        }
        return remarks
    }

    /// The summary of all reports, without a closing full stop.
    package var closing: String {
        let counts = counts
        let rules = Set(found.map(\.violation.rule)).count
        var skipped = ""
        if counts.skipped > 0 {
            let all = [
                (counts.undecided, "undecided"), (counts.notReached, "not reached"),
                (counts.idle, "nothing to disturb"),
            ]
            let reasons = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            skipped = ", \(counts.skipped) skipped (\(reasons.joined(separator: ", ")))"
        }
        var parts = [
            "\(plural(steps.count, "exchange")) explored in \(plural(counts.runs, "run")): "
                + "\(counts.passed) passed, \(counts.failed) failed\(skipped)",
            found.isEmpty
                ? obstacle == nil ? "nothing found" : "nothing tried"
                : "\(plural(found.count, "error")) about \(plural(rules, "rule"))",
        ]
        let further = plays - counts.runs
        let purpose = found.isEmpty ? "to compare" : "to compare and to confirm"
        if further > 0 { parts.append("\(plural(further, "further run")) \(purpose)") }
        if leftOut > 0 {
            parts.append("\(plural(leftOut, "run")) left out, because \(reasons.joined(separator: " and "))")
        } else if isStopped {
            parts.append("stopped before the end")
        }
        return parts.joined(separator: "; ")
    }
}

extension String {
    /// With spaces at its end, one at least.
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(1, width - unicodeScalars.count))
    }

    fileprivate var trimmedEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

// MARK: - For other readers

extension ExploreResult {
    /// The exchange × perturbation × outcome table, and the stories.
    package var json: JSONObject {
        var object = JSONObject()
        object["base"] = .string(base.file)
        object["exchanges"] = .array(
            steps.map { ["route": .string($0.address.route), "count": .number(JSONNumber($0.address.count))] }
        )
        if let difference { object["difference"] = .string(difference) }
        let counts = counts
        object["counts"] = [
            "runs": .number(JSONNumber(counts.runs)), "passed": .number(JSONNumber(counts.passed)),
            "failed": .number(JSONNumber(counts.failed)), "skipped": .number(JSONNumber(counts.skipped)),
            "undecided": .number(JSONNumber(counts.undecided)), "notReached": .number(JSONNumber(counts.notReached)),
            "leftOut": .number(JSONNumber(leftOut)), "errors": .number(JSONNumber(found.count)),
        ]
        if found.isEmpty, let obstacle { object["nothingTried"] = .string(obstacle.message) }
        object["found"] = .array(
            found.map { found in
                var told: JSONObject = [
                    "rule": .string(found.violation.rule), "route": .string(found.violation.route),
                    "message": .string(found.violation.message), "confirmed": .bool(found.isConfirmed),
                ]
                told["file"] = found.file.map(JSONValue.string)
                if let seed = found.seed { told["seed"] = .number(JSONNumber(Int(clamping: seed))) }
                return .object(told)
            }
        )
        var all = JSONObject()
        for (perturbation, outcome) in runs {
            var told = outcome.json.object ?? JSONObject()
            told["perturbation"] = .string(perturbation.kind.rawValue)
            if !perturbation.detail.isEmpty { told["detail"] = .string(perturbation.detail) }
            if let place = perturbation.place { told["before"] = .string(place.text) }
            all[perturbation.slug] = .object(told)
        }
        object["runs"] = .object(all)
        return object
    }

    /// The file next to the stories that has the whole table.
    package static let recordName = "explore.json"

    /// Returns whether a file is such a table.
    static func isRecord(_ path: String, _ files: any FileReading) -> Bool {
        guard let root = try? JSONParser().parse(files.read(path)).root else { return false }
        return root["fingerprint"] != nil && root["runs"]?.object != nil
    }

    /// Writes the stories into the folder of the base.
    ///
    /// - Returns: what could not be written and why, as a sentence; `nil` when all were.
    package func writeStories() -> String? {
        var problem: String?
        var written: Set<String> = []
        for found in found {
            guard let text = found.text, written.insert(found.name).inserted else { continue }
            let path = base.path(found.name)
            do throws(FileProblem) {
                try DiskFiles().write(Array(text.utf8), to: path)
            } catch {
                problem = "\"\(path)\" cannot be written: \(error.reason)"
            }
        }
        return problem
    }

    /// The runs for every kind of report: a check for each, which fails where a rule was violated, and a finding for each
    /// rule and route, in the run that showed it first.
    package var report: Report {
        var report = Report(title: "explore")
        let obstacle = found.isEmpty ? obstacle : nil
        if let obstacle { report.findings = [obstacle] }
        let file = Place(file: base.file)
        var seen = Set<ExploreOutcome.Violation.Key>()
        for (perturbation, outcome) in runs {
            var check = Report.Check(group: base.title, name: perturbation.title, place: file)
            for violation in outcome.violations {
                let finding = Finding(
                    .error,
                    id: violation.rule.split(separator: " ").joined(separator: "/"),
                    violation.message,
                    at: Place(file: base.file, operation: violation.route.isEmpty ? nil : violation.route),
                    advice: violation.advice,
                    related: violation.consequences.map { RelatedPlace(file, $0) }
                )
                if seen.insert(violation.key).inserted {
                    check.findings.append(finding)
                } else {
                    check.repeated.append(finding)
                }
            }
            switch outcome.word {
            case "unclear": check.skipped = "undecided: \(outcome.unclear.joined(lastBy: "and"))"
            case "not reached": check.skipped = "the client did not reach the injected failure"
            case "held" where isIdle: check.skipped = "the run contained nothing to disturb"
            default: break
            }
            report.checks.append(check)
        }
        report.maps = [map]
        report.summary = remarks + [closing]
        return report
    }
}
