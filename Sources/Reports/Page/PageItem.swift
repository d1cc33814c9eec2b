import Basics

/// A finding's sentences on a page.
struct PageItem {
    let entry: StoryFindings.Entry

    init(_ entry: StoryFindings.Entry) {
        self.entry = entry
    }

    var severity: String {
        switch entry {
        case .contract(let finding): finding.severity.rawValue
        default: entry.isError ? "error" : "warning"
        }
    }

    func append(to page: inout String, anchor: String) {
        switch entry {
        case .rule(let item), .expectation(let item): append(item, to: &page)
        case .contract(let finding): PageItem.append(finding, to: &page)
        }
        let exchanges = entry.exchanges
        guard !exchanges.isEmpty else { return }
        let links = exchanges.prefix(12).map { "<a href=\"#\(anchor)-x\($0)\">\($0)</a>" }.joined(separator: ", ")
        let more = exchanges.count > 12 ? " and \(exchanges.count - 12) more" : ""
        page += "<p class=\"dim\">\(exchanges.count == 1 ? "Exchange" : "Exchanges") \(links)\(more)</p>\n"
    }

    private func append(_ item: PlayedStory.Item, to page: inout String) {
        page += "<p>\(HTMLText.escaped(item.sentence)).</p>\n"
        if let reason = item.reason { page += "<p><b>Why it matters:</b> \(HTMLText.escaped(reason)).</p>\n" }
        if let advice = item.advice { page += "<p><b>What to do:</b> \(HTMLText.escaped(advice)).</p>\n" }
        var origin = item.source.map { ["Source: \(HTMLText.escaped($0))"] } ?? []
        if let place = item.place, place.file != nil {
            var place = place
            place.exchange = nil
            origin.append("<code>\(HTMLText.escaped("\(place)"))</code>")
        }
        if !origin.isEmpty { page += "<p class=\"dim\">\(origin.joined(separator: " · "))</p>\n" }
    }

    /// A finding as checks have it: sentence, advice, its place and what else it speaks of.
    static func append(_ finding: Finding, to page: inout String) {
        page += "<p>\(HTMLText.escaped(finding.message)).</p>\n"
        if let advice = finding.advice { page += "<p><b>What to do:</b> \(HTMLText.escaped(advice))</p>\n" }
        var place = finding.place
        place?.exchange = nil
        if let place, !"\(place)".isEmpty {
            page += "<p class=\"dim\"><code>\(HTMLText.escaped("\(place)"))</code></p>\n"
        }
        for related in finding.related {
            page += "<p class=\"dim\"><code>\(HTMLText.escaped("\(related.place)"))</code> "
            page += "\(HTMLText.escaped(related.message))</p>\n"
        }
    }
}
