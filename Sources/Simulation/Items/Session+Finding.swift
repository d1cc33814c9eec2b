import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

extension Session {
    /// Looks up what the route's cases and responses may speak of.
    mutating func find(_ finds: [Find], in context: inout ExchangeContext) {
        for find in finds { context.bind(pick(find.selection, in: &context), as: find.name) }
    }

    /// The items of a selection, as a reader sees them.
    mutating func select(_ selection: Selection, in context: inout ExchangeContext) -> FoundItems {
        var found = pick(selection, in: &context)
        look(at: &found, in: &context)
        return found
    }

    /// A place in what was found under a name; `nil` where there is nothing.
    mutating func foundValue(
        _ name: String,
        at pointer: JSONPointer,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        guard let number = context.foundNumber(of: name) else { return nil }
        var found = context.found[number].items
        defer { context.found[number].items = found }
        if found.isStale { lookUpAgain(&found, in: &context) }
        guard !found.isSingle, let member = pointer.tokens.first else {
            if found.seen == nil { look(at: &found, in: &context) }
            return found.isSingle ? found.items.flatMap { pointer.value(in: $0) } : found.list
        }
        let rest = JSONPointer(tokens: Array(pointer.tokens.dropFirst()))
        if member.exact == "items" {
            if found.seen == nil { look(at: &found, in: &context) }
            return found.items.flatMap { rest.value(in: $0) }
        }
        return found.fact(member).flatMap { rest.value(in: $0) }
    }

    /// Takes in what has changed since: a list is selected again, so that it tells how many there are now; one item
    /// stays the same item, and is seen as it was when it is gone.
    private mutating func lookUpAgain(_ found: inout FoundItems, in context: inout ExchangeContext) {
        found.isStale = false
        if let selection = found.selection {
            let ids = found.ids
            found = pick(selection, in: &context)
            found.ids = ids
        } else if let place = found.place, found.page.allSatisfy({ store[place].item($0) != nil }) {
            found.seen = nil
        }
    }

    /// Notes what a reader sees of items now.
    mutating func look(at found: inout FoundItems, in context: inout ExchangeContext) {
        var seen: [JSONValue?] = []
        for id in found.page {
            guard let item = found.place.flatMap({ store[$0].item(id) }) else { continue }
            if context.embedding > 0, !context.embeddedWork.show(of: found.collection) { break }
            seen.append(sight(of: item.value, of: found.collection, as: found.view, in: &context))
        }
        found.seen = seen
    }

    // MARK: Picking

    /// The items of a selection, before they are examined.
    mutating func pick(_ selection: Selection, in context: inout ExchangeContext) -> FoundItems {
        var found = FoundItems(selection.collection, as: selection.view, isSingle: selection.isSingle)
        let account = selection.account.map { render($0, in: &context) }
        found.place = place(of: selection.collection, account: account, caller: context.account)
        var positions = found.place.map { fitting(selection, at: $0, in: &context) } ?? []
        let collection = found.place.map { store[$0] }
        let items = collection?.items ?? []
        if let order = selection.order {
            positions = ItemOrder.sorted(positions, by: positions.map { order.value(in: items[$0].value) })
        }
        if selection.isDescending { positions.reverse() }
        guard !selection.isSingle else {
            if let first = positions.first {
                (found.ids, found.page) = ([items[first].id], [items[first].id])
                found.accountName = items[first].accountName
            }
            return found
        }
        found.selection = selection
        found.total = positions.count
        if let sum = selection.sum {
            found.sum = JSONNumber(sumOf: positions.lazy.compactMap { sum.value(in: items[$0].value)?.number })
        }
        if let page = selection.page {
            let cut = cut(page, of: positions, in: items, &context)
            (found.start, found.next) = (cut.start, cut.next)
            positions = Array(positions[cut.range])
        }
        found.page = positions.map { items[$0].id }
        found.ids = found.page
        return found
    }

    /// The positions of the items that a selection means, in the order of their making.
    private mutating func fitting(
        _ selection: Selection,
        at place: ItemStore.Place,
        in context: inout ExchangeContext
    ) -> [Int] {
        var conditions: [(pointer: JSONPointer, matcher: Matcher)] = []
        for condition in selection.conditions {
            conditions.append((condition.pointer, settled(condition.matcher, in: &context)))
        }
        let candidates = store.candidates(for: conditions, at: place)
        let items = store[place].items
        // Where nothing is put in order, the first one that fits is it.
        let isEnough = selection.isSingle && selection.order == nil
        var positions: [Int] = []
        let count = candidates?.count ?? items.count
        if context.embedding > 0, !context.embeddedWork.look(at: count, of: selection.collection) { return [] }
        for step in 0..<count {
            let number = isEnough && selection.isDescending ? count - 1 - step : step
            let position = candidates?[number] ?? number
            let item = items[position].value
            let fits = conditions.allSatisfy {
                self.fits($0.matcher, $0.pointer.value(in: item), isLoose: true, in: &context)
            }
            guard fits else {
                if context.undecided != nil { return [] }
                continue
            }
            if let condition = selection.requestCondition, !holds(condition, of: item, in: &context) { continue }
            positions.append(position)
            if isEnough { break }
        }
        return positions
    }

