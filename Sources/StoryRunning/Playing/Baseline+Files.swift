package import Basics
package import JSON

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
                    "\(path):\(member.value.position.text): the story \(member.name.printable) wants a list of rules, "
                        + "such as [\"B1\", \"expect/count\"]"
                )
            }
            entries.append(Entry(story: member.name, rules: rules))
        }
        return entries
    }

    private static func entries(lines bytes: [UInt8], _ path: String) throws(BaselineProblem) -> [Entry] {
        guard let text = String(validUTF8: bytes) else {
            throw BaselineProblem("the baseline \"\(path)\" is no text in UTF-8")
        }
        var entries: [Entry] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard let story = words.first, !story.hasPrefix("#") else { continue }
            guard words.count > 1 else {
                throw BaselineProblem(
                    "\(path):\(index + 1): a line wants a story and a rule, such as SM-04 B1, not \"\(line)\""
                )
            }
            // Both parts of a rule's name are one rule.
            entries.append(Entry(story: String(story), rules: [words.dropFirst().joined(separator: " ")]))
        }
        return entries
    }

    // MARK: Writing

    /// The baseline that would let stories pass as they are; what it says of other stories stays.
    package func updated(by results: [StoryResult]) -> Baseline {
        var updated = Baseline()
        updated.file = file
        let played = results.map(\.story.id)
        for entry in entries where !played.containsExactly(entry.story) { updated.entries.append(entry) }
        for result in results {
            var rules: [String] = []
            for check in result.play.checks where check.isOpen && !rules.containsExactly(check.baselineRule) {
                rules.append(check.baselineRule)
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

extension StoryCheck {
    /// How a baseline names it: a rule by its number.
    fileprivate var baselineRule: String {
        reason == nil ? id : id.split(separator: " ").first.map(String.init) ?? id
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
