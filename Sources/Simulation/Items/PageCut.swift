import JSON
import ScenarioFormat

/// The part of a list that makes a page.
struct PageCut {
    /// The items of the page, counted from the beginning of the list.
    var range: Range<Int>
    /// Where the page begins, or would begin if the list were longer.
    var start: Int
    /// The cursor for the next page, or the value for the end.
    var next: JSONValue

    private init(_ range: Range<Int>, start: Int, next: JSONValue) {
        self.range = range
        self.start = start
        self.next = next
    }

    /// Cuts the page that a request asks for.
    ///
    /// - Parameter value: gives the values of the templates that read the request.
    init(_ page: Page, of positions: [Int], in items: [StoredItem], _ value: (TreeTemplate) -> JSONValue?) {
        let limit = page.size(asked: value(page.limit))
        switch page.start {
        case .number(let template, let first):
            self.init(number: value(template), firstPage: first, limit: limit, of: positions.count)
        case .offset(let template): self.init(offset: value(template), limit: limit, of: positions.count)
        case .after(let cursor), .from(let cursor):
            let isAfter = if case .after = page.start { true } else { false }
            let sent = value(cursor.sent)
            self.init(cursor, isAfter: isAfter, sent: sent, limit: limit, of: positions.count) { number in
                cursor.pointer.value(in: items[positions[number]].value)
            }
        }
    }

    /// Cuts the page that a cursor leads to.
    ///
    /// No cursor, null and an empty one mean the beginning. One that no item has finds an empty page behind the list.
    ///
    /// - Parameters:
    ///   - isAfter: whether the page begins after the item with the cursor's value, instead of at it.
    ///   - sent: what the request sends.
    ///   - value: the cursor's value of an item of the list.
    init(
        _ cursor: Page.Cursor,
        isAfter: Bool,
        sent: JSONValue?,
        limit: Int?,
        of count: Int,
        value: (Int) -> JSONValue?
    ) {
        var first = 0
        if let sent, !sent.isNull, sent.string?.isEmpty != true,
            !cursor.starts.contains(where: { $0.corresponds(to: sent) })
        {
            let fits = { (number: Int) in value(number)?.corresponds(to: sent) ?? false }
            // Of several items with the value, a page begins after the last one or at the first one, so that paging
            // comes to an end.
            first =
                isAfter
                ? (0..<count).last(where: fits).map { $0 + 1 } ?? count : (0..<count).first(where: fits) ?? count
        }
        let end = limit.map { first + min($0, count - first) } ?? count
        range = first..<end
        start = first
        next = end < count && end > first ? value(isAfter ? end - 1 : end) ?? .null : cursor.end
    }

    /// Cuts a page by its number; a page behind the list is empty, and anything but a page's number finds
    /// the first page.
    ///
    /// - Parameter firstPage: the number of the first page.
    init(number sent: JSONValue?, firstPage: Int = 0, limit: Int?, of count: Int) {
        let number = max(0, (sent?.ordinal ?? firstPage) &- firstPage)
        let limit = limit ?? max(count, 1)
        let (first, overflows) = number.multipliedReportingOverflow(by: limit)
        guard !overflows, first < count else {
            self.init(count..<count, start: overflows ? .max : first, next: .null)
            return
        }
        let end = first + min(limit, count - first)
        self.init(first..<end, start: first, next: end < count ? .number(JSONNumber(number + 1 + firstPage)) : .null)
    }

    /// Cuts a page by how many items come before it; what is no such number finds the first page.
    init(offset sent: JSONValue?, limit: Int?, of count: Int) {
        let offset = sent?.ordinal ?? 0
        let first = min(offset, count)
        let end = first + min(limit ?? count, count - first)
        self.init(first..<end, start: offset, next: end < count ? .number(JSONNumber(end)) : .null)
    }
}

extension Page {
    /// Returns the maximum number of items of a page; `nil` for all.
    ///
    /// A request that asks for something other than a whole number above zero gets the page of one that does not ask.
    ///
    /// - Parameter asked: what the request asks for.
    fileprivate func size(asked: JSONValue?) -> Int? {
        [asked?.pageSize ?? usualSize, maximum].compactMap(\.self).min()
    }

    /// The size without a wish of the request.
    private var usualSize: Int? {
        guard case .value(let placeholder, _) = limit else { return nil }
        return placeholder.fallback?.pageSize
    }
}

extension JSONValue {
    /// The value of a whole number above zero, or the largest one where it is larger.
    fileprivate var pageSize: Int? { ordinal.flatMap { $0 > 0 ? $0 : nil } }

    /// The value of a whole number that is not negative, or the largest one where it is larger.
    fileprivate var ordinal: Int? {
        guard let number = asNumber, number.isInteger, number.double >= 0 else { return nil }
        return number.int ?? .max
    }

    /// The value of a whole number, also of one that a request sends as text.
    var wholeNumber: Int? { asNumber?.int }
}
