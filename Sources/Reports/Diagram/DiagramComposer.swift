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
        let others = diagram.lanes.count - frame.clients.count
        let names = diagram.lanes.prefix(frame.clients.count).enumerated().map { index, lane in
            let name = lane.account.map { "\(lane.name) · \($0)" } ?? lane.name
            return index == frame.clients.count - 1 && others > 0 ? "\(name) and \(others) more" : name
        }
        let servers = ["server"] + frame.origins.prefix(frame.servers.count - 1)
        for row in 0..<max(names.count, servers.count) {
            let server = servers.count - 1 - row
            var left = DiagramLayout.width
            if server >= 0 {
                let x = server == servers.count - 1 ? DiagramLayout.width - 2 : frame.servers[server + 1] - 6
                if let text = DiagramText(.lane, servers[server], x: x, y: y, within: 90, isAtEnd: true) {
                    layout.texts.append(text)
                    left = text.box.x
                }
            }
            if row < names.count {
                let x = frame.clients[row] - 3
                let text = DiagramText(.lane, names[row], x: x, y: y, within: left - 8 - x)
                if let text { layout.texts.append(text) }
            }
            y += Self.line
        }
        layout.namesBottom = y
        y += 4
    }
}
