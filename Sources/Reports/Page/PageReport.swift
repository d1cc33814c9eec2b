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

/// A finding's sentences on a page.
struct PageItem {
    let entry: Judgement

    var severity: String { (entry.status == .failed ? .error : min(entry.severity ?? .warning, .warning)).rawValue }

    func append(to page: inout String, anchor: String) {
        page += "<p>\(HTMLText.escaped(entry.sentence)).</p>\n"
        if let why = entry.why { page += "<p><b>Why it matters:</b> \(HTMLText.escaped(why)).</p>\n" }
        if let advice = entry.advice { page += "<p><b>What to do:</b> \(HTMLText.escaped(advice)).</p>\n" }
        var origin = entry.source.map { ["Source: \(HTMLText.escaped($0))"] } ?? []
        if var place = entry.place {
            place.exchange = nil
            if place != Place() { origin.append("<code>\(HTMLText.escaped("\(place)"))</code>") }
        }
        if !origin.isEmpty { page += "<p class=\"dim\">\(origin.joined(separator: " · "))</p>\n" }
        PageItem.append(entry.related + entry.consequences, to: &page)
        let exchanges = entry.exchanges
        guard !exchanges.isEmpty else { return }
        let links = exchanges.prefix(12).map { "<a href=\"#\(anchor)-x\($0)\">\($0)</a>" }.joined(separator: ", ")
        let more = exchanges.count > 12 ? " and \(exchanges.count - 12) more" : ""
        page += "<p class=\"dim\">\(exchanges.count == 1 ? "Exchange" : "Exchanges") \(links)\(more)</p>\n"
    }

    /// A finding as checks have it: sentence, advice, its place and the further places that it mentions.
    static func append(_ finding: Finding, to page: inout String) {
        page += "<p>\(HTMLText.escaped(finding.message)).</p>\n"
        if let advice = finding.advice { page += "<p><b>What to do:</b> \(HTMLText.escaped(advice))</p>\n" }
        var place = finding.place
        place?.exchange = nil
        if let place, !"\(place)".isEmpty {
            page += "<p class=\"dim\"><code>\(HTMLText.escaped("\(place)"))</code></p>\n"
        }
        let (places, omitted) = finding.shownRelated
        append(Array(places), to: &page)
        if omitted > 0 { page += "<p class=\"dim\">… and \(omitted) more places</p>\n" }
    }

    private static func append(_ related: [RelatedPlace], to page: inout String) {
        for related in related {
            page += "<p class=\"dim\"><code>\(HTMLText.escaped("\(related.place)"))</code> "
            page += "\(HTMLText.escaped(related.message))</p>\n"
        }
    }
}

/// The size limit of each exchange on a page, so that mail and build servers accept the page.
struct PageBudget: Sendable {
    /// The most exchanges that are listed.
    static let listedExchanges = 1_000
    /// Bytes for the heads and bodies of all exchanges together.
    private static let whole = 420_000
    private static let most = 24_000

    /// Bytes for one exchange.
    let exchange: Int
    /// Exchanges of one story.
    let listed: Int

    init(_ stories: [PlayedStory]) {
        let counts = stories.map(\.diagram.exchanges.count)
        let all = counts.reduce(0, +)
        let most = max(20, Self.listedExchanges / max(1, stories.count))
        let isTight = all > Self.listedExchanges
        listed = isTight ? most : Self.listedExchanges
        let shown = counts.reduce(0) { $0 + (isTight ? min($1, most) : $1) }
        exchange = min(Self.most, Self.whole / max(1, shown))
    }
}

/// Text for HTML and for the SVG inside it, with nothing left that would end an element, steer or hide.
enum HTMLText {
    /// Text for an element's content; no attribute of a page holds text that is not ours.
    static func escaped(_ text: String) -> String {
        var page = ""
        append(text, to: &page)
        return page
    }

    /// Appends text until its escaped form has taken this number of bytes.
    ///
    /// - Returns: how many bytes of the text were left out.
    @discardableResult
    static func append(_ text: String, to page: inout String, limit: Int = .max) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var (start, offset, taken) = (0, 0, 0)
            while offset < bytes.count {
                let scalar = UTF8Scalar(bytes, at: offset)
                let replacement = replacement(of: scalar.value)
                let cost = replacement?.utf8.count ?? scalar.width
                guard taken + cost <= limit else { break }
                taken += cost
                if let replacement {
                    page += String(decoding: bytes[start..<offset], as: UTF8.self)
                    page += replacement
                    start = offset + scalar.width
                }
                offset += scalar.width
            }
            page += String(decoding: bytes[start..<offset], as: UTF8.self)
            return bytes.count - offset
        }
    }

    private static func replacement(of scalar: UInt32) -> String? {
        switch scalar {
        case 0x26: "&amp;"
        case 0x3C: "&lt;"
        case 0x3E: "&gt;"
        case 0x09, 0x0A, 0x20...0x7E, 0xA0...0x61B: nil
        // Controls and noncharacters, which no document may contain (WHATWG HTML, section 13.2.3.5).
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: "\u{FFFD}"
        case _ where scalar & 0xFFFE == 0xFFFE: "\u{FFFD}"
        // Marks that turn the direction of what follows, or are not seen at all.
        case 0x61C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
            "\\u{\(String(scalar, radix: 16, uppercase: true))}"
        default: nil
        }
    }
}

/// A scalar at its position in valid UTF-8.
private struct UTF8Scalar {
    var value: UInt32
    var width: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        let lead = bytes[offset]
        width = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        value = UInt32(lead)
        guard width > 1 else { return }
        value &= 0xFF >> UInt32(width + 1)
        for byte in bytes[(offset + 1)..<min(offset + width, bytes.count)] { value = value << 6 | UInt32(byte & 0x3F) }
    }
}
