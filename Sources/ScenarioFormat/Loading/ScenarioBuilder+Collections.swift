import Findings
package import JSONText
import ProjectFiles

extension ScenarioBuilder {
    /// Reads the collections; the accounts are always among them.
    mutating func collections() -> [ItemCollection] {
        var collections = root["collections"].members.map { collection($0) }
        if !collections.contains(where: { $0.name == ItemCollection.accounts }) {
            collections.append(ItemCollection(name: ItemCollection.accounts))
        }
        checkEmbedsEnd(collections)
        return collections
    }

    private mutating func collection(_ member: JSONObject.Member) -> ItemCollection {
        let tree = member.value
        if member.name == ItemCollection.accounts {
            for key in ["items", "per"] {
                guard let idle = tree.object?.member(named: key) else { continue }
                report(
                    "scenario/idle-key",
                    "\"\(key)\" means nothing here, because the items of \"accounts\" are the accounts",
                    at: idle.namePosition,
                    advice: "write them under the scenario's own key \"accounts\""
                )
            }
        }
        return ItemCollection(
            name: member.name,
            items: items(tree["items"]),
            scope: tree["per"]?.string.flatMap(ItemCollection.Scope.init) ?? .session,
            embeds: tree["embed"].members.compactMap { embed($0) },
            position: member.namePosition
        )
    }

    private mutating func items(_ tree: JSONValue?) -> [TreeTemplate] {
        guard let tree else { return [] }
        return within {
            $0.hasRequest = false
            $0.mayOmit = true
        } read: { builder in
            guard let name = tree.string else { return builder.items(of: tree) }
            guard let document = builder.document(named: name, at: tree.position) else { return [] }
            builder.templates.origin = "\(builder.sources.place(of: tree.position)) names this file"
            defer { builder.templates.origin = nil }
            return builder.items(of: document.root)
        }
    }

    private mutating func items(of array: JSONValue) -> [TreeTemplate] {
        guard let values = array.array else {
            report(
                "scenario/bad-items",
                "the items of a collection are an array; found \(Self.noun(array))",
                at: array.position
            )
            return []
        }
        return values.compactMap { value in
            guard value.object != nil else {
                report(
                    "scenario/bad-items",
                    "each item of a collection is an object; found \(Self.noun(value))",
                    at: value.position
                )
                return nil
            }
            return templates.tree(value)
        }
    }

    private static func noun(_ value: JSONValue) -> String {
        switch value.content {
        case .null: "null"
        case .array, .object: "an \(value.kindName)"
        default: "a \(value.kindName)"
        }
    }

    private mutating func embed(_ member: JSONObject.Member) -> Embed? {
        guard let pointer = JSONPointer(member.name) else { return nil }
        let selection = within {
            $0.hasItem = true
        } read: {
            $0.selection(member.value)
        }
        guard let selection else { return nil }
        if case .everything = selection.view {
            report(
                "scenario/missing-key",
                "an embedded selection needs \"show\", so that it is known what it brings along",
                at: member.value.position,
                advice: "name the members: \"show\": [\"id\", \"name\"]"
            )
        }
        return Embed(pointer: pointer, selection: selection)
    }

    // MARK: Circles

    /// Items may show items that show items, but not themselves again.
    private mutating func checkEmbedsEnd(_ collections: [ItemCollection]) {
        for collection in collections {
            for embed in collection.embeds {
                var path = [EmbedPlace(collection: collection.name, pointer: embed.pointer)]
                guard let circle = Self.circle(from: embed, along: &path, in: collections) else { continue }
                let words = circle.map { "\($0.collection) \($0.pointer)" }.joined(separator: " → ")
                report(
                    "scenario/embed-circle",
                    "what is embedded here embeds itself again: \(words)",
                    at: embed.selection.position,
                    advice: "leave out of \"show\" what leads back"
                )
                return
            }
        }
    }

    private struct EmbedPlace: Equatable {
        var collection: String
        var pointer: JSONPointer
    }

    private static func circle(
        from embed: Embed,
        along path: inout [EmbedPlace],
        in collections: [ItemCollection]
    ) -> [EmbedPlace]? {
        guard let target = collections.first(where: { $0.name.hasSameUTF8(as: embed.selection.collection) }) else {
            return nil
        }
        for next in target.embeds where embed.selection.view.shows(next.pointer) {
            let place = EmbedPlace(collection: target.name, pointer: next.pointer)
            if path.contains(place) { return path + [place] }
            path.append(place)
            if let circle = circle(from: next, along: &path, in: collections) { return circle }
            path.removeLast()
        }
        return nil
    }
}

extension Selection.View {
    /// Whether a reader sees something of a place in an item.
    package func shows(_ pointer: JSONPointer) -> Bool {
        switch self {
        case .everything: true
        case .members(let names): pointer.tokens.first.map(names.containsExactly) ?? true
        case .value(let place): zip(place.tokens, pointer.tokens).allSatisfy { $0.hasSameUTF8(as: $1) }
        }
    }
}
