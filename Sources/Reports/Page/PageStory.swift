import Basics

/// A story's part of a page.
struct PageStory {
    let story: PlayedStory
    let findings: StoryFindings
    /// Begins every anchor of the story: `s1`.
    let anchor: String
    let room: PageBudget
    /// A Boolean value that indicates whether only its title is shown until the reader asks for more.
    let isFolded: Bool

    init(_ story: PlayedStory, anchor: String, room: PageBudget, isFolded: Bool = false) {
        self.story = story
        self.anchor = anchor
        self.room = room
        self.isFolded = isFolded
        findings = StoryFindings(story)
    }

    func append(to page: inout String) {
        let element = isFolded ? "details" : "section"
        page += "<\(element) class=\"card story\" id=\"\(anchor)\">\n"
        appendHead(to: &page)
        page += "<div class=\"columns\">\n"
        appendDiagram(to: &page)
        page += "<div>\n"
        appendFindings(to: &page)
        appendFolded(story.expectations.filter { !$0.isOpen }, "expectation", to: &page)
        appendFolded(story.rules.filter { !$0.isOpen }, "rule", to: &page)
        appendNotes(to: &page)
        page += "</div>\n</div>\n"
        PageExchanges(diagram: story.diagram, findings: findings, anchor: anchor, room: room).append(to: &page)
        page += "</\(element)>\n"
    }

    private func appendHead(to page: inout String) {
        let title = "<h2>\(HTMLText.escaped(story.heading))</h2>"
        page += isFolded ? "<summary>\(title)</summary>\n" : title + "\n"
        page += "<p class=\"verdict\"><span class=\"word \(story.outcome.rawValue)\">\(story.outcome.rawValue)</span>: "
        page += "\(HTMLText.escaped(story.summary)).</p>\n"
        if !story.about.isEmpty { page += "<p>\(HTMLText.escaped(story.about))</p>\n" }
        var origin: [String] = []
        if !story.reproduces.isEmpty {
            origin.append("Reproduces " + story.reproduces.map(HTMLText.escaped).joined(separator: ", "))
        }
        if let file = story.file { origin.append("<code>\(HTMLText.escaped(file))</code>") }
        if !origin.isEmpty { page += "<p class=\"dim\">\(origin.joined(separator: " · "))</p>\n" }
    }

    private func appendDiagram(to page: inout String) {
        guard !story.diagram.exchanges.isEmpty || !story.diagram.marks.isEmpty else {
            page += "<p class=\"dim\">No request arrived.</p>\n"
            return
        }
        let drawing = DiagramSVG(story.diagram, findings, anchor: anchor)
        page += "<figure>\n"
        drawing.append(to: &page)
        var caption = ["Time runs downward; periods without requests are shortened."]
        if !story.diagram.lifetimes.isEmpty {
            caption.append(
                "The bars on the left show token lifetimes. A line marks an expired token, and a cross marks a "
                    + "replaced or revoked token."
            )
        }
        if let second = story.diagram.start.split(separator: ".").first {
            caption.append("The story starts at \(second.hasSuffix("Z") ? second : second + "Z").")
        }
        if drawing.layout.barsLeftOut > 0 {
            caption.append("The diagram does not show \(plural(drawing.layout.barsLeftOut, "further token")).")
        }
        if story.diagram.lost > 0 {
            caption.append("The journal no longer contains \(plural(story.diagram.lost, "earlier exchange")).")
        }
        page += "<figcaption>\(HTMLText.escaped(caption.joined(separator: " ")))</figcaption>\n</figure>\n"
    }

    private func appendFindings(to page: inout String) {
        guard !findings.entries.isEmpty else { return }
        page += "<h3>Findings</h3>\n<ol class=\"findings\">\n"
        for (index, entry) in findings.entries.prefix(PageReport.listed).enumerated() {
            let item = PageItem(entry: entry)
            page += "<li id=\"\(anchor)-f\(index + 1)\" class=\"\(item.severity)\">\n"
            page += "<p class=\"head\"><span class=\"number\">\(index + 1)</span>\(HTMLText.escaped(entry.id))</p>\n"
            item.append(to: &page, anchor: anchor)
            page += "</li>\n"
        }
        page += "</ol>\n"
        let more = findings.entries.count - PageReport.listed
        if more > 0 { page += "<p class=\"dim\">… and \(more) more; a JSON report contains the complete list.</p>\n" }
    }

    /// The passed and skipped checks, in one line that unfolds.
    private func appendFolded(_ items: [Judgement], _ noun: String, to page: inout String) {
        guard !items.isEmpty else { return }
        let held = items.count { $0.status == .held }
        var words = ["\(plural(held, noun)) held"]
        if items.count > held { words.append("\(items.count - held) not checked") }
        let line = words.joined(separator: ", ")
        page += "<details><summary><span class=\"word held\">✓</span> \(line)</summary>\n<ul class=\"plain\">\n"
        let told = items.filter { !$0.statement.isEmpty }
        for item in told {
            page += "<li><b>\(HTMLText.escaped(item.id))</b> <span class=\"\(item.word)\">"
            page += item.status == .held ? "held" : "not checked"
            page += "</span>: \(HTMLText.escaped(item.statement))</li>\n"
        }
        let names = items.filter(\.sentence.isEmpty).map {
            "<span class=\"answer covered\">\(HTMLText.escaped($0.id))</span>"
        }
        if !names.isEmpty { page += "<li>\(names.joined(separator: "\n"))</li>\n" }
        page += "</ul>\n</details>\n"
    }

    private func appendNotes(to page: inout String) {
        if !story.notes.isEmpty {
            page += "<h3>Notes</h3>\n<ul class=\"plain\">\n"
            for note in story.notes { page += "<li>\(HTMLText.escaped(note)).</li>\n" }
            page += "</ul>\n"
        }
        if let command = story.command {
            page += "<h3>Play it again</h3>\n<code class=\"copy\">\(HTMLText.escaped(command))</code>\n"
        }
    }
}
