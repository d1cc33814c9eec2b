import Basics

/// What was found about a story, numbered so that a diagram can point at it.
struct StoryFindings: Sendable {
    /// One of them.
    enum Entry: Sendable {
        case rule(PlayedStory.Item)
        case expectation(PlayedStory.Item)
        case contract(Finding)
    }

    /// Number 1 is the first: what the client did wrong, what was expected in vain, what the contract does not allow.
    let entries: [Entry]
    /// The numbers of the entries that are about an exchange, by its number.
    private let numbersByExchange: [Int: [Int]]

    init(_ story: PlayedStory) {
        let entries =
            story.rules.filter(\.isBad).map(Entry.rule)
            + story.expectations.filter(\.isBad).map(Entry.expectation)
            + story.contract.heaviestFirst.map(Entry.contract)
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

    func entry(_ number: Int) -> Entry? {
        entries.indices.contains(number - 1) ? entries[number - 1] : nil
    }
}

extension StoryFindings.Entry {
    var exchanges: [Int] {
        switch self {
        case .rule(let item), .expectation(let item): item.exchanges
        case .contract(let finding): [finding.place?.exchange].compactMap { $0 }
        }
    }

    var id: String {
        switch self {
        case .rule(let item), .expectation(let item): item.id
        case .contract(let finding): finding.id
        }
    }

    var sentence: String {
        switch self {
        case .rule(let item), .expectation(let item): item.sentence
        case .contract(let finding): finding.message
        }
    }

    var isError: Bool {
        switch self {
        case .rule(let item), .expectation(let item): item.status == .failed
        case .contract(let finding): finding.severity == .error
        }
    }
}

extension PlayedStory.Item {
    /// Whether it failed, or nobody can tell.
    var isBad: Bool { status == .failed || status == .unknown }
}
