import Basics

/// The report as a self-contained page: nothing is fetched, and only folding requires a script.
struct PageReport {
    /// The maximum number of listed findings, checks and table lines; a JSON report lists all.
    static let listed = 300

    let report: Report
    /// The order of stories: failures first, otherwise the order of the run.
    private let stories: [PlayedStory]

    init(_ report: Report) {
        self.report = report
        stories = [Judgement.Outcome.failed, .incomplete, .passed].flatMap { outcome in
            report.stories.filter { $0.outcome == outcome }
        }
    }

    var text: String {
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="generator" content="backlot">
            <link rel="icon" href="data:,">
            <title>\(HTMLText.escaped(headline)) – backlot \(HTMLText.escaped(report.title))</title>
            <style>
            \(PageStyle.text)</style>
            </head>
            <body>
            <main>

            """
        appendBanner(to: &page)
        let room = PageBudget(stories)
        for (index, story) in stories.enumerated() {
            // One that passed alone is what the page is about.
            let isFolded = stories.count > 1 && story.outcome == .passed
            PageStory(story, anchor: "s\(index + 1)", room: room, isFolded: isFolded).append(to: &page)
        }
        for map in report.maps { map.append(to: &page) }
        PageChecks(report).append(to: &page)
        page += "<p class=\"dim\">\(HTMLText.escaped(report.tally)).</p>\n"
        page += "</main>\n<script>\(PageStyle.script)</script>\n</body>\n</html>\n"
        return page
    }

    private var outcome: String {
        if !report.stories.isEmpty, report.verdict != .failed {
            let outcomes = report.stories.map(\.outcome)
            if outcomes.contains(.failed) { return "failed" }
            return outcomes.contains(.incomplete) ? "incomplete" : "passed"
        }
        return switch report.verdict {
        case .held: "passed"
        case .failed: "failed"
        case .nothingChecked: "incomplete"
        }
    }

    private var headline: String { report.storyHeadline ?? report.headline }

    private func appendBanner(to page: inout String) {
        page += "<header class=\"card banner \(outcome)\">\n"
        page += "<h1>\(HTMLText.escaped(headline)).</h1>\n"
        for line in report.summary { page += "<p>\(HTMLText.escaped(line)).</p>\n" }
        let counts = report.counts
        page += "<ul class=\"counts\"><li>backlot \(HTMLText.escaped(report.title))</li>"
        if !report.stories.isEmpty {
            page += "<li><b>\(report.stories.count)</b> \(report.stories.count == 1 ? "story" : "stories")</li>"
        }
        for (count, word) in [
            (counts.passed, "held"), (counts.failed, "failed"), (counts.skipped, "skipped"),
            (counts.errors, "errors"), (counts.warnings, "warnings"),
        ] where count > 0 {
            page += "<li><b>\(count)</b> \(count == 1 && word.hasSuffix("s") ? String(word.dropLast()) : word)</li>"
        }
        page += "</ul>\n"
        if report.stories.count == 1, let worst = StoryFindings(report.stories[0]).entries.first {
            page += "<p class=\"verdict\"><b>\(HTMLText.escaped(worst.id))</b>: "
            page += "\(HTMLText.escaped(worst.sentence)).</p>\n"
        }
        if stories.count > 1 {
            page += "<ol class=\"index\">\n"
            for (index, story) in stories.enumerated() {
                page += "<li><span class=\"word \(story.outcome.rawValue)\">\(story.outcome.rawValue)</span>"
                page += "<span><a href=\"#s\(index + 1)\">\(HTMLText.escaped(story.heading))</a>"
                if let worst = StoryFindings(story).entries.first, story.outcome != .passed {
                    page += "<br>\(HTMLText.escaped("\(worst.id): \(worst.sentence)"))."
                }
                page += "</span></li>\n"
            }
            page += "</ol>\n"
        }
        page += "</header>\n"
    }
}
