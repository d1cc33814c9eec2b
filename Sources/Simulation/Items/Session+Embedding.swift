import JSON
import ScenarioFormat

extension Session {
    /// What a reader sees of an item: what is embedded instead of what is stored there, and of all that what is shown.
    mutating func sight(
        of item: JSONValue,
        of collection: String,
        as view: Selection.View,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        let declaration = stage.scenario.collections.first { $0.name.hasSameUTF8(as: collection) }
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
