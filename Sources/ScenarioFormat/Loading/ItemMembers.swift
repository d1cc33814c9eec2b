import Basics
import JSON

/// The members that items of collections have by what a scenario says, and the places that speak of some.
struct ItemMembers {
    struct Mention {
        var collection: String
        var name: String
        var position: JSONPosition
    }

    private(set) var mentions: [Mention] = []
    /// In the order in which they were met.
    private var names: [String: [String]] = [:]
    private var known: [String: Set<String>] = [:]
    /// What responses and events write into items, whichever they are.
    private var written: [String] = []

    mutating func know(_ members: some Sequence<String>, of collection: String) {
        for member in members where known[collection, default: []].insert(member).inserted {
            names[collection, default: []].append(member)
        }
    }

    mutating func know(_ member: String?, of collection: String) {
        if let member { know(CollectionOfOne(member), of: collection) }
    }

    mutating func know(written member: String?) {
        if let member { written.append(member) }
    }

    mutating func mention(_ name: String, of collection: String, at position: JSONPosition) {
        mentions.append(Mention(collection: collection, name: name, position: position))
    }

    /// Takes over what was met elsewhere.
    mutating func add(_ other: ItemMembers) {
        mentions += other.mentions
        written += other.written
        for (collection, names) in other.names { know(names, of: collection) }
    }

    /// What items of a collection may have; nothing where nothing is said of any of them.
    func names(of collection: String) -> [String] {
        names[collection].map { $0 + written } ?? []
    }
}

extension ScenarioBuilder {
    /// Warns of members that no item has, where one has nearly that name.
    ///
    /// It is a warning, because others may come over the admin API, and only where a name is near, because a story may
    /// leave of all items a few that lack something. Names of one or two letters are near too many others.
    mutating func checkItemMembers() {
        members.know(accountData, of: ItemCollection.accounts)
        for mention in members.mentions where mention.name.utf8.count > 2 {
            let known = members.names(of: mention.collection)
            guard !known.containsExactly(mention.name), let meant = Suggestion.nearest(to: mention.name, among: known)
            else { continue }
            report(
                "scenario/unknown-member",
                "no item of \"\(mention.collection)\" has \"\(mention.name.shortened)\"",
                at: mention.position,
                advice: "did you mean \"\(meant)\"?",
                severity: .warning
            )
        }
    }

    /// Reads a JSON Pointer into an item of a collection.
    mutating func pointer(_ text: String, into collection: String, at position: JSONPosition) -> JSONPointer? {
        guard let pointer = pointer(text, at: position) else { return nil }
        if let name = pointer.tokens.first { members.mention(name, of: collection, at: position) }
        return pointer
    }

    /// Reads a JSON Pointer, which is always the same.
    mutating func pointer(_ text: String, at position: JSONPosition) -> JSONPointer? {
        guard !TemplateParser.mayHoldPlaceholders(text) else {
            report("scenario/placeholder", "placeholders mean nothing in a JSON Pointer", at: position)
            return nil
        }
        return JSONPointer(text)
    }
}
