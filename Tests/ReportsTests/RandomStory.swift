import Basics

@testable import Reports

/// Stories that nobody would write down, for layouts that have to bear everything.
enum RandomStory {
    private static let words = [
        "GET", "/a", "/api/v2/diaries", "일기/😀", "e\u{301}", "\u{202E}abc", "", "<&>\"'", "مرحبا", "x;y#z:w",
        "\n\t\u{1}",
        String(repeating: "long", count: 60),
    ]

    static func make(_ chance: inout some RandomNumberGenerator) -> PlayedStory {
        var story = PlayedStory(id: "R", title: word(&chance), outcome: .failed, summary: word(&chance))
        var diagram = StoryDiagram()
        diagram.lifelines = (0..<Int.random(in: 0...8, using: &chance)).map { _ in
            StoryDiagram.Lifeline(name: word(&chance), account: Bool.random(using: &chance) ? word(&chance) : nil)
        }
        var (time, moment) = (0.0, 0.0)
        for number in 1...Int.random(in: 1...30, using: &chance) {
            time += [0, 0, 0.2, 1, 90, 8_000, 1_300_000, -5].randomElement(using: &chance) ?? 0
            moment += Double(Int.random(in: 0...20, using: &chance))
            diagram.exchanges.append(exchange(number, time, moment, lifelines: diagram.lifelines.count, &chance))
            if Int.random(in: 0...9, using: &chance) == 0 {
                diagram.marks.append(.init(time: time, afterExchange: number, words: word(&chance)))
            }
        }
        diagram.end = time + (Bool.random(using: &chance) ? 0 : 100_000)
        for number in 0..<Int.random(in: 0...9, using: &chance) {
            let issued = Double(Int.random(in: -2_000_000...2_000_000, using: &chance))
            var life = StoryDiagram.Lifetime(
                id: "\(word(&chance))-\(number * 77)",
                kind: word(&chance),
                lifeline: 0,
                issued: issued,
                expires: issued + Double(Int.random(in: 0...1_000_000, using: &chance))
            )
            if Bool.random(using: &chance) { life.ended = (issued + 5, "revoked") }
            diagram.lifetimes.append(life)
        }
        story.diagram = diagram
        for _ in 0..<Int.random(in: 0...12, using: &chance) {
            var item = Judgement(.failed, id: word(&chance), word(&chance))
            item.exchanges = [1, Int.random(in: 1...30, using: &chance)]
            story.rules.append(item)
        }
        return story
    }

    private static func word(_ chance: inout some RandomNumberGenerator) -> String {
        (0..<Int.random(in: 1...2, using: &chance)).map { _ in words[Int.random(in: words.indices, using: &chance)] }
            .joined()
    }

    private static func exchange(
        _ number: Int,
        _ time: Double,
        _ moment: Double,
        lifelines: Int,
        _ chance: inout some RandomNumberGenerator
    ) -> StoryDiagram.Exchange {
        var exchange = StoryDiagram.Exchange(
            number: number,
            lifeline: Int.random(in: 0...max(0, lifelines - 1), using: &chance),
            time: time,
            moment: moment,
            method: word(&chance),
            target: word(&chance),
            status: [200, 401, 0, 999, -1][Int.random(in: 0...4, using: &chance)],
            request: .init(fields: [(word(&chance), word(&chance))], body: word(&chance)),
            response: .init(body: word(&chance))
        )
        if Int.random(in: 0...9, using: &chance) > 0 {
            exchange.duration = Double(Int.random(in: 0...60, using: &chance))
        }
        if Int.random(in: 0...4, using: &chance) == 0 { exchange.fault = word(&chance) }
        if Int.random(in: 0...4, using: &chance) == 0 { exchange.gate = word(&chance) }
        if Int.random(in: 0...4, using: &chance) == 0 { exchange.origin = word(&chance) }
        for _ in 0..<Int.random(in: 0...2, using: &chance) {
            exchange.brought.append(.init(id: word(&chance), state: word(&chance), age: 1e9, timeLeft: -1e300))
            exchange.granted.append(.init(id: word(&chance), timeLeft: .infinity))
        }
        return exchange
    }
}
