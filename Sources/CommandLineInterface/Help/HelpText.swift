extension CommandDescription {
    /// The help of the command as a whole, as `--help` shows it.
    package var help: String { HelpText(CommandPath(self)).text }
}

/// The help of one command, and the usage line that errors show too.
struct HelpText {
    private let path: CommandPath
    private var command: CommandDescription { path.command }

    init(_ path: CommandPath) { self.path = path }

    /// `usage: …`, on more lines when one is too short; no line break at the end.
    var usage: String {
        var words = [path.name]
        let required = path.options.filter(\.isRequired)
        words += required.map { "\($0.long) \($0.placeholder)" }
        words.append("[options]")
        if !command.subcommands.isEmpty { words.append(command.runsAlone ? "[COMMAND]" : "COMMAND") }
        words += command.positionals.map(\.usage)
        if let passthrough = command.passthrough {
            words.append(passthrough.minimum == 0 ? "[-- \(passthrough.usage)]" : "-- \(passthrough.usage)")
        }
        return TextLayout.wrap("usage: " + words.joined(separator: " "), hanging: 7).joined(separator: "\n")
    }

    /// Sections between empty lines, at most 80 columns wide, ending in a line break.
    var text: String {
        var sections = [TextLayout.wrap(command.abstract), [usage]]
        if !command.discussion.isEmpty { sections.append(TextLayout.wrap(command.discussion)) }
        append("arguments", TextLayout.columns(positionalRows), to: &sections)
        append("commands", TextLayout.columns(command.subcommands.map { ($0.name, $0.abstract) }), to: &sections)
        append("guides", TextLayout.columns(command.topics.map { ($0.name, $0.abstract) }), to: &sections)
        append("options", TextLayout.columns(path.options.map { (label($0), description($0)) }), to: &sections)
        append("examples", exampleLines, to: &sections)
        if !command.subcommands.isEmpty {
            let guide = command.topics.isEmpty ? "" : ", '\(path.name) help GUIDE' for a guide"
            sections.append(["see '\(path.name) COMMAND --help' for one command\(guide)"])
        }
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func append(_ title: String, _ lines: [String], to sections: inout [[String]]) {
        if !lines.isEmpty { sections.append(["\(title):"] + lines) }
    }

    private var positionalRows: [(String, String)] {
        (command.positionals + [command.passthrough].compactMap { $0 }).map { positional in
            (positional.name, noted(positional.help, [positional.value.note]))
        }
    }

    private var exampleLines: [String] {
        command.examples.flatMap { ["  \($0.line)"] + TextLayout.wrap($0.about, indent: 6) }
    }

    private func label(_ option: OptionDescription) -> String {
        let short = option.short.map { "-\($0), " } ?? "    "
        return short + option.long + (option.value == nil ? "" : " \(option.placeholder)")
    }

    private func description(_ option: OptionDescription) -> String {
        noted(
            option.help,
            [
                option.value?.note,
                option.isRequired ? "required" : nil,
                option.isRepeatable ? "may be repeated" : nil,
                option.defaultText.map { "default \($0)" },
                option.environment.map { "or set \($0)" },
            ]
        )
    }

    private func noted(_ help: String, _ notes: [String?]) -> String {
        let notes = notes.compactMap { $0 }
        return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
    }
}

/// Sets text within the usual width of a terminal.
enum TextLayout {
    static let width = 80
    /// Labels longer than this get a separate line.
    private static let widestLabel = 26

    /// Breaks a text between words.
    ///
    /// A word longer than a line is left whole, and a line that begins with a space is kept as it is.
    static func wrap(_ text: String, indent: Int = 0, hanging: Int? = nil) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let isVerbatim = paragraph.first == " "
            let words = isVerbatim ? [paragraph] : paragraph.split(separator: " ")
            var line = ""
            for word in words {
                if !line.isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                if line.isEmpty {
                    line = String(repeating: " ", count: lines.isEmpty ? indent : hanging ?? indent) + word
                } else {
                    line += " " + word
                }
            }
            lines.append(line)
        }
        return lines
    }

    /// A table of two columns, the second of which is wrapped.
    static func columns(_ rows: [(label: String, text: String)]) -> [String] {
        let labels = rows.map(\.label.count).filter { $0 <= widestLabel }
        let column = 2 + (labels.max() ?? widestLabel) + 2
        return rows.flatMap { label, text in
            var lines = wrap(text, indent: column)
            if label.count <= column - 4, let first = lines.first {
                let gap = String(repeating: " ", count: column - 2 - label.count)
                lines[0] = "  \(label)\(gap)\(first.dropFirst(column))"
            } else {
                lines.insert("  \(label)", at: 0)
            }
            return lines
        }
    }
}

/// The small change of sentences: quotes and escapes.
enum Wording {
    /// A word of the user's, safe for a terminal and not too long for a line.
    static func quoted(_ word: String) -> String {
        word.isEmpty ? "an empty value" : "'\(escaped(word))'"
    }

    /// Control characters could move the cursor or recolour the screen, so they are spelt out.
    static func escaped(_ word: String) -> String {
        let limit = 60
        var text = ""
        for (count, scalar) in word.unicodeScalars.enumerated() {
            guard count < limit else { return text + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
