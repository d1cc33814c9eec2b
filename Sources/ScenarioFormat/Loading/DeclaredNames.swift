import Basics
import JSON

/// The names that a scenario declares, which its other parts refer to.
struct DeclaredNames {
    let kinds: [String]
    /// Those among them that another server issues.
    let foreignKinds: [String]
    var ownKinds: [String] { kinds.filter { !foreignKinds.contains($0.exact) } }
    let accounts: [String]
    /// The known members of accounts, for placeholders.
    let accountData: [String]
    /// The values of states, by name.
    let states: [String: [String]]
    let routes: [String]
    let collections: [String]
    /// The collections that uploaded files go into.
    let uploadedCollections: [String]
    let processes: [String]
    /// The vocabulary of placeholders in every place.
    let vocabulary: PlaceholderParser.Vocabulary

    init(in root: JSONValue) {
        let tokenKinds = root["tokens"]?["kinds"].members ?? []
        kinds = tokenKinds.map(\.name)
        foreignKinds = tokenKinds.filter { $0.value["foreign"] != nil }.map(\.name)
        accounts = root["accounts"].memberNames
        routes = root["routes"].memberNames
        processes = root["processes"].memberNames
        let stored = root["collections"].memberNames
        collections = stored + (stored.contains(ItemCollection.accounts) ? [] : [ItemCollection.accounts])
        var accountData = root["accounts"].members.flatMap { Optional($0.value).memberNames }
        var uploadedCollections: [String] = []
        for object in Self.objects(in: root) {
            if object["create"]?.string == ItemCollection.accounts {
                accountData += object["item"].memberNames
            }
            if object["upload"] != nil, let collection = object["to"]?.string {
                uploadedCollections.append(collection)
            }
        }
        self.accountData = accountData
        self.uploadedCollections = uploadedCollections
        states = root["states"].members.reduce(into: [:]) { states, member in
            states[member.name] = StateDeclaration.written(in: member.value).compactMap(\.string)
        }
        vocabulary = PlaceholderParser.Vocabulary(
            kinds: kinds,
            counters: root["counters"].memberNames,
            states: root["states"].memberNames,
            origins: root["origins"].memberNames,
            accountData: accountData
        )
    }

    /// The objects of a tree in their order, each before those that it contains.
    ///
    /// Without recursion, because a response may be as deep as the parser allows, and the stack small.
    private static func objects(in tree: JSONValue) -> [JSONValue] {
        var found: [JSONValue] = []
        var pending = [tree]
        while let value = pending.popLast() {
            switch value.content {
            case .array(let elements):
                for element in elements.reversed() where element.isContainer { pending.append(element) }
            case .object(let object):
                for member in object.members.reversed()
                where member.value.isContainer && member.name != ObjectShape.comment {
                    pending.append(member.value)
                }
                found.append(value)
            default: continue
            }
        }
        return found
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch content {
        case .array, .object: true
        default: false
        }
    }
}
