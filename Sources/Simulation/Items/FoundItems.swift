import JSON
import ScenarioFormat

/// What was found for a request, or made by its response: the items meant, and what a reader sees of them.
///
/// Nobody looks at the items before somebody asks for them: a list that is only counted costs no embedding.
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
    /// The items of the page as it is now.
    var page: [Int] = []
    var accountName: String?
    /// How many there are on all pages.
    var total = 0
    /// Where the page begins among all.
    var start = 0
    var next = JSONValue.null
    var sum: JSONNumber?
    /// Whether items have changed since they were looked up.
    var isStale = false
    /// What a reader sees of each item of the page, nothing of one that lacks what is to be shown; `nil` while nobody
    /// has looked.
    var seen: [JSONValue?]?

    init(_ collection: String, as view: Selection.View, isSingle: Bool) {
        self.collection = collection
        self.view = view
        self.isSingle = isSingle
    }

    /// Whether there is one, or any.
    var exists: Bool { isSingle ? !ids.isEmpty : total > 0 }

    /// What a reader sees of all of them, as far as somebody has looked: the item, or those of the list.
    var items: JSONValue? {
        isSingle ? seen?.first ?? nil : .array((seen ?? []).compactMap(\.self))
    }

    /// What is told of a list besides its items, by name.
    func fact(_ name: String) -> JSONValue? {
        switch name {
        case "count": .number(JSONNumber(page.count))
        case "total": .number(JSONNumber(total))
        case "start": .number(JSONNumber(start))
        case "next": next
        case "exists": .bool(exists)
        case "sum": sum.map(JSONValue.number)
        default: nil
        }
    }

    /// Everything that is told of a list, as one object.
    var list: JSONValue {
        var list = JSONObject()
        list["items"] = items
        for name in ["count", "total", "start", "next", "exists", "sum"] { list[name] = fact(name) }
        return .object(list)
    }
}
