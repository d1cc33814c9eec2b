import Findings
import HTTPWire
import JSONText
import OpenAPIContracts
import ProjectFiles
import ScenarioFormat

/// Finds statuses that a story waits for and nothing ever answers with.
struct StatusMentions {
    private let loaded: LoadedScenario
    private let contract: Contract

    init(_ loaded: LoadedScenario, _ contract: Contract) {
        self.loaded = loaded
        self.contract = contract
    }

    var findings: [Finding] {
        ["expect", "timeline", "given"].compactMap { loaded.root[$0] }.flatMap(findings)
    }

    /// Everywhere in the tree an exchange is named by its route, and perhaps by its status.
    private func findings(in tree: JSONValue) -> [Finding] {
        switch tree.content {
        case .array(let values): return values.flatMap(findings)
        case .object(let object):
            var found = object.members.flatMap { findings(in: $0.value) }
            // Another server keeps to another contract.
            guard object["origin"] == nil, let name = object["request"]?.string, let status = object["status"] else {
                return found
            }
            for value in status.array ?? [status] {
                if let status = value.int, let finding = finding(status, of: name, at: value.position) {
                    found.append(finding)
                }
            }
            return found
        default: return []
        }
    }

    private func finding(_ status: Int, of name: String, at position: JSONPosition) -> Finding? {
        guard let route = loaded.scenario.routes.first(where: { $0.key.text.utf8.elementsEqual(name.utf8) }),
            !given(by: route).contains(status), !documents(status, route)
        else { return nil }
        let statuses = Array(given(by: route)).sorted().map(String.init).joined(separator: ", ")
        return Finding(
            .error,
            id: "check/unexpected-status",
            "\(name) never answers with \(status)".printable,
            at: loaded.sources.place(of: position),
            advice: "it answers with \(statuses), and the contract documents no \(status)"
        )
    }

    /// Every status that the scenario can answer with on a route.
    private func given(by route: Route) -> Set<Int> {
        let scenario = loaded.scenario
        var replies = route.allReplies
        replies += (scenario.earlyGuards + scenario.lateGuards).map(\.reply)
        replies += [scenario.invalidRequest].compactMap(\.self)
        // The server's own words, where the scenario has none: no such token, and a list of replies that has ended.
        var statuses: Set<Int> = route.requirements.isEmpty ? [500] : [401, 500]
        if scenario.invalidRequest == nil { statuses.insert(400) }
        for requirement in route.requirements {
            replies += requirement.rejections.map(\.reply)
            replies += scenario.tokens.kind(named: requirement.kind)?.rejections.map(\.reply) ?? []
        }
        statuses.formUnion(replies.map(\.status))
        return statuses
    }

    private func documents(_ status: Int, _ route: Route) -> Bool {
        guard let method = route.key.method else { return true }
        return contract.operation(method, template: route.key.template)?.response(for: status) != nil
    }
}
