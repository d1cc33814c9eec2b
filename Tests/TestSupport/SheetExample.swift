/// Files that somebody wrote, and everything that the product says about them.
///
/// A sheet is a text with many of them: a title after `===`, each file after `---` and its name, and after `--- says` the
/// lines. `BACKLOT_UPDATE=1 swift test` writes the present lines.
package struct SheetExample: Sendable {
    package var title: String
    package var files: [(name: String, text: String)] = []
    package var lines: [String] = []

    /// The examples of a sheet.
    package static func all(in path: String) throws -> [SheetExample] {
        var examples: [SheetExample] = []
        var says = false
        for line in try Golden.text(of: path).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("=== ") {
                examples.append(SheetExample(title: String(line.dropFirst(4))))
                says = false
            } else if line == "--- says" {
                says = true
            } else if line.hasPrefix("--- ") {
                examples[examples.count - 1].files.append((String(line.dropFirst(4)), ""))
            } else if says {
                if !line.isEmpty { examples[examples.count - 1].lines.append(String(line)) }
            } else if let last = examples.last, !last.files.isEmpty {
                examples[examples.count - 1].files[last.files.count - 1].text += line + "\n"
            }
        }
        return examples
    }

    /// Compares the lines of each example with the present ones, or writes those.
    ///
    /// - Returns: the examples with other lines.
    package static func differences(
        from path: String,
        _ lines: (SheetExample) throws -> [String]
    ) throws -> [String] {
        var differences: [String] = []
        var texts: [String] = []
        for var example in try all(in: path) {
            let present = try lines(example)
            if present != example.lines {
                differences.append("\(example.title):\n\(present.joined(separator: "\n"))")
            }
            example.lines = present
            texts.append(example.text)
        }
        if texts.isEmpty { return ["\(path) has no examples"] }
        guard Golden.isUpdated else { return differences }
        try Golden.update(path, to: texts.joined(separator: "\n"))
        return []
    }

    private var text: String {
        let written = files.map { "--- \($0.name)\n\($0.text)" }.joined()
        return "=== \(title)\n\(written)--- says\n" + lines.map { "\($0)\n" }.joined()
    }
}
