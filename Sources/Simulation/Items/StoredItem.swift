import JSON

/// An item as a collection holds it.
struct StoredItem: Sendable {
    /// Tells it from every other item of its session; an item that was made later has a larger one.
    let id: Int
    /// An object.
    var value: JSONValue
    /// The account's name, where the item is one.
    let accountName: String?
}

extension JSONValue {
    /// How deeply an item may nest, which is as deeply as a text may that is read.
    private static let greatestDepth = 512
    /// How many values an item may have in it: one that is put into itself again and again doubles each time.
    private static let mostValues = 100_000

    /// Whether it is small enough to be an item.
    var isFitForStoring: Bool {
        var waiting = [(value: self, depth: 1)]
        var count = 1
        while let (value, depth) = waiting.popLast() {
            let parts = value.array ?? value.object?.members.map(\.value) ?? []
            count += parts.count
            guard depth <= Self.greatestDepth, count <= Self.mostValues else { return false }
            for part in parts {
                switch part.content {
                case .array, .object: waiting.append((part, depth + 1))
                default: break
                }
            }
        }
        return true
    }
}
