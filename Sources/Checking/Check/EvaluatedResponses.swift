import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// Remembers which responses were judged, so that a story answers only for what it changes.
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
    /// Where the scenario says the status, or where the response begins when it does not.
    var statusPosition: JSONPosition { tree["status"]?.position ?? position }

    /// The member of the response that says its body.
    var bodyMember: JSONObject.Member? {
        ["fixture", "json", "text", "file", "empty"].lazy.compactMap { tree.object?.member(named: $0) }.first
    }
}
