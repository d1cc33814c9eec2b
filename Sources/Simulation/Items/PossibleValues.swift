import Basics
package import JSON
package import ScenarioFormat

/// The items that a selection can find for any request.
package struct PossibleValues: Sendable {
    /// Every value that can be found: each item as a reader sees it, or the whole list of them.
    package var values: [JSONValue]
    /// A Boolean value that indicates whether another account would find other items, or see them otherwise.
    package var differsByAccount: Bool
}

extension MockBackend {
    /// The items that a selection can find now for any request.
    ///
    /// Conditions that only a request can meet count as met, and a list is not cut into pages; it is returned once as
    /// the last page, and once as one that another follows.
    package func prospects(of selection: Selection, for account: String?) -> PossibleValues {
        var backend = self
        var context = ExchangeContext(at: start, seed: seed, stream: 0)
        context.account = account ?? defaultAccount
        var wide = selection
        wide.requestCondition = nil
        wide.page = nil
        wide.isSingle = false
        wide.conditions = selection.conditions.filter { !$0.matcher.asksRequest }
        if let owner = selection.account, owner.placeholders.contains(where: \.isAboutRequest) { wide.account = nil }
        let found = backend.select(wide, in: &context)
        let last = found.ids.last.flatMap { id in found.place.flatMap { backend.store[$0].item(id)?.value } }
        let values =
            selection.isSingle ? (found.seen ?? []).compactMap(\.self) : found.lists(of: selection, last: last)
        return PossibleValues(values: values, differsByAccount: played.scenario.differsByAccount(selection))
    }
}

extension FoundItems {
    /// A list as the last of its pages, and as one before it.
    ///
    /// - Parameter last: the last item.
    fileprivate func lists(of selection: Selection, last: JSONValue?) -> [JSONValue] {
        guard let page = selection.page else { return [list] }
        var found = self
        var nexts: [JSONValue] = []
        switch page.start {
        case .after(let cursor), .from(let cursor):
            nexts = [cursor.end] + [last.flatMap(cursor.pointer.value)].compactMap(\.self)
        case .number(_, let first): nexts = [.null, .number(JSONNumber(first + 1))]
        case .offset: nexts = [.null, 1]
        }
        return nexts.map { next in
            found.next = next
            return found.list
        }
    }
}

extension Scenario {
    /// Returns whether a selection, or what is embedded in its items, speaks of the account.
    fileprivate func differsByAccount(_ selection: Selection) -> Bool {
        let declaration = collections.first { $0.name.exact == selection.collection.exact }
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
            case .request(.account), .accountData: true
            default: false
            }
        }
    }

    /// A Boolean value that indicates whether only a request, or what was found for it before, gives the value.
    fileprivate var isAboutRequest: Bool {
        sources.contains { source in
            switch source {
            case .constant, .clock, .request(.account), .accountData, .item, .state, .currentCounter: false
            default: true
            }
        }
    }
}
