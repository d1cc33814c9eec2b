package import Basics
import Checking
import CommandLineInterface
import Guides
import JSON
import Reports
import Rules
import ScenarioFormat

/// Looks up explanations by id, in every namespace: rules, findings, objects and keys of the format, exit codes.
package struct Explanations: Sendable {
    /// The stories of the project by the rules that they play; empty without a project.
    private let stories: [RuleName: [Explanation.Story]]

    /// Reads stories; a folder without stories, or with broken ones, has none that could be shown.
    ///
    /// - Parameter paths: files and folders; the `Scenarios` folder of the project when empty.
    package init(storiesIn paths: [String] = [], files: any FileReading) {
        var stories: [RuleName: [Explanation.Story]] = [:]
        for row in ((try? StoryCatalog(paths, files: files))?.tables ?? []).flatMap(\.rows) {
            let story = Explanation.Story(id: row.id, title: row.title, file: row.link)
            for rule in row.bugClasses.compactMap({ RuleName($0) }) { stories[rule, default: []].append(story) }
        }
        self.stories = stories
    }

    /// Every id, without the keys' longer spellings: rules by number and name, findings, exit codes, objects and keys.
    package static let ids: [String] =
        (RuleName.allCases.flatMap { [$0.number, $0.name] } + FindingKind.all.map(\.id)
        + ExitCode.all.map { "\($0.code.rawValue)" } + FormatEntry.all.map(\.name)).unique

    /// The explanations of an id, in the order of the namespaces; empty for an unknown one.
    package func all(of id: String) -> [Explanation] {
        let rule = RuleName(id.replacingSlash) ?? RuleName(id.uppercased())
        let code = ExitCode.all.first { "\($0.code.rawValue)".exact == id.exact }
        var found = [rule.flatMap(explanation)].compactMap { $0 }
        found += FindingKind.all.filter { $0.covers(id) || $0.id.exact == id.exact }.map(explanation)
        found += FormatEntry.all.filter { $0.spellings.contains(id.exact) }.map(explanation)
        if let code { found.append(explanation(code.code, code.meaning, code.advice)) }
        return found
    }

    /// The correction of an unknown id, as a sentence without a closing full stop.
    package func advice(for id: String) -> String {
        let group = FindingKind.all.filter { $0.id.utf8.starts(with: "\(id)/".utf8) }.map(\.id)
        if !group.isEmpty { return "use \(group.joined(lastBy: "or"))" }
        let names = Self.ids + FormatEntry.all.flatMap { $0.spellings.dropFirst() }
        // The last part of a finding's id may be all that a reader remembers.
        let parts = FindingKind.all.filter { $0.id.utf8.drop { $0 != 0x2F }.elementsEqual("/\(id)".utf8) }.map(\.id)
        if !parts.isEmpty { return "use \(parts.joined(lastBy: "or"))" }
        if let word = FormatEntry.advice(forForeignWord: id) { return word }
        return Suggestion.nearest(to: id, among: names).map { "did you mean \"\($0)\"?" }
            ?? "backlot help findings lists the findings, backlot help rules the rules, and backlot schema --reference the keys"
    }
}

extension Explanations {
    private func explanation(_ rule: RuleName) -> Explanation? {
        guard let profile = AllRules.list.first(where: { $0.profile.rule == rule })?.profile,
            let mistake = Guide.all.first(where: { $0.name == "rules" })?.lastCell(ofRow: rule.number)
        else { return nil }
        let stories = stories[rule] ?? []
        return Explanation(
            id: rule.rawValue,
            kind: .rule,
            meaning: mistake,
            reason: profile.reason,
            fix: profile.advice,
            source: profile.source,
            stories: stories,
            command: stories.first.map { "backlot run \($0.file) -- COMMAND" } ?? "backlot explore BACKEND -- COMMAND"
        )
    }

    private func explanation(_ kind: FindingKind) -> Explanation {
        let group = FindingGroup.covering(kind)
        return Explanation(
            id: kind.id,
            kind: .finding,
            meaning: kind.sentence.withoutStop,
            reason: group?.reason,
            fix: group?.fix,
            facts: [("severity", kind.severities.joined(lastBy: "or"))],
            source: "Sources/\(kind.file)",
            command: "backlot \(group?.command ?? "check")"
        )
    }

    private func explanation(_ entry: FormatEntry) -> Explanation {
        let facts = [
            ("objects", entry.objects.joined(separator: ", ")),
            ("value", entry.value),
            ("default", entry.isRequired ? "none; the key is required" : entry.fallback ?? ""),
            ("keys", entry.keys.joined(separator: ", ")),
            ("example", entry.example.map { "\"\(entry.name)\": \($0.text(.compact))" } ?? ""),
        ]
        return Explanation(
            id: entry.objects.count == 1 ? "\(entry.objects[0]).\(entry.name)" : entry.name,
            kind: entry.objects.isEmpty ? .object : .key,
            meaning: entry.meaning.withoutStop,
            facts: facts.filter { !$0.1.isEmpty }.map { (name: $0.0, text: $0.1) },
            source: "the format's reference (backlot schema --reference)",
            command: "backlot check SCENARIO"
        )
    }

    private func explanation(_ code: ExitCode, _ meaning: String, _ advice: String) -> Explanation {
        Explanation(
            id: "\(code.rawValue)",
            kind: .exitCode,
            meaning: meaning,
            fix: advice,
            source: "backlot help exit-codes",
            command: "backlot check; echo $?"
        )
    }
}

extension Guide {
    /// The last cell of the row that begins with a word, in any of the page's tables; `nil` without such a row.
    fileprivate func lastCell(ofRow word: String) -> String? {
        let row = markdown.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: "| \(word) ".utf8) }
        let cells = row.map(Substring.init)?.split(separator: "|").map { $0.trimming { $0 == " " } }
        return cells?.last { !$0.isEmpty }.map(String.init)
    }
}

extension String {
    /// `B2/refresh-storm`, as reports write it, is `B2 refresh-storm`.
    fileprivate var replacingSlash: String {
        let parts = split(separator: "/", maxSplits: 1)
        return parts.count == 2 && RuleName(String(parts[0])) != nil ? "\(parts[0]) \(parts[1])" : self
    }

    fileprivate var withoutStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
