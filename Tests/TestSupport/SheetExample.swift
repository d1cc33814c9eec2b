/// Files that somebody wrote, and everything that the product says about them.
///
/// A sheet is a text with many of them: a title after `===`, each file after `---` and its name, and after `--- says` the
/// lines. `BACKLOT_UPDATE=1 swift test` writes the present lines.
package struct SheetExample: Sendable {
    package var title: String
    package var files: [(name: String, text: String)] = []
    package var lines: [String] = []

    /// The examples of a sheet.
    ///
    /// - Parameter count: How many examples it has, so that no test passes for a sheet without them.
    package static func all(in path: String, count: Int) throws -> [SheetExample] {
        let examples = try read(Golden.text(of: path), in: path)
        guard examples.count == count else {
            throw SheetProblem(path: path, sentence: "the sheet has \(examples.count) examples instead of \(count)")
        }
        return examples
    }

    /// The examples of a text.
    ///
    /// - Throws: ``SheetProblem`` for a text outside a file and outside the lines, for an example that does not have a
    ///   separate title, files with different names and one `says`, and for a line that only looks like a heading.
    package static func read(_ text: String, in path: String) throws(SheetProblem) -> [SheetExample] {
        var examples: [SheetExample] = []
        var titles: Set<String> = []
        var says = false
        var number = 0
        func problem(_ sentence: String) -> SheetProblem {
            SheetProblem(path: path, line: number, sentence: sentence)
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            if line.hasPrefix("=== ") {
                let title = String(line.dropFirst(4))
                guard says || examples.isEmpty else { throw problem("the example before this one has no `says`") }
                guard titles.insert(title).inserted else { throw problem("another example has the same title") }
                examples.append(SheetExample(title: title))
                says = false
            } else if line.hasPrefix("===") || line.hasPrefix("---") && line.dropFirst(3).allSatisfy({ $0 == " " }) {
                throw problem("a heading has a space and a name")
            } else if line.hasPrefix("--- ") {
                let name = String(line.dropFirst(4))
                guard let last = examples.indices.last else { throw problem("no example begins before this line") }
                guard !says else { throw problem("the example continues after its `says`") }
                if name == "says" {
                    guard !examples[last].files.isEmpty else { throw problem("the example has no file") }
                    says = true
                } else if examples[last].files.contains(where: { $0.name == name }) {
                    throw problem("the example has two files with this name")
                } else {
                    examples[last].files.append((name, ""))
                }
            } else if says {
                if !line.isEmpty { examples[examples.count - 1].lines.append(String(line)) }
            } else if let last = examples.last, !last.files.isEmpty {
                examples[examples.count - 1].files[last.files.count - 1].text += line + "\n"
            } else if !line.isEmpty {
                throw problem("this line belongs to no file")
            }
        }
        guard says || examples.isEmpty else { throw problem("the last example has no `says`") }
        return examples
    }

    /// Compares the lines of each example with the present ones, or writes those.
    ///
    /// - Parameter count: How many examples the sheet has.
    /// - Returns: the examples with other lines.
    package static func differences(
        from path: String,
        count: Int,
        _ lines: (SheetExample) throws -> [String]
    ) throws -> [String] {
        var differences: [String] = []
        var texts: [String] = []
        for var example in try all(in: path, count: count) {
            let present = try lines(example)
            if present != example.lines {
                differences.append("\(example.title):\n\(present.joined(separator: "\n"))")
            }
            example.lines = present
            texts.append(example.text)
        }
        guard Golden.isUpdated else { return differences }
        try Golden.update(path, to: texts.joined(separator: "\n"))
        return []
    }

    private var text: String {
        let written = files.map { "--- \($0.name)\n\($0.text)" }.joined()
        return "=== \(title)\n\(written)--- says\n" + lines.map { "\($0)\n" }.joined()
    }
}

/// A sheet that a test cannot rely on.
package struct SheetProblem: Error, CustomStringConvertible {
    package var path: String
    package var line: Int?
    package var sentence: String

    package var description: String { "\(path):\(line.map { "\($0):" } ?? "") \(sentence)" }
}
