import Basics

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
