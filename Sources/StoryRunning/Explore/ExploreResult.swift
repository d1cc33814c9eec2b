import Basics
import HTTPCodec
package import JSON
package import Reports
import Rules
import Simulation

/// What an exploration has found.
package struct ExploreResult: Sendable {
    /// A violation, and the story that shows it.
    package struct Found: Sendable {
        package var violation: ExploreOutcome.Violation
        /// With no more parts than the violation needs.
        package var perturbation: Perturbation
        /// The story, and its file's name without an ending; `nil` where other places have a file already.
        package var text: String?
        package var name = ""
        /// Whether the story has shown it again.
        package var isConfirmed = false
        /// The seed that the story has to be run with; its own when `nil`.
        package var seed: UInt64?
        /// Other runs with the same violation at the same route.
        package var others: [String] = []

        init(_ violation: ExploreOutcome.Violation, _ perturbation: Perturbation) {
            (self.violation, self.perturbation) = (violation, perturbation)
        }
    }

    package let base: ExploreBase
    /// The exchanges of the ordinary run that every run has.
    package internal(set) var steps: [ExploredStep]
    /// Which of them belong together.
    var waves: ExploredWaves
    /// How two ordinary runs differ; `nil` where they do not.
    package internal(set) var difference: String?
    /// How the ordinary run ended, where that was not as it should.
    var complaint: String?
    /// Why nothing about tokens could be tried.
    package internal(set) var obstacle: String?
    /// Every run in the order of the plan, the ordinary one first.
    package internal(set) var runs: [(perturbation: Perturbation, outcome: ExploreOutcome)] = []
    package internal(set) var found: [Found] = []
    /// How many times the client was run.
    package internal(set) var plays = 0
    /// How many runs of the plan there was no room for.
    package internal(set) var leftOut = 0
    /// Whether the budget or an interrupt ended it.
    package internal(set) var isStopped: Bool
    /// The routes that the ordinary run was answered by with success.
    var successes: Set<String> = []
    /// What the ordinary run sent.
    var ordinary: SentRequests?

    init(_ base: ExploreBase, _ steps: [ExploredStep], stopped: Bool) {
        (self.base, self.steps, isStopped) = (base, steps, stopped)
        waves = ExploredWaves(count: steps.count)
    }

    mutating func note(_ perturbation: Perturbation, of violation: ExploreOutcome.Violation) {
        guard let index = found.firstIndex(where: { $0.violation.key == violation.key }) else { return }
        found[index].others.append(perturbation.title)
    }

    static func successes(in recording: Recording) -> Set<String> {
        Set(recording.evidence.exchanges.filter { 200..<300 ~= $0.response.status.code }.compactMap(\.route))
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
        lines.append(closing)
        return lines
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
            lines.append("ordinary run: \(Self.facts(ordinary)), \(ordinary.cell)")
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
            base.story ?? FilePath.name(of: base.file),
            columns: kinds.map(\.rawValue),
            rows: rows,
            whole: whole.map { ExplorationMap.Row($0.perturbation.title, [Self.cell([$0])]) }
        )
    }

    private struct MapPlace: Hashable {
        var kind: Perturbation.Kind
        var address: ExchangeAddress?
    }

    /// What several runs have shown at one place, the worst of them first.
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
        if !found.others.isEmpty {
            let more = found.others.count > 2 ? " and \(found.others.count - 2) more" : ""
            lines.append("    also: \(found.others.prefix(2).joined(separator: "; "))\(more)")
        }
        if let advice = found.violation.advice { lines.append("    what to do: \(advice.printable)") }
        guard found.text != nil else { return lines }
        if !found.isConfirmed {
            lines.append("    it did not show when the story was run again, so it depends on more than the story says")
        }
        if let command {
            var words = ["backlot", "run", base.path(found.name)]
            if let seed = found.seed { words += ["--seed", "\(seed)"] }
            lines.append("    again: \((words + ["--"]).map(\.shellWord).joined(separator: " ")) \(command.shellLine)")
        } else {
            lines.append("    story: \(found.name).json" + (found.seed.map { ", seed \($0)" } ?? ""))
        }
        return lines
    }

    /// What is worth knowing and fails nothing.
    package var remarks: [String] {
        let end = complaint.map {
            "the client ended its ordinary run with \($0); what it would have done after that is not explored"
        }
        var remarks = [end, difference, obstacle].compactMap { $0 }
        let lifetimes = runs.filter { $0.perturbation.kind == .lifetime }
        if let most = lifetimes.max(by: { $0.outcome.refreshes < $1.outcome.refreshes }),
            let least = lifetimes.min(by: { $0.outcome.refreshes < $1.outcome.refreshes }),
            most.outcome.refreshes > least.outcome.refreshes + 1
        {
            remarks.append(
                "with access tokens of \(most.perturbation.detail) there were \(most.outcome.refreshes) refreshes, with "
                    + "\(least.perturbation.detail) \(least.outcome.refreshes): what a client does ahead of a token's "
                    + "end must fit into its lifetime"
            )
        }
        let quiet = runs.count { !$0.outcome.isReached }
        if quiet > 0 {
            remarks.append(
                quiet == 1
                    ? "in 1 run the client did not reach what was to go wrong"
                    : "in \(quiet) runs the client did not reach what was to go wrong"
            )
        }
        return remarks
    }

    /// How much was done, without a closing full stop.
    package var closing: String {
        let violations = Set(found.map(\.violation.rule)).count
        var parts = [
            "\(plural(steps.count, "exchange")) explored in \(plays) runs",
            violations == 0 ? "nothing found" : violations == 1 ? "1 rule violated" : "\(violations) rules violated",
        ]
        let unclear = runs.count { $0.outcome.word == "unclear" }
        if unclear > 0 { parts.append("\(unclear) undecided") }
        if leftOut > 0 { parts.append(leftOut == 1 ? "1 run left out" : "\(leftOut) runs left out") }
        if isStopped { parts.append("stopped before the end") }
        return parts.joined(separator: ", ")
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
        object["leftOut"] = .number(JSONNumber(leftOut))
        object["found"] = .array(
            found.map { found in
                var told: JSONObject = [
                    "rule": .string(found.violation.rule), "route": .string(found.violation.route),
                    "message": .string(found.violation.message), "confirmed": .bool(found.isConfirmed),
                ]
                if found.text != nil { told["file"] = .string(found.name + ".json") }
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

    /// Writes the stories into the folder of the base.
    ///
    /// - Returns: what could not be written and why, as a sentence; `nil` when all were.
    package func writeStories() -> String? {
        var problem: String?
        for found in found {
            guard let text = found.text else { continue }
            let path = base.path(found.name)
            do throws(FileProblem) {
                try DiskFiles().write(Array(text.utf8), to: path)
            } catch {
                problem = "\"\(path)\" cannot be written: \(error.reason)"
            }
        }
        return problem
    }

    /// The runs for every kind of report: a check for each, and a violation where it showed first.
    package var report: Report {
        var report = Report(title: "explore")
        var seen = Set<ExploreOutcome.Violation.Key>()
        for (perturbation, outcome) in runs {
            let new = outcome.violations.filter { seen.insert($0.key).inserted }
            let findings = new.map { violation in
                Finding(
                    .error,
                    id: violation.rule.split(separator: " ").joined(separator: "/"),
                    violation.message,
                    at: Place(file: base.file, operation: violation.route.isEmpty ? nil : violation.route),
                    advice: violation.advice
                )
            }
            let known = outcome.violations.isEmpty ? outcome.word : "\(outcome.cell), as in another run"
            report.checks.append(
                Report.Check(
                    group: base.story ?? FilePath.name(of: base.file),
                    name: perturbation.title,
                    findings: findings,
                    skipped: findings.isEmpty && outcome.word != "held" ? known : nil,
                    place: Place(file: base.file)
                )
            )
        }
        report.maps = [map]
        report.summary = remarks + [closing]
        return report
    }
}
