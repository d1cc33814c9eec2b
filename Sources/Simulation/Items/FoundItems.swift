import Basics
import JSON
import ScenarioFormat

/// The items found for a request, or created by its response, with their visible members.
///
/// The items are not looked at before they are asked for: a list that is only counted costs no embedding.
struct FoundItems {
    let collection: String
    let view: Selection.View
    /// A Boolean value that indicates whether one item is meant instead of a list.
    let isSingle: Bool
    /// The selection to repeat after changes; `nil` for fixed items.
    var selection: Selection?
    /// The copy that they are in; `nil` where nothing could be found.
    var place: ItemStore.Place?
    /// The items of the page as they were found, in its order, for what changes them by name.
    var ids: [Int] = []
    /// The items of the page as it is now.
    var page: [Int] = []
    var accountName: String?
    /// The number of items on all pages.
    var total = 0
    /// The place where the page begins among all.
    var start = 0
    var next = JSONValue.null
    var sum: JSONNumber?
    /// A Boolean value that indicates whether items have changed since they were looked up.
    var isStale = false
    /// The visible members of each item of the page, nothing for one without the members to show; `nil` while none
    /// has looked.
    var seen: [JSONValue?]?

    init(_ collection: String, as view: Selection.View, isSingle: Bool) {
        self.collection = collection
        self.view = view
        self.isSingle = isSingle
    }

    /// A Boolean value that indicates whether there is one, or any.
    var exists: Bool { isSingle ? !ids.isEmpty : total > 0 }

    /// The visible members of the examined items: the item, or those of the list.
    var items: JSONValue? {
        isSingle ? seen?.first ?? nil : .array((seen ?? []).compactMap(\.self))
    }

    /// The data of a list in addition to its items, by name.
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

    /// All data of a list, as one object.
    var list: JSONValue {
        var list = JSONObject()
        list["items"] = items
        for name in ["count", "total", "start", "next", "exists", "sum"] { list[name] = fact(name) }
        return .object(list)
    }
}
