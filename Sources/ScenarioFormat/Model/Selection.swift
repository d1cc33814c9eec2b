package import JSON

/// Which items of a collection are meant, and how a reader sees them.
package struct Selection: Sendable {
    /// What of an item a reader sees.
    package enum View: Sendable {
        case everything
        /// These members, in this order.
        case members([String])
        /// The value in this place, instead of the item.
        case value(JSONPointer)
    }

    package var collection: String
    /// Whether the first item that fits is meant, instead of all.
    package var isSingle: Bool
    /// What an item must be like as it is stored.
    package var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
    /// What the request must be like for an item to be meant; it may speak of the item.
    package var requestCondition: Condition?
    /// The value that items are ordered by; in the order of their making if `nil`.
    package var order: JSONPointer?
    package var isDescending = false
    package var view = View.everything
    /// Whose copy of the collection; the caller's if `nil`.
    package var account: TextTemplate?
    package var page: Page?
    /// The numbers that are added up.
    package var sum: JSONPointer?
    package var position: JSONPosition

    package init(of collection: String, isSingle: Bool, position: JSONPosition = .unknown) {
        self.collection = collection
        self.isSingle = isSingle
        self.position = position
    }
}

/// A part of a long list, as a request asks for it.
package struct Page: Sendable {
    package enum Start: Sendable {
        /// The cursor is the value of the last item of the page before.
        case after(Cursor)
        /// The cursor is the value of the first item of the page.
        case from(Cursor)
        /// The number of the page, from zero.
        case number(TreeTemplate)
    }

    /// What a request sends to go on in a list.
    package struct Cursor: Sendable {
        package var sent: TreeTemplate
        /// Where an item has the value that the cursor is.
        package var pointer: JSONPointer
        /// Cursors that mean the beginning of the list.
        package var starts: [JSONValue]
        /// What stands for the next cursor when nothing follows.
        package var end: JSONValue

        package init(
            sent: TreeTemplate,
            pointer: JSONPointer,
            starts: [JSONValue] = [],
            end: JSONValue = JSONValue(.null)
        ) {
            self.sent = sent
            self.pointer = pointer
            self.starts = starts
            self.end = end
        }
    }

    package var start: Start
    /// How many items a page has; what is no whole number above zero means all.
    package var limit: TreeTemplate
    /// How many it has at most, whatever is asked for.
    package var maximum: Int?

    package init(start: Start, limit: TreeTemplate, maximum: Int? = nil) {
        self.start = start
        self.limit = limit
        self.maximum = maximum
    }
}

/// A selection that a route makes before its cases are looked at, under the name by which they speak of it.
package struct Find: Sendable {
    package var name: String
    package var selection: Selection

    package init(name: String, selection: Selection) {
        self.name = name
        self.selection = selection
    }
}
