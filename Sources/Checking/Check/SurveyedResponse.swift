import JSON
import OpenAPI
import ScenarioFormat

/// A response of a scenario, and the operations whose requests it can answer.
struct SurveyedResponse {
    var response: StubResponse
    /// How reports name it: `GET /pets 200`, `GET /pets 404, case 2`, `guard "one at a time" 429`.
    var label: String
    var operations: [Operation]
    /// What the route looks up before it answers.
    var finds: [Find] = []
    /// What must hold for the response's case, and what must not, since an earlier case would answer then.
    var condition: Condition?
    var earlier: [Condition] = []
    /// Whether the contract has no such answer, so that any documented error may be its model.
    var isModelled = false

    /// What the route looks up and the response shows something of.
    var shownFinds: [Find] {
        let placeholders = placeholders
        return finds.filter { find in placeholders.contains { $0.shows(find.name) } }
    }

    /// Whether the response shows something of whoever gets it.
    var showsAccounts: Bool {
        placeholders.contains { placeholder in
            switch placeholder.source {
            case .accountName, .accountData: true
            default: false
            }
        }
    }

    private var placeholders: [Placeholder] {
        response.body.placeholders + response.headers.flatMap(\.value.placeholders)
    }

    /// Why the response is not judged, when it is not.
    ///
    /// A lost response is judged by the body that it would have had, where the scenario says so; it needs none.
    var exceptions: String? {
        guard let fault = response.fault, fault.probability >= 1 else { return nil }
        if fault.kind == .lost {
            guard case .none = response.body else { return nil }
            return "no response arrives, because of the fault lost"
        }
        return "no whole response arrives, because of the fault \(fault.kind.rawValue)"
    }
}

extension Placeholder {
    /// Whether it takes its value from what was found under a name.
    fileprivate func shows(_ name: String) -> Bool {
        if case .found(let found, _) = source { found.hasSameUTF8(as: name) } else { false }
    }
}
