package import JSON

/// The stored items of one kind: posts, comments, users.
package struct ItemCollection: Sendable {
    /// The owner of the items.
    package enum Scope: String, Sendable, CaseIterable {
        /// One set for everybody.
        case session
        /// Every account has its own copy, made when it is first needed.
        case account
    }

    /// The collection whose items are the accounts; there is always one.
    package static let accounts = "accounts"

    /// The maximum number of items of a collection, all copies together.
    package static let mostItems = 100_000

    package var name: String
    /// The initial items, in order.
    package var items: [TreeTemplate] = []
    package var scope = Scope.session
    /// The visible members of an item that are not stored in it.
    package var embeds: [Embed] = []
    package var position = JSONPosition.unknown
}

/// A place of an item where a reader sees other items than the stored value.
package struct Embed: Sendable {
    /// The maximum nesting depth of embedded items.
    package static let greatestDepth = 16

    package var pointer: JSONPointer
    package var selection: Selection
}

/// Something that happens to the items of a collection.
package enum ItemChange: Sendable {
    case create(Creation)
    case update(Target, Edit)
    case delete(Target)
    case upload(Upload)
    /// The same once for every element of an array.
    indirect case each(TreeTemplate, ItemChange)

    /// The items that are meant.
    package enum Target: Sendable {
        /// The items that the route found by this name.
        case found(String)
        case selected(Selection)
    }

    /// New items.
    package struct Creation: Sendable {
        package var collection: String
        package var item: TreeTemplate
        /// The number of new items.
        package var times: Int
        /// The account whose copy gets them; the caller's if `nil`.
        package var owner: TextTemplate?
        /// The name of the new account, where accounts are made.
        package var accountName: TextTemplate?
        /// The name by which the response speaks of the last one made.
        package var boundName: String?
    }

    /// The changes of an item's members, in this order.
    package struct Edit: Sendable {
        package var set: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Values that join an array, unless they are in it.
        package var add: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Values that leave an array.
        package var remove: [(pointer: JSONPointer, value: TreeTemplate)] = []
        /// Members that go.
        package var unset: [JSONPointer] = []

        package init() {}
    }

    /// The parts of a multipart body that are kept as files: each becomes an item with `path`, `filename`, `type`
    /// and `size`.
    package struct Upload: Sendable {
        package var part: String
        package var collection: String
        package var path: TextTemplate
        /// The name by which the response speaks of the paths.
        package var boundName: String?
    }
}

extension ItemChange {
    /// The name by which the response may speak of what is new.
    package var boundName: String? {
        switch self {
        case .create(let creation): creation.boundName
        case .upload(let upload): upload.boundName
        case .each(_, let change): change.boundName
        case .update, .delete: nil
        }
    }
}