    private mutating func holds(
        _ condition: Condition,
        of item: JSONValue,
        in context: inout ExchangeContext
    ) -> Bool {
        let outer = context.item
        context.item = item
        defer { context.item = outer }
        return holds(condition, in: &context)
    }

    private mutating func cut(
        _ page: Page,
        of positions: [Int],
        in items: [StoredItem],
        _ context: inout ExchangeContext
    ) -> PageCut {
        let limit = page.size(asked: valueIfAny(of: page.limit, in: &context))
        switch page.start {
        case .number(let template, let first):
            let sent = valueIfAny(of: template, in: &context)
            return PageCut(number: sent, firstPage: first, limit: limit, of: positions.count)
        case .offset(let template):
            return PageCut(offset: valueIfAny(of: template, in: &context), limit: limit, of: positions.count)
        case .after(let cursor), .from(let cursor):
            let isAfter = if case .after = page.start { true } else { false }
            let sent = valueIfAny(of: cursor.sent, in: &context)
            return PageCut(cursor, isAfter: isAfter, sent: sent, limit: limit, of: positions.count) { number in
                cursor.pointer.value(in: items[positions[number]].value)
            }
        }
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

extension Session {
    /// The visible form of an item: embedded items instead of stored values, reduced to the shown members.
    mutating func sight(
        of item: JSONValue,
        of collection: String,
        as view: Selection.View,
        in context: inout ExchangeContext
    ) -> JSONValue? {
        let declaration = played.scenario.collections.first { $0.name.exact == collection.exact }
        guard let embeds = declaration?.embeds, !embeds.isEmpty, context.embedding < Embed.greatestDepth else {
            return item.shown(as: view)
        }
        let outer = context.item
        context.item = item
        context.embedding += 1
        defer {
            context.item = outer
            context.embedding -= 1
        }
        var sight = item
        for embed in embeds where view.shows(embed.pointer) {
            let found = select(embed.selection, in: &context)
            let path = embed.pointer.tokens[...]
            if let value = found.items {
                sight.put(value, at: path)
            } else {
                sight.remove(at: path)
            }
        }
        return sight.shown(as: view)
    }
}

extension JSONValue {
    /// The part of an item that is shown; `nil` where it lacks the one value that is asked for.
    fileprivate func shown(as view: Selection.View) -> JSONValue? {
        switch view {
        case .everything: return self
        case .value(let pointer): return pointer.value(in: self)
        case .members(let names):
            var shown = JSONObject()
            for name in names { self[name].map { shown[name] = $0 } }
            return .object(shown)
        }
    }
}

extension Session {
    /// Keeps the parts of a name as files, each with an item.
    mutating func keep(_ upload: ItemChange.Upload, in context: inout ExchangeContext) -> Problem? {
        guard let place = place(of: upload.collection, account: nil, caller: context.account) else { return nil }
        var found = FoundItems(upload.collection, as: .value(JSONPointer(tokens: ["path"])), isSingle: false)
        found.place = place
        for part in context.request.parts(upload.part) {
            guard store.hasRoom(in: place) else { return .tooManyItems(in: upload.collection) }
            context.uploadedPart = part
            let path = render(upload.path, in: &context)
            context.uploadedPart = nil
            var item = JSONObject()
            item["path"] = .string(path)
            item["filename"] = .string(part.filename ?? "")
            item["type"] = .string(part.mediaType)
            item["size"] = .number(JSONNumber(part.body.count))
            let size = JSONValue.object(item).storedSize ?? 0
            guard hasRoom(for: size) else { return .tooMuchStored }
            let stored = store.add(.object(item), size: size, to: place)
            store.keep(Array(part.body), of: stored)
            found.ids.append(stored.id)
            context.noteItemsChanged()
        }
        found.total = found.ids.count
        found.page = found.ids
        if let name = upload.boundName { context.bind(found, as: name) }
        return nil
    }

    /// The bytes and the media type of the file that was found under a name; `nil` if no file was found.
    ///
    /// The type is what the path says, and only without that what the sender has said: a browser would run what a
    /// stranger sends as `text/html`.
    func content(of name: String, in context: ExchangeContext) -> (bytes: [UInt8], type: String)? {
        guard let found = context.foundNumber(of: name).map({ context.found[$0].items }), let place = found.place,
            let id = found.ids.first, let bytes = store.files[id], let item = store[place].item(id)
        else { return nil }
        let type = item.value["path"]?.string.flatMap { MediaTypes.knownType(ofFile: $0) }
        return (bytes, type ?? item.value["type"]?.string ?? "application/octet-stream")
    }

    func uploadValue(_ aspect: Placeholder.UploadAspect, in context: ExchangeContext) -> JSONValue? {
        guard let part = context.uploadedPart else { return nil }
        return switch aspect {
        case .filename: part.filename.map(JSONValue.string)
        case .name: part.filename.map { .string(MediaTypes.name(of: $0)) }
        case .type: .string(part.mediaType)
        case .extension: .string(part.fileExtension)
        }
    }
}

extension MultipartForm.Part {
    /// Its media type; plain bytes without one.
    fileprivate var mediaType: String { contentType ?? "application/octet-stream" }

    /// The extension of the file's name, otherwise the usual one of its type, otherwise "bin".
    fileprivate var fileExtension: String {
        let own = filename.map { MediaTypes.fileExtension(of: $0) } ?? ""
        return own.isEmpty ? MediaTypes.usualExtension(ofType: mediaType) ?? "bin" : own
    }
}

/// The items that a selection can find for any request.
package struct PossibleValues: Sendable {
    /// Every value that can be found: each item as a reader sees it, or the whole list of them.
    package var values: [JSONValue]
    /// A Boolean value that indicates whether another account would find other items, or see them otherwise.
    package var differsByAccount: Bool
}

extension Session {
    /// The items that a selection can find now for any request.
    ///
    /// Conditions that only a request can meet count as met, and a list is not cut into pages; it is returned once as
    /// the last page, and once as one that another follows.
    package func prospects(of selection: Selection, for account: String?) -> PossibleValues {
        var session = self
        var context = asideContext(at: start, stream: 0)
        context.account = account ?? defaultAccount
        var wide = selection
        wide.requestCondition = nil
        wide.page = nil
        wide.isSingle = false
        wide.conditions = selection.conditions.filter { !$0.matcher.asksRequest }
        if let owner = selection.account, owner.placeholders.contains(where: \.isAboutRequest) { wide.account = nil }
        let found = session.select(wide, in: &context)
        let values = selection.isSingle ? (found.seen ?? []).compactMap(\.self) : session.lists(found, of: selection)
        return PossibleValues(values: values, differsByAccount: session.differsByAccount(selection))
    }

    /// A list as the last of its pages, and as one before it.
    private func lists(_ found: FoundItems, of selection: Selection) -> [JSONValue] {
        var found = found
        guard let page = selection.page else { return [found.list] }
        var nexts: [JSONValue] = []
        switch page.start {
        case .after(let cursor), .from(let cursor):
            let last = found.ids.last.flatMap { id in found.place.flatMap { store[$0].item(id)?.value } }
            nexts = [cursor.end] + [last.flatMap(cursor.pointer.value)].compactMap(\.self)
        case .number(_, let first): nexts = [.null, .number(JSONNumber(first + 1))]
        case .offset: nexts = [.null, 1]
        }
        return nexts.map { next in
            found.next = next
            return found.list
        }
    }

    /// Returns whether a selection, or what is embedded in its items, speaks of the account.
    private func differsByAccount(_ selection: Selection) -> Bool {
        let declaration = played.scenario.collections.first { $0.name.exact == selection.collection.exact }
        return declaration?.scope == .account || selection.isAboutAccount
            || declaration?.embeds.contains { $0.selection.isAboutAccount } ?? false
    }
}

extension Selection {
    fileprivate var isAboutAccount: Bool {
        conditions.contains { $0.matcher.operands.contains(where: \.isAboutAccount) }
    }
}

extension Matcher {
    /// The placeholders of every operand.
    package var operands: [Placeholder] {
        switch self {
        case .all(let matchers): matchers.flatMap(\.operands)
        case .not(let matcher), .each(let matcher), .words(let matcher): matcher.operands
        case .made(_, let template): template.placeholders
        default: []
        }
    }

    fileprivate var asksRequest: Bool { operands.contains(where: \.isAboutRequest) }
}

extension Placeholder {
    fileprivate var isAboutAccount: Bool {
        sources.contains { source in
            switch source {
            case .accountName, .accountData: true
            default: false
            }
        }
    }

    /// A Boolean value that indicates whether only a request, or what was found for it before, gives the value.
    fileprivate var isAboutRequest: Bool {
        sources.contains { source in
            switch source {
            case .constant, .clock, .accountName, .accountData, .item, .state, .currentCounter: false
            default: true
            }
        }
    }
}
