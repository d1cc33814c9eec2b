package import Basics
package import JSON

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
    func applied(to checks: [Judgement], of story: String) -> [Judgement] {
        guard !takesAll else { return checks.map { $0.isOpen ? $0.known : $0 } }
        let rules = entries.filter { $0.story.utf8.elementsEqual(story.utf8) }.flatMap(\.rules)
        guard !rules.isEmpty else { return checks }
        let open = checks.indices.filter { checks[$0].isOpen }
        var checks = checks
        var seen: Set<[UInt8]> = []
        for rule in rules where seen.insert(Array(rule.utf8)).inserted {
            let failing = open.filter { Self.isMeant(checks[$0].id, by: rule) }
            // What follows from a known failure is known, too.
            let following = open.filter { checks[$0].explainedBy.map { Self.isMeant($0.id, by: rule) } ?? false }
            for index in failing + following { checks[index] = checks[index].known }
            guard failing.isEmpty else { continue }
            let finding = Finding(
                .error,
                id: "baseline/no-longer-fails",
                "\(story) no longer fails \(rule), so the baseline must not list it",
                at: Place(file: file),
                advice: "remove it, or use --update-baseline"
            )
            checks.append(Judgement("\(rule) to fail, as the baseline says", for: finding))
        }
        return checks
    }

    /// A rule may be named by its number, its name, or both.
    private static func isMeant(_ id: String, by rule: String) -> Bool {
        let names = [id] + id.split(separator: " ").map(String.init)
        return names.containsExactly(rule)
    }
}

extension Judgement {
    /// The same, but it no longer fails the run.
    fileprivate var known: Judgement {
        var judgement = self
        (judgement.status, judgement.severity) = (.known, severity.map { _ in .note })
        return judgement
    }
}

/// A baseline as a file: JSON such as `{"SM-04": ["B1", "expect/count"]}`, the same in YAML, or a line such as `SM-04 B1` for each rule.
extension Baseline {
    /// Reads a file.
    ///
    /// - Throws: ``BaselineProblem`` when it cannot be read or says nothing that a baseline can say.
    package init(file path: String, files: any FileReading = DiskFiles()) throws(BaselineProblem) {
        let bytes: [UInt8]
        do {
            bytes = try files.read(path)
        } catch {
            throw BaselineProblem("the baseline \"\(path)\" cannot be read: \(error.reason)")
        }
        file = path
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        let isTree = first == UInt8(ascii: "{") || TextFormat(ofFile: path) == .yaml
        entries = try isTree ? Self.entries(json: bytes, path) : Self.entries(lines: bytes, path)
    }

    private static func entries(json bytes: [UInt8], _ path: String) throws(BaselineProblem) -> [Entry] {
        let root: JSONValue
        do {
            root = try JSONParser().parse(bytes, ofFile: path).root
        } catch {
            throw BaselineProblem("the baseline \"\(path)\" is not valid \(TextFormat(ofFile: path).name): \(error)")
        }
        var entries: [Entry] = []
        for member in root.object?.members ?? [] {
            let rules = member.value.array?.compactMap(\.string)
            guard let rules, rules.count == member.value.array?.count else {
                throw BaselineProblem(
                    "\(path):\(member.value.position.text): the story \(member.name.printable) requires a list of rules, "
                        + "such as [\"B1\", \"expect/count\"]"
                )
            }
            entries.append(Entry(story: member.name, rules: rules))
        }
        return entries
    }

    private static func entries(lines bytes: [UInt8], _ path: String) throws(BaselineProblem) -> [Entry] {
        guard let text = String(validUTF8: bytes) else {
            throw BaselineProblem("the baseline \"\(path)\" is not valid UTF-8")
        }
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let story = words.first, !story.hasPrefix("#") else { continue }
            guard words.count > 1 else {
                throw BaselineProblem(
                    "\(path):\(index + 1): a line requires a story and a rule, such as SM-04 B1, not \"\(line)\""
                )
            }
            // Both parts of a rule's name are one rule.
            entries.append(Entry(story: String(story), rules: [words.dropFirst().joined(separator: " ")]))
        }
        return entries
    }

    // MARK: Writing

    /// The baseline that would let stories pass with these results; what it says of other stories stays.
    package func updated(by results: [StoryResult]) -> Baseline {
        var updated = Baseline()
        updated.file = file
        let played = results.map(\.story.id)
        for entry in entries where !played.containsExactly(entry.story) { updated.entries.append(entry) }
        for result in results {
            var rules: [String] = []
            for check in result.play.checks where check.isCause && !rules.containsExactly(check.number) {
                rules.append(check.number)
            }
            if !rules.isEmpty { updated.entries.append(Entry(story: result.story.id, rules: rules)) }
        }
        return updated
    }

    /// How much is known, as a sentence without a closing full stop.
    package var summary: String {
        let rules = entries.reduce(0) { $0 + $1.rules.count }
        return rules == 1 ? "1 failure is known" : "\(rules) failures are known"
    }

    /// The baseline as JSON, sorted by story.
    package var json: JSONValue {
        var object = JSONObject()
        for entry in entries.sorted(by: { $0.story < $1.story }) {
            var rules = object[entry.story]?.array ?? []
            rules += entry.rules.map(JSONValue.string)
            object[entry.story] = .array(rules)
        }
        return .object(object)
    }
}

/// Why a baseline cannot be used.
package struct BaselineProblem: Error, Hashable {
    /// What was found and what would be right, without a closing full stop.
    package var sentence: String

    init(_ sentence: String) {
        self.sentence = sentence
    }
}
