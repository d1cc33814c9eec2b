import Basics

/// Failures that are known, by story: they pass until they no longer fail.
package struct Baseline: Sendable {
    /// A story, and the rules that it is known to fail.
    package struct Entry: Sendable, Hashable {
        package var story: String
        package var rules: [String]

        package init(story: String, rules: [String]) {
            self.story = story
            self.rules = rules
        }
    }

    /// In the order of the file.
    package var entries: [Entry] = []
    /// The file that it was read from, as the user would write it.
    package var file: String?
    /// Whether whatever fails becomes known, as while a baseline is made.
    package var takesAll = false

    package init() {}

    /// A baseline without entries, for a file that is yet to be written.
    package init(newFile path: String) {
        file = path
    }

    /// The checks with those marked that were known to fail, and one more for each entry that no longer fails.
    func applied(to checks: [StoryCheck], of story: String) -> [StoryCheck] {
        guard !takesAll else { return checks.map { $0.isOpen ? $0.known : $0 } }
        let rules = entries.filter { $0.story.utf8.elementsEqual(story.utf8) }.flatMap(\.rules)
        guard !rules.isEmpty else { return checks }
        var checks = checks
        var seen: Set<[UInt8]> = []
        for rule in rules where seen.insert(Array(rule.utf8)).inserted {
            let known = checks.indices.filter { checks[$0].isOpen && Self.isMeant(checks[$0].id, by: rule) }
            for index in known { checks[index] = checks[index].known }
            guard known.isEmpty else { continue }
            let finding = Finding(
                .error,
                id: "baseline/no-longer-fails",
                "\(story) no longer fails \(rule), so it must not stay in the baseline",
                at: Place(file: file),
                advice: "take it out, or let --update-baseline do so"
            )
            checks.append(StoryCheck("\(rule) to fail, as the baseline says", for: finding))
        }
        return checks
    }

    /// A rule may be named by its number, its name, or both.
    private static func isMeant(_ id: String, by rule: String) -> Bool {
        let names = [id] + id.split(separator: " ").map(String.init)
        return names.containsExactly(rule)
    }
}

extension StoryCheck {
    /// The same, failing nobody any more.
    fileprivate var known: StoryCheck {
        var check = self
        check.status = .known
        for index in check.findings.indices { check.findings[index].severity = .note }
        return check
    }
}
