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
}
