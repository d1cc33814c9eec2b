import Rules

@testable import ReferenceClients

extension Matrix {
    /// The matrix for people: bugs down, clients across.
    var text: String {
        ([Self.introduction, table] + [others, raceless, correctText].filter { !$0.isEmpty })
            .joined(separator: "\n\n") + "\n"
    }

    private static let introduction = """
        Five clients with each class of bug switched on, each by \(schedules.count) seeded schedules: in how many of
        those that count the bug was found by its own rule.
        """

    private var table: String {
        let designs = ClientDesign.allCases
        let head = Self.columns([""] + designs.map(\.description))
        let rows = AllRules.list.map { rule in
            let profile = rule.profile
            let bug = Bug.allCases.first { $0.number == profile.number }
            let cells = designs.map { design in
                guard let cell = bug.flatMap({ self[$0, design] }) else { return "-" }
                return "\(cell.caught)/\(cell.counted)"
            }
            return Self.columns([profile.id] + cells)
        }
        return ([head] + rows).joined(separator: "\n")
    }

    private var others: String {
        var lines: [String] = []
        for cell in cells {
            for number in cell.otherNumbers {
                let hit = DeclaredHit.all.first { $0.bug == cell.bug && $0.rule == number }
                let reason = hit.map(\.reason) ?? "NOT DECLARED"
                lines.append(
                    "\(cell.bug) in \(cell.design): \(number) in \(cell.others[number] ?? 0)/\(cell.counted), \(reason)"
                )
            }
        }
        return lines.isEmpty ? "" : (["Hits of other rules:"] + lines).joined(separator: "\n")
    }

    private var raceless: String {
        let lines = cells.filter { $0.raceless > 0 }.map { cell in
            "\(cell.bug) in \(cell.design): \(cell.raceless)"
        }
        guard !lines.isEmpty else { return "" }
        return (["Schedules that do not count, because no two requests met the dead token together:"] + lines)
            .joined(separator: "\n")
    }

    private var correctText: String {
        let lines = correct.map { row in
            "\(row.design): \(row.plays) schedules, \(row.races) with a race, \(row.raceless) where it did not take place, "
                + "\(row.alarms.count) false alarms"
        }
        return (["The same clients without bugs, in all of these scenes:"] + lines).joined(separator: "\n")
    }

    private static func columns(_ texts: [String]) -> String {
        var line = ""
        for (index, text) in texts.enumerated() {
            let width = index == 0 ? 34 : 13
            line += text + String(repeating: " ", count: max(1, width - text.count))
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
