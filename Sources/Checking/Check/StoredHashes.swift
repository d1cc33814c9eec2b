import JSON
import ScenarioFormat
import Simulation

/// What a session stores, as a number for each collection that tells whether another session stores the same.
struct StoredHashes {
    /// One number for all accounts, as the scenario declares them.
    let accounts: Int
    private let collections: [ItemCollection]
    private var hashes: [ExactText: Int] = [:]

    init(_ session: Session) {
        collections = session.stage.scenario.collections
        var hasher = Hasher()
        for account in session.stage.scenario.accounts {
            hasher.combine(ExactText(account.name))
            JSONValue.object(account.data).hash(into: &hasher)
        }
        accounts = hasher.finalize()
        for stored in session.items {
            var hasher = Hasher()
            hasher.combine(hashes[ExactText(stored.collection)])
            for item in stored.items { item.hash(into: &hasher) }
            hashes[ExactText(stored.collection)] = hasher.finalize()
        }
    }

    /// One number for all that some finds may show, embedded items included; 0 where they show nothing.
    func hash(of finds: [Find]) -> Int {
        var waiting = finds.map(\.selection.collection)
        var seen: Set<ExactText> = []
        var hasher = Hasher()
        while let name = waiting.popLast() {
            guard seen.insert(ExactText(name)).inserted else { continue }
            hasher.combine(hashes[ExactText(name)])
            guard let collection = collections.first(where: { $0.name.hasSameUTF8(as: name) }) else { continue }
            waiting += collection.embeds.map(\.selection.collection)
        }
        return seen.isEmpty ? 0 : hasher.finalize()
    }
}
