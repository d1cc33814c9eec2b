import HTTPCodec

extension DiagramComposer {
    mutating func addRequest(_ index: Int) {
        let exchange = diagram.exchanges[index]
        let frame = layout.frame
        var group = DiagramLayout.Group(exchange: exchange.number)
        showTime(exchange.time)
        let top = y
        group.badges = badges(of: exchange)
        let right = group.badges.map(\.label.box.x).min().map { $0 - 5 } ?? frame.textRight
        group.add(
            .request,
            exchange.line(cells: TextCells.room(in: right - frame.textLeft, at: DiagramText.Role.request.size)),
            x: frame.textLeft,
            y: y,
            within: right - frame.textLeft
        )
        y += Self.line
        for chip in exchange.brought.prefix(4) {
            let room = TextCells.room(in: frame.textWidth, at: DiagramText.Role.chip.size)
            let words = chip.wordsWhenBrought
            let fitting = words.first { TextCells.count($0) <= room } ?? words[words.count - 1]
            let isGood = chip.wanted == nil && (chip.state == "valid" || chip.state.isEmpty)
            let role = isGood ? DiagramText.Role.chip : .refused
            group.add(role, fitting, x: frame.textLeft, y: y, within: frame.textWidth)
            y += Self.line
        }
        if let gate = exchange.gate {
            group.add(.gate, "held at \(gate)", x: frame.textLeft, y: y, within: frame.textWidth)
            y += Self.line
        }
        let server = frame.server(of: exchange)
        group.arrow = DiagramLayout.Arrow(
            kind: .request,
            from: frame.client(exchange.lane),
            to: frame.servers[server],
            y: y + 2,
            isFailure: false
        )
        let level = busy[server].firstIndex(of: false) ?? DiagramFrame.levels - 1
        busy[server][level] = true
        open[index] = (y + 2, level)
        y += Self.arrowRoom
        axis.place(exchange.time, at: top)
        axis.place(exchange.time, at: y)
        layout.groups.append(group)
    }

    mutating func addResponse(_ index: Int, isAfterRequest: Bool) {
        let exchange = diagram.exchanges[index]
        let frame = layout.frame
        let server = frame.server(of: exchange)
        var group = DiagramLayout.Group(exchange: exchange.number)
        let isBroken = exchange.isBroken
        let isFailure = exchange.status >= 400 || exchange.status < 100 || isBroken
        let number = isAfterRequest ? "" : "\(exchange.number) "
        group.add(
            isFailure ? .failure : .success,
            number + exchange.outcomeWords,
            x: frame.textLeft,
            y: y,
            within: frame.textWidth
        )
        y += Self.line
        for chip in exchange.granted.prefix(4) {
            group.add(.granted, chip.wordsWhenGranted, x: frame.textLeft, y: y, within: frame.textWidth)
            y += Self.line
        }
        if isBroken { y += 3 }
        let from = frame.servers[server]
        let to = frame.client(exchange.lane)
        group.arrow = DiagramLayout.Arrow(
            kind: isBroken ? .broken : .response,
            from: from,
            to: isBroken ? (from + to) / 2 : to,
            y: y + 2,
            isFailure: isFailure
        )
        if let (top, level) = open.removeValue(forKey: index) {
            busy[server][level] = false
            layout.activations.append(
                DiagramLayout.Activation(x: from + level * 4, top: top, bottom: y + 2)
            )
        }
        for chip in exchange.granted where issued[chip.id] == nil { issued[chip.id] = y + 2 }
        if !exchange.granted.isEmpty {
            for chip in exchange.brought { exchanged[chip.id] = (exchange.time, y + 2) }
        }
        y += Self.arrowRoom + Self.space
        axis.place(axis.end, at: y)
        layout.groups.append(group)
    }

    private func badges(of exchange: StoryDiagram.Exchange) -> [DiagramLayout.Badge] {
        let numbers = findings.numbers(at: exchange.number)
        var shown: [(Int?, String)] = numbers.prefix(3).map { ($0, "\($0)") }
        if numbers.count > 3 { shown.append((nil, "+\(numbers.count - 3)")) }
        var badges: [DiagramLayout.Badge] = []
        var right = layout.frame.textRight - 3
        for (number, label) in shown.reversed() {
            guard let text = DiagramText(.badge, label, x: right, y: y + 1, within: 40, isAtEnd: true) else { continue }
            badges.append(DiagramLayout.Badge(number: number, label: text))
            right = text.box.x - 8
        }
        return badges.reversed()
    }
}

extension DiagramLayout.Group {
    fileprivate mutating func add(_ role: DiagramText.Role, _ text: String, x: Int, y: Int, within width: Int) {
        if let text = DiagramText(role, text, x: x, y: y, within: width) { texts.append(text) }
    }
}

extension StoryDiagram.Exchange {
    /// `3 GET /pets`; where that is too long, the path is worth more than the query.
    fileprivate func line(cells: Int) -> String {
        let start = "\(number) \(method) "
        let whole = start + Secrets.target(target)
        guard TextCells.count(whole) > cells, let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            return whole
        }
        return start + Secrets.text(String(target[..<mark])) + "?…"
    }

    /// Whether its response did not get through whole.
    var isBroken: Bool { fault != nil || duration == nil }

    /// `401 Unauthorized`, `200 OK, lost: reset`.
    var outcomeWords: String {
        guard duration != nil || fault != nil else { return "never answered" }
        let phrase = (100...999).contains(status) ? HTTPStatus(status).reasonPhrase : ""
        let words = phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
        return fault.map { "\(words), lost: \($0)" } ?? words
    }
}
