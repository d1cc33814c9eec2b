package import JSON

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
        /// What the route has found under this name.
        case found(String)
        case selected(Selection)
    }

    /// New items.
    package struct Creation: Sendable {
        package var collection: String
        package var item: TreeTemplate
        /// How many are made.
        package var times: Int
        /// Whose copy of the collection they go into; the caller's if `nil`.
        package var owner: TextTemplate?
        /// The name of the new account, where accounts are made.
        package var accountName: TextTemplate?
        /// The name by which the response speaks of the last one made.
        package var boundName: String?

        package init(
            collection: String,
            item: TreeTemplate,
            times: Int = 1,
            owner: TextTemplate? = nil,
            accountName: TextTemplate? = nil,
            boundName: String? = nil
        ) {
            self.collection = collection
            self.item = item
            self.times = times
            self.owner = owner
            self.accountName = accountName
            self.boundName = boundName
        }
    }

    /// What becomes of an item's members, in this order.
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

        package init(part: String, collection: String, path: TextTemplate, boundName: String? = nil) {
            self.part = part
            self.collection = collection
            self.path = path
            self.boundName = boundName
        }
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
