import Basics

/// The exchanges of a story as sent and received, folded.
struct PageExchanges {
    let diagram: StoryDiagram
    let findings: StoryFindings
    let anchor: String
    let room: PageBudget

    func append(to page: inout String) {
        guard !diagram.exchanges.isEmpty else { return }
        let count = diagram.exchanges.count
        page += "<details class=\"list\"><summary><b>\(plural(count, "exchange"))</b> as sent and received"
        page += "</summary>\n<div class=\"raw\">\n"
        let shown = diagram.choice(of: room.listed, findings)
        for (index, exchange) in diagram.exchanges.enumerated() where shown[index] { append(exchange, to: &page) }
        page += "</div>\n"
        let hidden = shown.count { !$0 }
        if hidden > 0 { page += "<p class=\"dim\">… and \(hidden) more in the journal.</p>\n" }
        page += "</details>\n"
    }

    private func append(_ exchange: StoryDiagram.Exchange, to page: inout String) {
        let target = Secrets.target(exchange.target)
        page += "<details id=\"\(anchor)-x\(exchange.number)\"><summary>\(exchange.number) <code>"
        HTMLText.append(exchange.method, to: &page, limit: 40)
        page += " "
        HTMLText.append(target.shortenedInside(toCells: 120), to: &page, limit: 400)
        let style = exchange.isFailure ? "error" : "held"
        page += "</code> <span class=\"\(style)\">\(HTMLText.escaped(exchange.outcomeWords))</span>"
        page += "</summary>\n"
        var left = room.exchange
        page += "<pre>"
        append(exchange.request, first: "\(exchange.method) \(target)", of: &left, to: &page)
        page += "</pre>\n<pre>"
        append(exchange.response, first: exchange.outcomeWords, of: &left, to: &page)
        page += "</pre>\n</details>\n"
    }

    /// Writes as much of a message as there is room for, and says how much it left out.
    private func append(_ message: StoryDiagram.Message, first: String, of room: inout Int, to page: inout String) {
        let start = page.utf8.count
        defer { room -= page.utf8.count - start }
        HTMLText.append(first, to: &page, limit: max(60, room / 3))
        var left = 0
        for (name, value) in message.fields {
            let line = "\n\(name): \(Secrets.field(name, value))"
            // A third is kept for the body.
            guard page.utf8.count - start + line.utf8.count < room * 2 / 3 else {
                left += 1
                continue
            }
            HTMLText.append(line, to: &page)
        }
        if left > 0 { page += "\n… \(plural(left, "more field"))" }
        guard !message.body.isEmpty else { return }
        page += "\n\n"
        let limit = max(0, room - (page.utf8.count - start) - 40)
        let (body, rest) = Secrets.body(message.body, limit: limit)
        let cut = HTMLText.append(body, to: &page, limit: limit) + rest + message.omitted
        if cut > 0 { page += "… (about \(cut) more bytes)" }
    }
}
