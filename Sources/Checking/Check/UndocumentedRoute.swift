import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// A route that the contract does not have.
struct UndocumentedRoute {
    var route: Route
    var contract: Contract

    func finding(in loaded: LoadedScenario, contract path: String) -> Finding {
        let reasons = route.reasons
        let message = "the contract has no \(route.key.text)".printable
        return Finding(
            reasons == nil ? .error : .note,
            id: "check/undocumented-route",
            reasons.map { "\(message); it is so on purpose: \($0)".printable } ?? message,
            at: loaded.sources.place(of: route.position),
            advice: advice,
            related: [RelatedPlace(Place(file: path), "this is the contract")]
        )
    }

    private var advice: String? {
        let there = contract.operations(at: route.key.template.text).map(\.method.rawValue)
        if !there.isEmpty, route.key.method != nil {
            return "it has \(there.joined(separator: ", ")) on this path"
        }
        let labels = contract.operations.map(\.label)
        if let meant = Suggestion.nearest(to: route.key.text, among: labels) { return "did you mean \(meant)?" }
        return nil
    }
}

extension Route {
    /// Why the route is not documented, when every response of it breaks the contract on purpose.
    fileprivate var reasons: String? {
        let all = allResponses
        guard let first = all.first?.breaks, all.allSatisfy({ $0.breaks != nil }) else { return nil }
        return first
    }
}
