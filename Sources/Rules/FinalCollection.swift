import Basics
package import JSON
import ScenarioFormat
import Simulation

/// What is stored of one collection at the end, for everybody or for one account.
package struct FinalCollection: Sendable {
    package var name: String
    /// Whose copy it is; `nil` where there is one for everybody.
    package var account: String?
    /// As they are stored, in their order.
    package var items: [JSONValue]

    package init(name: String, account: String? = nil, items: [JSONValue]) {
        self.name = name
        self.account = account
        self.items = items
    }
}

extension FinalCollection {
    /// How deep an item is looked into, so that a saved journal is not too deep to be read again.
    private static let depth = 480

    /// The collections of a session that its story has expectations of.
    static func all(of session: Session) -> [FinalCollection] {
        let wanted = session.stage.scenario.expectations.compactMap { expectation -> String? in
            guard case .items(let pattern, _) = expectation.content else { return nil }
            return pattern.collection
        }
        guard !wanted.isEmpty else { return [] }
        let secrets = Secrets(session.ledger)
        return session.items.filter { wanted.containsExactly($0.collection) }.map { stored in
            FinalCollection(
                name: stored.collection,
                account: stored.account,
                items: stored.items.map { secrets.hidden(in: $0, depth: depth) }
            )
        }
    }

    func isMeant(by pattern: ItemPattern) -> Bool {
        guard name.hasSameUTF8(as: pattern.collection) else { return false }
        return pattern.account.map { account?.hasSameUTF8(as: $0) ?? false } ?? true
    }
}

/// The values of a session's tokens, which nobody needs who looks back.
private struct Secrets {
    private let values: Set<ExactText>

    init(_ ledger: TokenLedger) {
        values = Set(ledger.tokens.map { ExactText($0.value) })
    }

    /// A value with a stand-in for each token that is stored in it, and nothing where it is too deep.
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

    /// A token stands alone, or behind its scheme and a space.
    private func hidden(in text: String) -> String {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard words.contains(where: { values.contains(ExactText($0)) }) else { return text }
        return words.map { values.contains(ExactText($0)) ? Token.standIn(for: $0) : $0 }.joined(separator: " ")
    }
}
