import Basics
import JSON

/// The members that items of collections have by what a scenario says, and the places that speak of some.
struct ItemMembers {
    struct MemberReference {
        var collection: String
        var name: String
        var position: JSONPosition
    }

    private(set) var mentions: [MemberReference] = []
    /// In the order in which they were met.
    private var names: [String: [String]] = [:]
    private var known: [String: Set<String>] = [:]
    /// The members that responses and events write to items.
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
        mentions.append(MemberReference(collection: collection, name: name, position: position))
    }

    /// Adds the members noted elsewhere.
    mutating func add(_ other: ItemMembers) {
        mentions += other.mentions
        written += other.written
        for (collection, names) in other.names { know(names, of: collection) }
    }

    /// The possible members of a collection's items; empty if none is known.
    func names(of collection: String) -> [String] {
        names[collection].map { $0 + written } ?? []
    }

    /// Warns of members that no item has, where one has nearly that name.
    ///
    /// It is a warning, because others may come over the admin API, and only where a name is near, because a story may
    /// leave of all items a few that lack something. Names of one or two letters are near too many others.
    func check(_ builder: inout ScenarioBuilder) {
        var all = self
        all.know(builder.names.accountData, of: ItemCollection.accounts)
        for mention in mentions where mention.name.utf8.count > 2 {
            let known = all.names(of: mention.collection)
            guard !known.contains(mention.name.exact), let meant = Suggestion.nearest(to: mention.name, among: known)
            else { continue }
            builder.report(
                "scenario/unknown-member",
                "no item in \"\(mention.collection)\" contains \"\(mention.name.shortened)\"",
                at: mention.position,
                advice: "did you mean \"\(meant)\"?",
                severity: .warning
            )
        }
    }
}

extension ScenarioBuilder {
    /// Reads a JSON Pointer into an item of a collection.
    mutating func pointer(_ text: String, into collection: String, at position: JSONPosition) -> JSONPointer? {
        guard let pointer = pointer(text, at: position) else { return nil }
        if let name = pointer.tokens.first { noted.members.mention(name, of: collection, at: position) }
        return pointer
    }

    /// Reads a JSON Pointer, which is always the same.
    mutating func pointer(_ text: String, at position: JSONPosition) -> JSONPointer? {
        guard !TemplateParser.mayHoldPlaceholders(text) else {
            report("scenario/placeholder", "a JSON Pointer must not contain placeholders", at: position)
            return nil
        }
        return JSONPointer(text)
    }
}
