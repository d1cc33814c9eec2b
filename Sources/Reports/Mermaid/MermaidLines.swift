import Basics

struct MermaidLines {
    private let diagram: StoryDiagram
    private let findings: StoryFindings
    private let origins: [String]
    private var lines = ["sequenceDiagram"]
    private var arrows = 0

    init(_ diagram: StoryDiagram, _ findings: StoryFindings) {
        self.diagram = diagram
        self.findings = findings
        var seen: Set<[UInt8]> = []
        origins = diagram.exchanges.compactMap(\.origin).filter { seen.insert(Array($0.utf8)).inserted }
    }

    mutating func written() -> String {
        for (index, lifeline) in diagram.lifelines.enumerated() {
            let name = lifeline.account.map { "\(lifeline.name) · \($0)" } ?? lifeline.name
            lines.append("    participant c\(index) as \(MermaidText.escaped(name))")
        }
        if diagram.lifelines.isEmpty { lines.append("    participant c0 as client") }
        lines.append("    participant s0 as server")
        for (index, origin) in origins.enumerated() {
            lines.append("    participant s\(index + 1) as \(MermaidText.escaped(origin))")
        }
        let steps = diagram.steps(findings: findings)
        for (index, step) in steps.enumerated() {
            guard arrows < MermaidDiagram.mostArrows else {
                note("…")
                break
            }
            let previous = index > 0 ? steps[index - 1] : nil
            add(step, after: previous)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private mutating func add(_ step: DiagramStep, after previous: DiagramStep?) {
        switch step {
        case .request(let index): addRequest(diagram.exchanges[index])
        case .response(let index): addResponse(diagram.exchanges[index], isAfterRequest: previous == .request(index))
        case .mark(let index): note(diagram.marks[index].words)
        case .fold(let count): note("… \(plural(count, "further exchange"))")
        case .gap(let from, let to): note(TimeWords.gap(from: from, to: to))
        }
    }

    private mutating func addRequest(_ exchange: StoryDiagram.Exchange) {
        let words = "\(exchange.number) \(exchange.method) \(Secrets.target(exchange.target))"
        let chips = exchange.brought.prefix(4).map { $0.wordsWhenBrought[0] }
        let numbers = findings.numbers(at: exchange.number)
        let told = numbers.filter { number in findings.entry(number).map { isTold($0, at: exchange.number) } ?? false }
        let others = numbers.filter { !told.contains($0) }.prefix(4).map { "\($0)" }
        let see = others.isEmpty ? [] : ["see finding \(others.joined(separator: ", "))"]
        arrow(client(exchange), "->>", server(exchange), [words] + chips + see)
        if let gate = exchange.gate {
            lines.append("    Note over \(server(exchange)): held at \(MermaidText.escaped(gate))")
        }
        for entry in told.prefix(3).compactMap(findings.entry) {
            let words = MermaidText.escaped(entry.id) + "<br/>" + wrapped(entry.sentence)
            lines.append("    Note over \(client(exchange)),\(server(exchange)): \(words)")
        }
    }

    /// Returns whether the picture says what was found: a rule, at the exchange that it is pinned to.
    private func isTold(_ entry: Judgement, at exchange: Int) -> Bool {
        entry.why != nil && entry.exchanges.first == exchange
    }

    private mutating func addResponse(_ exchange: StoryDiagram.Exchange, isAfterRequest: Bool) {
        let words = (isAfterRequest ? "" : "\(exchange.number) ") + exchange.outcomeWords
        let chips = exchange.granted.prefix(4).map(\.wordsWhenGranted)
        arrow(server(exchange), exchange.isBroken ? "--x" : "-->>", client(exchange), [words] + chips)
    }

    private mutating func arrow(_ from: String, _ line: String, _ to: String, _ words: [String]) {
        arrows += 1
        lines.append("    \(from)\(line)\(to): \(words.map(MermaidText.escaped).joined(separator: "<br/>"))")
    }

    private mutating func note(_ words: String) {
        let last = origins.isEmpty ? "s0" : "s\(origins.count)"
        lines.append("    Note over c0,\(last): \(MermaidText.escaped(words))")
    }

    /// A sentence in lines that a note has room for.
    private func wrapped(_ sentence: String) -> String {
        var rows: [String] = [""]
        for word in sentence.split(separator: " ").prefix(60) {
            if rows[rows.count - 1].unicodeScalars.count + word.unicodeScalars.count > 60 { rows.append("") }
            rows[rows.count - 1] += (rows[rows.count - 1].isEmpty ? "" : " ") + word
        }
        return rows.map(MermaidText.escaped).joined(separator: "<br/>")
    }

    private func client(_ exchange: StoryDiagram.Exchange) -> String {
        "c\(max(0, min(exchange.lifeline, diagram.lifelines.count - 1)))"
    }

    private func server(_ exchange: StoryDiagram.Exchange) -> String {
        guard let origin = exchange.origin else { return "s0" }
        return "s\((origins.firstIndex { $0.exact == origin.exact } ?? -1) + 1)"
    }
}

/// Text inside a Mermaid diagram, where a semicolon or a line break would end the statement.
enum MermaidText {
    /// More than this of a text is not shown in a diagram.
    private static let longest = 90

    /// Everything that could mean something is written as one of Mermaid's own character codes: `#59;`.
    static func escaped(_ text: String) -> String {
        let text = text.printable.shortenedInside(toCells: longest).replacing { scalar in
            "#;:<>&\"`%{}\\$".unicodeScalars.contains(scalar) ? "#\(scalar.value);" : nil
        }
        // `end` closes a block wherever it is alone.
        return text.lowercased() == "end" ? "#101;" + text.dropFirst() : text
    }
}
