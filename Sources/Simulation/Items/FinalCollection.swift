import Basics
package import JSON
package import ScenarioFormat

/// The final items of one collection, for all accounts or for one.
package struct FinalCollection: Sendable, Hashable {
    package var name: String
    /// The owner of the copy; `nil` if all accounts share one.
    package var account: String?
    /// As stored, in their order.
    package var items: [JSONValue]

    package init(name: String, account: String? = nil, items: [JSONValue]) {
        self.name = name
        self.account = account
        self.items = items
    }

    package func isMeant(by pattern: ItemPattern) -> Bool {
        guard name.exact == pattern.collection.exact else { return false }
        return pattern.account.map { account?.exact == $0.exact } ?? true
    }
}

extension FinalCollection: RecordedObject {
    package init() { self.init(name: "", items: []) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("name", &name)
        form.member("account", &account)
        form.member("items", &items)
    }
}

extension MockBackend {
    /// The maximum depth of a written item, so that a saved journal can be read again.
    private static let finalDepth = 480

    /// The collections that the story has expectations of.
    package var finalCollections: [FinalCollection] {
        let wanted = played.scenario.expectedCollections
        guard !wanted.isEmpty else { return [] }
        let secrets = Secrets(ledger)
        return items.filter { wanted.contains($0.collection.exact) }.map { stored in
            FinalCollection(
                name: stored.collection,
                account: stored.account,
                items: stored.items.map { secrets.hidden(in: $0, depth: Self.finalDepth) }
            )
        }
    }
}

extension Scenario {
    fileprivate var expectedCollections: [String] {
        expectations.compactMap { expectation -> String? in
            guard case .items(let pattern, _) = expectation.content else { return nil }
            return pattern.collection
        }
    }
}

/// The values of a session's tokens, which a report does not need.
private struct Secrets {
    private let values: Set<ExactText>

    init(_ ledger: TokenLedger) {
        values = Set(ledger.tokens.map { $0.value.exact })
    }

    /// A value with a placeholder for each token that is stored in it, and nothing where it is too deep.
    func hidden(in value: JSONValue, depth: Int) -> JSONValue {
        switch value.content {
        case .string(let text): .string(hidden(in: text))
        case .array(let elements):
            depth == 0 ? .null : .array(elements.map { hidden(in: $0, depth: depth - 1) })
        case .object(let object):
            depth == 0
                ? .null
                : .object(JSONObject(object.members.map { ($0.name, hidden(in: $0.value, depth: depth - 1)) }))
        case .null, .bool, .number: value
        }
    }

    /// A token is alone, or after its scheme and a space.
    private func hidden(in text: String) -> String {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard words.contains(where: { values.contains($0.exact) }) else { return text }
        return words.map { values.contains($0.exact) ? Token.standIn(for: $0) : $0 }.joined(separator: " ")
    }
}
