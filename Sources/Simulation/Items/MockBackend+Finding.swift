import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension MockBackend {
    /// Looks up what the route's cases and responses may speak of.
    mutating func find(_ finds: [Find], in context: inout ExchangeContext) {
        for find in finds { context.bind(pick(find.selection, in: &context), as: find.name) }
    }

    /// The items of a selection, as a reader sees them.
    mutating func select(_ selection: Selection, in context: inout ExchangeContext) -> FoundItems {
        var found = pick(selection, in: &context)
        look(at: &found, in: &context)
        return found
    }

    /// A place in what was found under a name; `nil` where there is nothing.
    mutating func foundValue(
        _ name: String,
        at pointer: JSONPointer,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        guard let number = context.foundNumber(of: name) else { return nil }
        var found = context.found[number].items
        defer { context.found[number].items = found }
        if found.isStale { lookUpAgain(&found, in: &context) }
        if found.seen == nil, found.shows(pointer) { look(at: &found, in: &context) }
        return found.value(at: pointer)
    }

    /// Takes in what has changed since: a list is selected again, so that it tells how many there are now; one item
    /// stays the same item, and is seen as it was when it is gone.
    private mutating func lookUpAgain(_ found: inout FoundItems, in context: inout ExchangeContext) {
        found.isStale = false
        if let selection = found.selection {
            let ids = found.ids
            found = pick(selection, in: &context)
            found.ids = ids
        } else if let place = found.place, found.page.allSatisfy({ store[place].item($0) != nil }) {
            found.seen = nil
        }
    }

    /// Notes what a reader sees of items now.
    mutating func look(at found: inout FoundItems, in context: inout ExchangeContext) {
        var seen: [JSONValue?] = []
        for id in found.page {
            guard let item = found.place.flatMap({ store[$0].item(id) }) else { continue }
            if context.embedding > 0, !context.embeddedWork.show(of: found.collection) { break }
            seen.append(sight(of: item.value, of: found.collection, as: found.view, in: &context))
        }
        found.seen = seen
    }

    // MARK: Picking

    /// The items of a selection, before they are examined.
    mutating func pick(_ selection: Selection, in context: inout ExchangeContext) -> FoundItems {
        var found = FoundItems(selection.collection, as: selection.view, isSingle: selection.isSingle)
        let account = selection.account.map { render($0, in: &context) }
        found.place = place(of: selection.collection, account: account, caller: context.account)
        let positions = found.place.map { fitting(selection, at: $0, in: &context) } ?? []
        let collection = found.place.map { store[$0] }
        found.fill(with: positions, of: collection?.items ?? [], selection) { valueIfAny(of: $0, in: &context) }
        return found
    }

    /// The positions of the items that a selection means, in the order of their making.
    private mutating func fitting(
        _ selection: Selection,
        at place: ItemStore.Place,
        in context: inout ExchangeContext
    ) -> [Int] {
        var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
        for condition in selection.conditions {
            let matcher = condition.matcher.settled { valueIfAny(of: $0, in: &context) }
            conditions.append((condition.pointer, matcher))
        }
        let candidates = store.candidates(for: conditions, at: place)
        let items = store[place].items
        // Where nothing is put in order, the first one that fits is it.
        let isEnough = selection.isSingle && selection.order == nil
        var positions: [Int] = []
        let count = candidates?.count ?? items.count
        if context.embedding > 0, !context.embeddedWork.look(at: count, of: selection.collection) { return [] }
        for step in 0..<count {
            let number = isEnough && selection.isDescending ? count - 1 - step : step
            let position = candidates?[number] ?? number
            let item = items[position].value
            let fits = conditions.allSatisfy {
                $0.matcher.fits($0.pointer.value(in: item), isLoose: true) { context.undecided = $0 }
            }
            guard fits else {
                if context.undecided != nil { return [] }
                continue
            }
            if let condition = selection.requestCondition, !holds(condition, of: item, in: &context) { continue }
            positions.append(position)
            if isEnough { break }
        }
        return positions
    }

    private mutating func holds(
        _ condition: Condition,
        of item: JSONValue,
        in context: inout ExchangeContext
    ) -> Bool {
        let outer = context.item
        context.item = item
        defer { context.item = outer }
        return holds(condition, in: &context)
    }
}

extension MockBackend {
    /// The visible form of an item: embedded items instead of stored values, reduced to the shown members.
    mutating func sight(
        of item: JSONValue,
        of collection: String,
        as view: Selection.View,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        let declaration = played.scenario.collections.first { $0.name.exact == collection.exact }
        guard let embeds = declaration?.embeds, !embeds.isEmpty, context.embedding < Embed.greatestDepth else {
            return item.shown(as: view)
        }
        let outer = context.item
        context.item = item
        context.embedding += 1
        defer {
            context.item = outer
            context.embedding -= 1
        }
        var sight = item
        for embed in embeds where view.shows(embed.pointer) {
            let found = select(embed.selection, in: &context)
            let path = embed.pointer.tokens[...]
            if let value = found.items {
                sight.put(value, at: path)
            } else {
                sight.remove(at: path)
            }
        }
        return sight.shown(as: view)
    }
}

extension JSONValue {
    /// The part of an item that is shown; `nil` where it lacks the one value that is asked for.
    fileprivate func shown(as view: Selection.View) -> JSONValue? {
        switch view {
        case .everything: return self
        case .value(let pointer): return pointer.value(in: self)
        case .members(let names):
            var shown = JSONObject()
            for name in names { self[name].map { shown[name] = $0 } }
            return .object(shown)
        }
    }
}
