import Basics
import JSON
import OpenAPI
import ScenarioFormat
import Simulation

/// Remembers which responses were judged, so that a story is judged only for what it changes.
struct EvaluatedResponses {
    /// A response is the same when the same object of the same file says the same, for the same operations.
    private struct Key: Hashable {
        var contract: String
        var label: String
        var operations: [String]
        var file: String
        var position: JSONPosition
        var tree: [UInt8]
        var headers: [String]
        /// A hash of the accounts, where the response may show something of them.
        var accounts: Int
        /// A hash of what is stored, where the response may show what was found.
        var items: Int
    }

    private var seen: Set<Key> = []

    mutating func isNew(
        _ surveyed: SurveyedResponse,
        in loaded: LoadedScenario,
        storing stored: StoredHashes,
        contract: String
    ) -> Bool {
        let response = surveyed.response
        let finds = surveyed.shownFinds
        var position = response.position
        position.document = 0
        let key = Key(
            contract: contract,
            label: surveyed.label,
            operations: surveyed.operations.map(\.label),
            file: loaded.sources.path(of: response.position) ?? "",
            position: position,
            tree: response.tree.utf8(),
            headers: response.headers.map { "\($0.name): \($0.value.constant ?? "")" },
            accounts: !finds.isEmpty || surveyed.showsAccounts ? stored.accounts : 0,
            items: stored.hash(of: finds)
        )
        return seen.insert(key).inserted
    }
}

extension StubResponse {
    /// The position of the status in the scenario, or that of the response without one.
    var statusPosition: JSONPosition { tree["status"]?.position ?? position }

    /// The member of the response that says its body.
    var bodyMember: JSONObject.Member? {
        ["fixture", "json", "text", "file", "empty"].lazy.compactMap { tree.object?.member(named: $0) }.first
    }
}

/// The stored items of a session, as a number for each collection that shows whether another session stores the same.
struct StoredHashes {
    /// One number for all accounts, as the scenario declares them.
    let accounts: Int
    private let collections: [ItemCollection]
    private var hashes: [ExactText: Int] = [:]

    init(_ session: Session) {
        collections = session.played.scenario.collections
        var hasher = Hasher()
        for account in session.played.scenario.accounts {
            hasher.combine(account.name.exact)
            JSONValue.object(account.data).hash(into: &hasher)
        }
        accounts = hasher.finalize()
        for stored in session.items {
            var hasher = Hasher()
            hasher.combine(hashes[stored.collection.exact])
            for item in stored.items { item.hash(into: &hasher) }
            hashes[stored.collection.exact] = hasher.finalize()
        }
    }

    /// One number for all that some finds may show, embedded items included; 0 where they show nothing.
    func hash(of finds: [Find]) -> Int {
        var waiting = finds.map(\.selection.collection)
        var seen: Set<ExactText> = []
        var hasher = Hasher()
        while let name = waiting.popLast() {
            guard seen.insert(name.exact).inserted else { continue }
            hasher.combine(hashes[name.exact])
            guard let collection = collections.first(where: { $0.name.exact == name.exact }) else { continue }
            waiting += collection.embeds.map(\.selection.collection)
        }
        return seen.isEmpty ? 0 : hasher.finalize()
    }
}
