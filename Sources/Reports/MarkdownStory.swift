import Basics

/// A story's section in Markdown: the verdict, what was found, and the picture.
struct MarkdownStory {
    let story: PlayedStory
    private let findings: StoryFindings

    init(_ story: PlayedStory) {
        self.story = story
        findings = StoryFindings(story)
    }

    var lines: [String] {
        let mark =
            switch story.outcome {
            case .passed: "✅"
            case .failed: "❌"
            case .incomplete: "⚠️"
            }
        var lines = ["### \(mark) \(MarkdownText.escaped(story.heading))", ""]
        lines.append("**\(story.outcome.rawValue)**: \(MarkdownText.escaped(story.summary)).")
        if !story.about.isEmpty { lines += ["", MarkdownText.escaped(story.about)] }
        if !findings.entries.isEmpty { lines += [""] + items }
        if !story.diagram.exchanges.isEmpty {
            lines += ["", "```mermaid", String(MermaidDiagram(story).text.dropLast()), "```"]
        }
        if let command = story.command { lines += ["", "Play it again: \(MarkdownText.code(command))"] }
        return lines
    }

    private var items: [String] {
        let most = 50
        var lines = findings.entries.prefix(most).enumerated().map { index, entry in
            var line = "\(index + 1). **\(MarkdownText.escaped(entry.id))** \(MarkdownText.escaped(entry.sentence))."
            if let why = entry.why {
                line += " Why it matters: \(MarkdownText.escaped(why))."
                if let advice = entry.advice { line += " To do: \(MarkdownText.escaped(advice))." }
                if let source = entry.source { line += " (\(MarkdownText.escaped(source)))" }
            }
            for effect in entry.consequences { line += "\n   - \(MarkdownText.escaped(effect.message))" }
            return line
        }
        if findings.entries.count > most { lines += ["", "… and \(findings.entries.count - most) more."] }
        return lines
    }
}
