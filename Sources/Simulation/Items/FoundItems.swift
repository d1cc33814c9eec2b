import JSONText
import ScenarioFormat

/// What was found for a request, or made by its reply: the items meant, and what a reader sees of them.
struct FoundItems {
    let collection: String
    let view: Selection.View
    /// Whether one item is meant instead of a list.
    let isSingle: Bool
    /// What is looked up again after changes; `nil` where it is certain items that are meant.
    var selection: Selection?
    /// The copy that they are in; `nil` where nothing could be found.
    var place: ItemStore.Place?
    /// The items of the page as they were found, in its order, for what changes them by name.
    var ids: [Int] = []
    /// What a reader sees of each; nothing of one that lacks what is to be shown.
    var seen: [JSONValue?] = []
    var accountName: String?
    /// How many there are on all pages.
    var total = 0
    /// Where the page begins among all.
    var start = 0
    var next = JSONValue.null
    var sum: JSONNumber?
    /// Whether items have changed since they were looked at.
    var isStale = false
    /// What a reader sees: the item, or an object with the list.
    private(set) var value: JSONValue?

    init(_ collection: String, as view: Selection.View, isSingle: Bool) {
        self.collection = collection
        self.view = view
        self.isSingle = isSingle
    }

    /// Whether there is one, or any.
    var exists: Bool { isSingle ? !ids.isEmpty : total > 0 }

    /// Makes the value of what is seen of each item.
    mutating func finish() {
        isStale = false
        if isSingle {
            value = seen.first ?? nil
            return
        }
        let items = seen.compactMap(\.self)
        var list = JSONObject()
        list["items"] = .array(items)
        list["count"] = .number(JSONNumber(items.count))
        list["total"] = .number(JSONNumber(total))
        list["start"] = .number(JSONNumber(start))
        list["next"] = next
        list["exists"] = .bool(exists)
        if let sum { list["sum"] = .number(sum) }
        value = .object(list)
    }
}
