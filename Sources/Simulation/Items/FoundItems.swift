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

    /// An item that was created.
    init(_ item: StoredItem, of collection: String, at place: ItemStore.Place) {
        self.init(collection, as: .everything, isSingle: true)
        (self.place, accountName) = (place, item.accountName)
        (ids, page) = ([item.id], [item.id])
    }

    /// Takes in the items of a selection, in its order.
    ///
    /// - Parameters:
    ///   - positions: those of the items that the selection means, in the order of their making.
    ///   - items: all items of the copy.
    ///   - value: gives the values of templates.
    mutating func fill(
        with positions: [Int],
        of items: [StoredItem],
        _ selection: Selection,
        _ value: (TreeTemplate) -> JSONValue?
    ) {
        var positions = positions
        if let order = selection.order {
            positions = ItemOrder.sorted(positions, by: positions.map { order.value(in: items[$0].value) })
        }
        if selection.isDescending { positions.reverse() }
        guard !selection.isSingle else {
            if let first = positions.first {
                (ids, page) = ([items[first].id], [items[first].id])
                accountName = items[first].accountName
            }
            return
        }
        self.selection = selection
        total = positions.count
        if let sum = selection.sum {
            self.sum = JSONNumber(sumOf: positions.lazy.compactMap { sum.value(in: items[$0].value)?.number })
        }
        if let page = selection.page {
            let cut = PageCut(page, of: positions, in: items, value)
            (start, next) = (cut.start, cut.next)
            positions = Array(positions[cut.range])
        }
        page = positions.map { items[$0].id }
        ids = page
    }

    /// A Boolean value that indicates whether there is one, or any.
    var exists: Bool { isSingle ? !ids.isEmpty : total > 0 }

    /// The visible members of the examined items: the item, or those of the list.
    var items: JSONValue? {
        isSingle ? seen?.first ?? nil : .array((seen ?? []).compactMap(\.self))
    }

    /// The data of a list in addition to its items, by name.
    private func fact(_ name: String) -> JSONValue? {
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

    /// Returns whether a place in what was found is in the items, which must have been looked at.
    func shows(_ pointer: JSONPointer) -> Bool {
        isSingle || pointer.tokens.first.map { $0.exact == "items" } ?? true
    }

    /// A place in what was found; `nil` where there is nothing.
    func value(at pointer: JSONPointer) -> JSONValue? {
        guard !isSingle, let member = pointer.tokens.first else {
            return isSingle ? items.flatMap { pointer.value(in: $0) } : list
        }
        let rest = JSONPointer(tokens: Array(pointer.tokens.dropFirst()))
        return (shows(pointer) ? items : fact(member)).flatMap { rest.value(in: $0) }
    }

    /// All data of a list, as one object.
    var list: JSONValue {
        var list = JSONObject()
        list["items"] = items
        for name in ["count", "total", "start", "next", "exists", "sum"] { list[name] = fact(name) }
        return .object(list)
    }
}

extension JSONNumber {
    /// The sum of numbers: exact for whole ones within `Int`, else that of their nearest doubles.
    ///
    /// `nil` where the sum is larger than any double.
    fileprivate init?(sumOf numbers: some Sequence<JSONNumber>) {
        var whole: Int? = 0
        var sum = 0.0
        for number in numbers {
            whole = whole.flatMap { sum in
                number.int.flatMap { next in
                    let (result, overflows) = sum.addingReportingOverflow(next)
                    return overflows ? nil : result
                }
            }
            sum += number.double
        }
        guard let total = whole.map({ JSONNumber($0) }) ?? JSONNumber(sum) else { return nil }
        self = total
    }
}
