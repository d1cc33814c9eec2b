import Basics
import HTTPCodec

/// The findings about a story, numbered for references from a diagram.
struct StoryFindings: Sendable {
    /// Number 1 is the first: what the client did wrong, what was expected and did not come, what the contract does not
    /// allow.
    let entries: [Judgement]
    /// The numbers of the entries that are about an exchange, by its number.
    private let numbersByExchange: [Int: [Int]]

    init(_ story: PlayedStory) {
        let contract = story.contract.enumerated().sorted {
            ($1.element.severity ?? .note, $0.offset) < ($0.element.severity ?? .note, $1.offset)
        }
        let entries = (story.rules + story.expectations).filter(\.isCause) + contract.map(\.element)
        var numbers: [Int: [Int]] = [:]
        for (index, entry) in entries.enumerated() {
            for exchange in entry.exchanges where numbers[exchange]?.last != index + 1 {
                numbers[exchange, default: []].append(index + 1)
            }
        }
        self.entries = entries
        numbersByExchange = numbers
    }

    func numbers(at exchange: Int) -> [Int] { numbersByExchange[exchange] ?? [] }

    func entry(_ number: Int) -> Judgement? {
        entries.indices.contains(number - 1) ? entries[number - 1] : nil
    }
}
