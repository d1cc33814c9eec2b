package import Basics
package import JSON

/// Failures that are known, by the story or the operation that has them: they pass until they no longer fail.
package struct Baseline: Sendable {
    /// A story or an operation, and the rules that it is known to fail.
    package struct Entry: Sendable, Hashable {
        /// The id of a story, or an operation such as `GET /pets/{id}`.
        package var subject: String
        /// Rules by number or name, and the ids of other findings, such as `expect/count`.
        package var rules: [String]

        package init(_ subject: String, _ rules: [String]) {
            (self.subject, self.rules) = (subject, rules)
        }
    }

    /// In the order of the file.
    package var entries: [Entry] = []
    /// The file that it was read from, as the user would write it.
    package var file: String?
    /// A Boolean value that indicates whether every failure becomes known, as while a baseline is made.
    package var takesAll = false

    package init() {}

    /// A baseline without entries, for a file that is yet to be written.
    package init(newFile path: String) {
        file = path
    }

    /// The rules that a story or an operation is known to fail.
    package func rules(of subject: String) -> [String] {
        entries.filter { $0.subject.exact == subject.exact }.flatMap(\.rules).unique
    }

    /// The finding that a known failure no longer occurs, so that its entry would hide the next one.
    package func fixed(_ rule: String, of subject: String) -> Finding {
        Finding(
            .error,
            id: "baseline/no-longer-fails",
            "\(subject) no longer fails \(rule), so the baseline must not contain this entry",
            at: Place(file: file),
            advice: "remove the entry, or use --update-baseline"
        )
    }

    /// The baseline that would let everything pass; its entries for stories and operations that were not judged remain.
    package func updated(by failures: [Entry], judged: [String]) -> Baseline {
        var updated = self
        updated.entries.removeAll { judged.contains($0.subject.exact) }
        updated.entries += failures.filter { !$0.rules.isEmpty }
        return updated
    }

    /// The number of known failures as a sentence without a closing full stop.
    package var summary: String { Self.summary(of: entries.reduce(0) { $0 + $1.rules.count }) }

    /// A number of known failures as a sentence without a closing full stop.
    package static func summary(of count: Int) -> String {
        count == 1 ? "1 failure is known" : "\(count) failures are known"
    }
}

/// A baseline as a file: JSON such as `{"SM-04": ["B1", "expect/count"]}`, the same in YAML, or a line such as `SM-04 B1` for each rule.
extension Baseline {
    /// Reads a file.
    ///
    /// - Throws: ``BaselineProblem`` if the file cannot be read or is not a baseline.
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
            entries.append(Entry(member.name, rules))
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
                    "\(path):\(index + 1): expected a story and a rule, such as SM-04 B1, not \"\(line)\""
                )
            }
            // Both parts of a rule's name are one rule.
            entries.append(Entry(String(story), [words.dropFirst().joined(separator: " ")]))
        }
        return entries
    }

    /// The baseline as JSON, sorted by story.
    package var json: JSONValue {
        var object = JSONObject()
        for entry in entries.sorted(by: { $0.subject < $1.subject }) {
            var rules = object[entry.subject]?.array ?? []
            rules += entry.rules.map(JSONValue.string)
            object[entry.subject] = .array(rules)
        }
        return .object(object)
    }
}

/// The reason that a baseline cannot be used.
package struct BaselineProblem: Error, Hashable {
    /// The problem and its solution, without a closing full stop.
    package var sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}
