import Basics

/// Writes a composed diagram as SVG inside a page.
struct DiagramSVG {
    let diagram: StoryDiagram
    let findings: StoryFindings
    let layout: DiagramLayout
    /// Begins every anchor of the story: `s1`.
    let anchor: String
    /// The colour of each lifetime, one for each kind of token.
    private let colours: [Int]

    init(_ diagram: StoryDiagram, _ findings: StoryFindings, anchor: String) {
        self.diagram = diagram
        self.findings = findings
        self.anchor = anchor
        layout = DiagramComposer.layout(of: diagram, findings)
        var kinds: [[UInt8]: Int] = [:]
        colours = diagram.lifetimes.map { life in
            let kind = Array(life.kind.utf8)
            if kinds[kind] == nil { kinds[kind] = kinds.count % 4 }
            return kinds[kind] ?? 0
        }
    }

    func append(to page: inout String) {
        let (width, height) = (DiagramLayout.width, layout.height)
        page += "<svg viewBox=\"0 0 \(width) \(height)\" role=\"group\" aria-label=\"Sequence diagram\">\n"
        appendLifelines(to: &page)
        if !layout.zigzags.isEmpty {
            page +=
                "<defs><path class=\"zigzag\" id=\"\(anchor)-z\" d=\"M\(DiagramFrame.tokens) 0\(Self.zigzag)\"/></defs>"
        }
        for y in layout.zigzags { page += "<use href=\"#\(anchor)-z\" y=\"\(y)\"/>" }
        for y in layout.rules {
            page += "<path class=\"rule\" d=\"M\(layout.frame.clients[0] - 6) \(y)H\(layout.frame.servers[0])\"/>"
        }
        for bar in layout.bars { append(bar, to: &page) }
        for activation in layout.activations {
            page += "<rect class=\"busy\" x=\"\(activation.x - 1)\" y=\"\(activation.top)\" width=\"3\" height=\""
            page += "\(max(2, activation.bottom - activation.top))\"/>"
        }
        page += "\n"
        for text in layout.texts { append(text, to: &page) }
        page += "\n"
        let numbers = Dictionary(diagram.exchanges.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { $1 })
        for group in layout.groups { append(group, numbers[group.exchange].map { diagram.exchanges[$0] }, to: &page) }
        page += "</svg>\n"
    }

    /// From the tokens to the right edge, up and down.
    private static let zigzag: String = {
        let step = 8
        return "l"
            + (0..<(DiagramLayout.width - DiagramFrame.tokens) / step)
            .map { _ in "\(step / 2) -3 \(step / 2) 3" }.joined(separator: " ")
    }()

    private func appendLifelines(to page: inout String) {
        let frame = layout.frame
        let top = layout.namesBottom
        for (index, x) in frame.clients.enumerated() {
            page += "<path class=\"lifeline\" d=\"M\(x) \(4 + 14 * (index + 1))V\(layout.height - 2)\"/>"
        }
        for (index, x) in frame.servers.enumerated() {
            let names = 4 + 14 * (frame.servers.count - index)
            page += "<path class=\"lifeline\" d=\"M\(x) \(min(names, top))V\(layout.height - 2)\"/>"
        }
        page += "<path class=\"axis\" d=\"M\(DiagramFrame.tokens - 2) \(top)V\(layout.height - 2)\"/>\n"
    }

    private func append(_ text: DiagramText, to page: inout String) {
        let x = text.isAtEnd ? text.box.right : text.box.x
        page += "<text class=\"\(text.role.rawValue)\" x=\"\(x)\" y=\"\(text.baseline)\""
        if text.isAtEnd { page += " text-anchor=\"end\"" }
        // Letters that the font lacks come from another one, of any width; every font has what we put in ourselves.
        if text.text.unicodeScalars.contains(where: { !$0.isASCII && $0 != "…" && $0 != "·" }) {
            page += " textLength=\"\(text.box.width)\" lengthAdjust=\"spacingAndGlyphs\""
        }
        page += ">"
        HTMLText.append(text.text, to: &page)
        page += "</text>"
    }

