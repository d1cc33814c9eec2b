import Basics
import JSON
import ScenarioFormat
import Simulation

extension Evidence {
    /// Judges how many stored items are like a pattern.
    func judge(items pattern: ItemPattern, _ count: CountRange) -> ExpectationResult {
        let wanted = pattern.words(count) + " at the end"
        let stored = StoredItem.all(in: collections.filter { $0.isMeant(by: pattern) })
        let fitting = stored.filter { pattern.mismatches(of: $0.value).isEmpty }
        guard fitting.count < count.atLeast || fitting.count > count.atMost else {
            return .held("expect/items", wanted)
        }
        var happened = "there is none"
        if !fitting.isEmpty {
            happened = "there \(fitting.count == 1 ? "is one" : "are \(fitting.count)"): \(StoredItem.words(fitting))"
        }
        if stored.isEmpty {
            happened += ", since \(pattern.place) is empty"
        } else if fitting.count < count.atLeast, let nearest = pattern.nearest(of: stored) {
            happened += "; \(nearest)"
        }
        return .failed("expect/items", wanted, but: happened)
    }
}

/// An item of a collection and where it stands there.
private struct StoredItem {
    /// Counted from 1.
    var number: Int
    /// Whose copy it stands in.
    var account: String?
    var value: JSONValue

    static func all(in collections: [FinalCollection]) -> [StoredItem] {
        collections.flatMap { collection in
            collection.items.enumerated().map {
                StoredItem(number: $0.offset + 1, account: collection.account, value: $0.element)
            }
        }
    }

    var words: String { "item \(number)\(account.map { " of \($0.printable)" } ?? "")" }

    /// `items 2, 5 and 7`, or the first of very many.
    static func words(_ items: [StoredItem]) -> String {
        guard items.count > 1, items.allSatisfy({ $0.account == nil }) else {
            return Sentences.some(of: items.map(\.words))
        }
        return "items \(Sentences.some(of: items.map { String($0.number) }))"
    }
}

extension ItemPattern {
    /// Where the items are: `posts`, or `posts of mina`.
    fileprivate var place: String { collection + (account.map { " of \($0.printable)" } ?? "") }

    /// `2 items of posts with /title equal to "A"`.
    fileprivate func words(_ count: CountRange) -> String {
        let terms = conditions.map { "\($0.pointer.description.printable) \($0.matcher.words)" }
        return "\(count.itemWords) of \(place)" + (terms.isEmpty ? "" : " with \(Sentences.list(terms, "and"))")
    }

    /// The item that meets most conditions, the newest of several, and what is different in it.
    fileprivate func nearest(of items: [StoredItem]) -> String? {
        var best: (item: StoredItem, mismatches: [(pointer: JSONPointer, matcher: Matcher)])?
        for item in items.reversed() {
            let mismatches = mismatches(of: item.value)
            guard !mismatches.isEmpty, mismatches.count < best?.mismatches.count ?? .max else { continue }
            best = (item, mismatches)
        }
        guard let best else { return nil }
        let differences = best.mismatches.map { mismatch in
            let name = mismatch.pointer.description.printable
            guard let value = mismatch.pointer.value(in: best.item.value) else { return "which has no \(name)" }
            return "whose \(name) is \(Sentences.value(value))"
        }
        return "the nearest is \(best.item.words), \(Sentences.list(differences, "and"))"
    }
}

extension CountRange {
    /// So many items.
    fileprivate var itemWords: String {
        switch (atLeast, atMost) {
        case (0, 0): "no item"
        case (let least, let most) where least == most: Self.items(least)
        case (0, .max): "any number of items"
        case (0, let most): "at most \(Self.items(most))"
        case (let least, .max): "at least \(Self.items(least))"
        case (let least, let most): "\(least) to \(most) items"
        }
    }

    private static func items(_ count: Int) -> String { count == 1 ? "one item" : "\(count) items" }
}
