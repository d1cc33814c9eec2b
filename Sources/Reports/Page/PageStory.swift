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

/// Lays JSON text out in lines while it is read, with secrets shortened, and stops where there is enough.
///
/// It builds no tree, because of most bodies a page shows the beginning only; text that is not JSON after all stays
/// readable.
struct JSONLines {
    private(set) var text = ""
    private var depth = 0
    /// A Boolean value that indicates whether the name that was read last says that its value is a secret.
    private var isSecret = false

    /// - Returns: how many bytes of the body were read.
    mutating func append(_ body: String, limit: Int) -> Int {
        let bytes = Array(body.utf8)
        var offset = 0
        while offset < bytes.count, text.utf8.count < limit {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "\""): appendString(bytes, &offset)
            case UInt8(ascii: "{"), UInt8(ascii: "["): open(bytes, &offset)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth = max(0, depth - 1)
                isSecret = false
                breakLine()
                text.unicodeScalars.append(Unicode.Scalar(byte))
                offset += 1
            case UInt8(ascii: ","):
                text += ","
                breakLine()
                offset += 1
            case UInt8(ascii: ":"):
                text += ": "
                offset += 1
            default:
                let end = bytes[offset...].firstIndex { ",:{}[]\" \t\r\n".utf8.contains($0) } ?? bytes.count
                text += String(decoding: bytes[offset..<max(end, offset + 1)], as: UTF8.self)
                offset = max(end, offset + 1)
            }
        }
        return offset
    }

    /// Opens an array or object, or writes an empty one.
    private mutating func open(_ bytes: [UInt8], _ offset: inout Int) {
        let byte = bytes[offset]
        text.unicodeScalars.append(Unicode.Scalar(byte))
        offset += 1
        let next = bytes[offset...].firstIndex { !" \t\r\n".utf8.contains($0) } ?? bytes.count
        if next < bytes.count, bytes[next] == byte + 2 {
            text.unicodeScalars.append(Unicode.Scalar(byte + 2))
            offset = next + 1
            return
        }
        if byte == UInt8(ascii: "{") { isSecret = false }
        depth += 1
        breakLine()
    }

    private mutating func appendString(_ bytes: [UInt8], _ offset: inout Int) {
        var end = offset + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") { end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1 }
        let string = String(decoding: bytes[(offset + 1)..<min(end, bytes.count)], as: UTF8.self)
        offset = min(end + 1, bytes.count)
        let next = bytes[offset...].first { !" \t\r\n".utf8.contains($0) }
        if next == UInt8(ascii: ":") {
            isSecret = Secrets.isSecret(string)
            text += "\"\(string)\""
        } else {
            text += isSecret ? "\"\(Secrets.shortened(string))\"" : "\"\(Secrets.text(string))\""
        }
    }

    private mutating func breakLine() {
        text += "\n"
        // Deeper than this, columns are indistinguishable, and white space would fill the page.
        text += String(repeating: "  ", count: min(depth, 20))
    }
}
