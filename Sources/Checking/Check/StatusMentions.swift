import Basics
import HTTPCodec
import JSON
import OpenAPI
import ScenarioFormat

/// Finds statuses that a story waits for and that no response has.
struct StatusMentions {
    let loaded: LoadedScenario
    let contract: Contract?

    var findings: [Finding] {
        let held = (loaded.root["routes"]?.object?.members ?? []).compactMap { $0.value["hold"] }
        return (["expect", "timeline", "given", "hold"].compactMap { loaded.root[$0] } + held).flatMap {
            findings(in: $0)
        }
    }

    /// Everywhere in the tree an exchange is named by its route, and perhaps by its status.
    private func findings(in tree: JSONValue) -> [Finding] {
        switch tree.content {
        case .array(let values): return values.flatMap { findings(in: $0) }
        case .object(let object):
            let found = object.members.flatMap { findings(in: $0.value) }
            guard let name = (object["request"] ?? object["answered"])?.string, let status = object["status"] else {
                return found
            }
            let statuses = (status.array ?? [status]).compactMap { value in
                value.int.map { (status: $0, position: value.position) }
            }
            return found + findings(statuses, of: name, in: object)
        default: return []
        }
    }

    private func findings(
        _ statuses: [(status: Int, position: JSONPosition)],
        of name: String,
        in object: JSONObject
    ) -> [Finding] {
        let origin = object["origin"]?.string
        let routes =
            origin.map { name in loaded.scenario.origins.first { $0.name == name }?.routes ?? [] }
            ?? loaded.scenario.routes
        guard let route = routes.first(where: { $0.key.text.exact == name.exact }) else { return [] }
        // Another server has another contract.
        let contract = origin == nil ? contract : nil
        let possible = given(by: route, keepsTo: contract)
        let impossible = statuses.filter { !possible.contains($0.status) }
        let isVain = impossible.count == statuses.count && Self.isRequired(object)
        return impossible.compactMap { status, position in
            let isDocumented = contract.map { documents(status, route, $0) } ?? false
            // What is written for clients of many servers may well mention more than this one has.
            guard isVain || (contract != nil && !isDocumented) else { return nil }
            let list = possible.sorted().map(String.init).joined(lastBy: "or")
            let documented =
                contract == nil
                ? "add a response with \(status) to the route, or correct the expectation"
                : isDocumented
                    ? "the contract documents \(status), so add a response with this status to the route"
                    : "the contract does not document \(status)"
            return Finding(
                .error,
                id: "check/unexpected-status",
                "\(name) never answers with \(status)".printable,
                at: loaded.sources.place(of: position),
                advice: "the status can be \(list); \(documented)"
            )
        }
    }

    /// Returns whether the pattern of an exchange is one that must be there.
    private static func isRequired(_ object: JSONObject) -> Bool {
        guard let count = object["count"] else { return true }
        return (count.int ?? count["atLeast"]?.int ?? 0) > 0
    }

    /// Every status that the scenario, and the server for it, can respond with on a route.
    private func given(by route: Route, keepsTo contract: Contract?) -> Set<Int> {
        let scenario = loaded.scenario
        var responses = route.allResponses
        responses += (scenario.earlyGuards + scenario.lateGuards).map(\.response)
        responses += [scenario.invalidRequest].compactMap(\.self)
        // The server's own words, where the scenario has none: no such token, and a list of responses that has ended.
        var statuses: Set<Int> = route.allRequirements.isEmpty ? [500] : [401, 500]
        if scenario.invalidRequest == nil { statuses.insert(400) }
        for requirement in route.allRequirements {
            responses += requirement.rejections.map(\.response)
            responses += scenario.tokens.kind(named: requirement.kind)?.rejections.map(\.response) ?? []
        }
        statuses.formUnion(responses.map(\.status))
        // No case takes the request; nothing is found whose bytes are sent; a collection is full.
        let isOpen = route.responses.own != nil || !route.responses.listed.isEmpty && route.responses.afterLast != .own
        if !isOpen || responses.contains(where: \.sendsContent) { statuses.insert(404) }
        if responses.contains(where: { !$0.changes.isEmpty }) { statuses.insert(507) }
        // A contract that is enforced refuses requests.
        if contract != nil { statuses.formUnion([400, 415, 422]) }
        if contract != nil, scenario.undocumented == .refuse { statuses.formUnion([404, 405]) }
        return statuses
    }

    private func documents(_ status: Int, _ route: Route, _ contract: Contract) -> Bool {
        guard let method = route.key.method else { return true }
        return contract.operation(method, template: route.key.template)?.response(for: status) != nil
    }
}

extension StubResponse {
    fileprivate var sendsContent: Bool {
        if case .content = body { true } else { false }
    }
}
