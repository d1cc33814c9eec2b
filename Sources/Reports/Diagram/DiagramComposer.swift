import Basics
import HTTPCodec

/// Gives everything in a diagram its place, from the top to the bottom.
struct DiagramComposer {
    static let line = 14
    static let arrowRoom = 7
    static let space = 5

    let diagram: StoryDiagram
    let findings: StoryFindings
    var layout: DiagramLayout
    var y = 4
    var axis = DiagramAxis()
    var timeShown = ""
    /// Where each exchange's request stands, until its response does.
    var open: [Int: (y: Int, level: Int)] = [:]
    var busy: [[Bool]]
    /// The heights of responses that handed tokens out, and of those that took one, by token.
    var issued: [String: Int] = [:]
    var exchanged: [String: (time: Double, y: Int)] = [:]

    private init(_ diagram: StoryDiagram, _ findings: StoryFindings, columns: Int) {
        self.diagram = diagram
        self.findings = findings
        layout = DiagramLayout(frame: DiagramFrame(diagram, tokenColumns: columns))
        busy = layout.frame.servers.map { _ in Array(repeating: false, count: DiagramFrame.levels) }
    }

    /// Composes a whole drawing, with no more columns for tokens than these need.
    static func layout(of diagram: StoryDiagram, _ findings: StoryFindings) -> DiagramLayout {
        let widest = DiagramComposer(diagram, findings, columns: DiagramFrame.tokenColumns).composed()
        let needed = widest.columnsTaken
        guard needed < DiagramFrame.tokenColumns else { return widest }
        return DiagramComposer(diagram, findings, columns: needed).composed()
    }

    private consuming func composed() -> DiagramLayout {
        addNames()
        let top = y
        let steps = diagram.steps(findings: findings)
        if let first = steps.first, case .gap(let from, _) = first {
            axis.place(from, at: y)
        } else {
            axis.place(0, at: y)
        }
        for (index, step) in steps.enumerated() {
            switch step {
            case .request(let exchange): addRequest(exchange)
            case .response(let exchange):
                addResponse(exchange, isAfterRequest: index > 0 && steps[index - 1] == .request(exchange))
            case .mark(let mark): addMark(diagram.marks[mark])
            case .gap(let from, let to): addGap(from, to)
            case .fold(let count): addLine(.gap, "… \(plural(count, "further exchange")), listed below")
            }
        }
        axis.place(max(diagram.end, axis.end), at: y)
        layout.height = y + 6
        layout.addBars(
            diagram,
            axis,
            top: top,
            issued: issued,
            ended: exchanged
        )
        return layout
    }

    // MARK: Names

    private mutating func addNames() {
        let frame = layout.frame
        let others = diagram.lifelines.count - frame.clients.count
        let names = diagram.lifelines.prefix(frame.clients.count).enumerated().map { index, lifeline in
            let name = lifeline.account.map { "\(lifeline.name) · \($0)" } ?? lifeline.name
            return index == frame.clients.count - 1 && others > 0 ? "\(name) and \(others) more" : name
        }
        let servers = ["server"] + frame.origins.prefix(frame.servers.count - 1)
        for row in 0..<max(names.count, servers.count) {
            let server = servers.count - 1 - row
            var left = DiagramLayout.width
            if server >= 0 {
                let x = server == servers.count - 1 ? DiagramLayout.width - 2 : frame.servers[server + 1] - 6
                if let text = DiagramText(.lifeline, servers[server], x: x, y: y, within: 90, isAtEnd: true) {
                    layout.texts.append(text)
                    left = text.box.x
                }
            }
            if row < names.count {
                let x = frame.clients[row] - 3
                let text = DiagramText(.lifeline, names[row], x: x, y: y, within: left - 8 - x)
                if let text { layout.texts.append(text) }
            }
            y += Self.line
        }
        layout.namesBottom = y
        y += 4
    }
}

extension DiagramComposer {
    mutating func addMark(_ mark: StoryDiagram.Mark) {
        showTime(mark.time)
        let top = y
        y += 3
        addLine(.mark, mark.words)
        y += 2
        layout.rules.append(top + 1)
        axis.place(mark.time, at: top)
        axis.place(mark.time, at: y)
    }

    mutating func addLine(_ role: DiagramText.Role, _ words: String) {
        let frame = layout.frame
        let text = DiagramText(role, words, x: frame.textLeft, y: y, within: frame.textWidth)
        if let text { layout.texts.append(text) }
        y += Self.line + 2
    }

    mutating func addGap(_ from: Double, _ to: Double) {
        axis.place(from, at: y)
        y += 10
        layout.zigzags.append(y)
        y += 6
        addLine(.gap, TimeWords.gap(from: from, to: to))
        y += 3
        layout.zigzags.append(y)
        y += 10
        axis.place(to, at: y)
    }

    mutating func showTime(_ time: Double) {
        let words = TimeWords.compact(time.rounded(.down))
        guard words != timeShown else { return }
        timeShown = words
        let text = DiagramText(.time, words, x: DiagramFrame.tokens - 4, y: y + 1, within: 37, isAtEnd: true)
        if let text { layout.texts.append(text) }
    }
}

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
            from: frame.client(exchange.lifeline),
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
        let isFailure = exchange.isFailure
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
        let to = frame.client(exchange.lifeline)
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

    /// A Boolean value that indicates whether its response did not get through whole.
    var isBroken: Bool { fault != nil || duration == nil }

    /// A Boolean value that indicates whether the client got an error, or no whole response.
    var isFailure: Bool { isBroken || !(100..<400).contains(status) }

    /// `401 Unauthorized`, `200 OK, lost: reset`.
    var outcomeWords: String {
        guard duration != nil || fault != nil else { return "never answered" }
        let phrase = (100...999).contains(status) ? HTTPStatus(status).reasonPhrase : ""
        let words = phrase.isEmpty ? "\(status)" : "\(status) \(phrase)"
        return fault.map { "\(words), lost: \($0)" } ?? words
    }
}