    private func append(_ bar: DiagramLayout.Bar, to page: inout String) {
        let life = diagram.lifetimes[bar.lifetime]
        page += "<g class=\"life k\(colours[bar.lifetime])\"><title>"
        HTMLText.append(life.sentence(diagram.lifelines), to: &page)
        page += "</title>"
        append(bar.label, to: &page)
        page += "<path class=\"bar\(bar.isOpen ? " open" : "")\" d=\"M\(bar.x) \(bar.top)V\(bar.bottom)\"/>"
        if bar.isCrossed {
            page += "<path class=\"cross\" d=\"M\(bar.x - 4) \(bar.bottom - 4)l8 8m0 -8l-8 8\"/>"
        } else if !bar.isOpen {
            page += "<path class=\"cap\" d=\"M\(bar.x - 4) \(bar.bottom)h8\"/>"
        }
        page += "</g>"
    }

    private func append(_ group: DiagramLayout.Group, _ exchange: StoryDiagram.Exchange?, to page: inout String) {
        page += "<g>"
        // The whole exchange is reported at its request.
        if let exchange, group.arrow?.kind == .request {
            page += "<title>"
            HTMLText.append(exchange.sentence(diagram.lifelines), to: &page, limit: 400)
            page += "</title>"
        }
        page += "<a href=\"#\(anchor)-x\(group.exchange)\">"
        for text in group.texts { append(text, to: &page) }
        page += "</a>"
        if let arrow = group.arrow { append(arrow, to: &page) }
        for badge in group.badges { append(badge, to: &page) }
        page += "</g>\n"
    }

    private func append(_ arrow: DiagramLayout.Arrow, to page: inout String) {
        let (from, to, y) = (arrow.from, arrow.to, arrow.y)
        let bad = arrow.isFailure ? " bad" : ""
        page += "<path class=\"\(arrow.kind.rawValue)\(bad)\" d=\"M\(from) \(y)H\(to)"
        let back = to > from ? -5 : 5
        switch arrow.kind {
        case .request, .response: page += "m\(back) -3l\(-back) 3l\(back) 3\"/>"
        case .broken: page += "\"/><path class=\"cross bad\" d=\"M\(to - 4) \(y - 4)l8 8m0 -8l-8 8\"/>"
        }
    }

    private func append(_ badge: DiagramLayout.Badge, to page: inout String) {
        let box = badge.label.box
        let entry = badge.number.flatMap(findings.entry)
        let kind = entry?.status ?? .failed == .failed ? "badge" : "badge mild"
        page += "<a href=\"#\(anchor)-f\(badge.number ?? 1)\"><g class=\"\(kind)\"><title>"
        if let entry { HTMLText.append("\(entry.id): \(entry.sentence)", to: &page, limit: 400) }
        page += "</title><rect x=\"\(box.x - 3)\" y=\"\(box.y)\" width=\"\(box.width + 6)\" height=\"\(box.height)\""
        page += " rx=\"5\"/>"
        append(badge.label, to: &page)
        page += "</g></a>"
    }
}

extension StoryDiagram.Lifetime {
    /// The whole of a token's life in words.
    fileprivate func sentence(_ lifelines: [StoryDiagram.Lifeline]) -> String {
        let owner = lifelines.indices.contains(lifeline) ? " of \(lifelines[lifeline].name)" : ""
        var words = "\(id)\(owner): issued \(TimeWords.relative(issued)), expires \(TimeWords.relative(expires))"
        if let ended { words += ", \(ended.word) \(TimeWords.relative(ended.time))" }
        return words
    }
}

extension StoryDiagram.Exchange {
    /// All that the arrow has no room for.
    fileprivate func sentence(_ lifelines: [StoryDiagram.Lifeline]) -> String {
        var words = [
            "\(number). \(lifelines.indices.contains(lifeline) ? lifelines[lifeline].name : "client"): \(method) "
        ]
        words[0] += Secrets.target(target)
        words += brought.compactMap(\.wordsWhenBrought.first)
        words.append(outcomeWords)
        words += granted.map(\.wordsWhenGranted)
        if let duration { words.append("\(Int(max(0, min(duration, 1e9)))) ms") }
        return words.joined(separator: "; ")
    }
}
