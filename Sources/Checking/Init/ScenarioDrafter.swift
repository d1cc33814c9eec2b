import Basics
import HTTPCodec
import JSON
package import OpenAPI
package import ScenarioFormat

/// Makes a first scenario of a contract: a route for every operation, with a fixture that its schema allows.
///
/// The same contract, name and seed give the same bytes. What no contract says, such as a token's lifetime, is
/// guessed, and a `$comment` next to it says so.
package struct ScenarioDrafter: Sendable {
    private let contract: Contract
    /// The value of the scenario's `contract`.
    private let contractPath: String
    /// The value of the scenario's `$schema`, when there is such a file.
    private let schemaPath: String?
    private let answers: SampleResponses

    /// - Parameters:
    ///   - contractPath: the contract's path as the backend file names it.
    ///   - schemaPath: the path of the format's JSON Schema as the backend file names it.
    package init(_ contract: Contract, at contractPath: String, schemaPath: String? = nil, seed: UInt64 = 0) {
        self.contract = contract
        self.contractPath = contractPath
        self.schemaPath = schemaPath
        answers = SampleResponses(contract, seed: seed)
    }

    package func draft() -> BackendDraft {
        var findings: [Finding] = []
        let routes = draftRoutes(&findings)
        let tokens = TokenGuesses(contract, routes)
        findings += tokens.findings
        let refusals = RefusalGuesses(contract, routes, tokens, answers)
        var fixtures = DraftFixtures()
        let rules = tokens.rules(refusing: refusals, on: &fixtures)
        let written = routes.map { route in
            (route.key, draft(of: route, tokens, refusals, on: &fixtures).json)
        }
        let comment: JSONValue = [
            "Generated from the contract by backlot init; you can edit this file.",
            "Fixtures contain the contract's examples or, if an example is missing, values that match the schemas.",
        ]
        let members: DraftScenario = [
            .backend: .string(contract.title.isEmpty ? "Backend" : contract.title),
            .contract: .string(contractPath), .tokens: rules, .routes: .object(JSONObject(written)),
        ]
        let schema: DraftScenario = [.schema: schemaPath.map(JSONValue.string)]
        let backend = schema.setting(DraftScenario(comment: comment, members))
        let stories =
            TokenStories(routes, tokens, refusals, title: contract.title)?.documents(schemaPath: schemaPath) ?? []
        return BackendDraft([.init(backend)] + stories, with: fixtures.files, layout: .fitted, findings: findings)
    }

    // MARK: Routes

    private func draftRoutes(_ findings: inout [Finding]) -> [DraftedRoute] {
        let paths = RoutePaths(contract)
        var keys: Set<String> = []
        return contract.operations.compactMap { operation in
            let template: PathTemplate
            do throws(RoutePaths.Problem) {
                template = try paths.template(of: operation)
            } catch {
                findings.append(skipped(operation, error))
                return nil
            }
            guard keys.insert("\(operation.method) \(template.shape)").inserted else {
                findings.append(skipped(operation, "an earlier operation matches the same requests", nil))
                return nil
            }
            guard let answer = answers.usual(of: operation) else {
                findings.append(skipped(operation, "no response that the contract allows could be generated", nil))
                return nil
            }
            let route = DraftedRoute(operation: operation, key: "\(operation.method) \(template.text)", answer: answer)
            return DocumentedGrant(contract).completing(route)
        }
    }

    private func skipped(_ operation: Operation, _ problem: RoutePaths.Problem) -> Finding {
        switch problem {
        case .unsayable:
            let advice = "add \"fill\": \"examples\" to the backend file to send responses from the contract"
            return skipped(operation, "scenarios cannot express its path", advice)
        case .anothers: return skipped(operation, "its route would receive another operation's requests", nil)
        }
    }

    private func skipped(_ operation: Operation, _ reason: String, _ advice: String?) -> Finding {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return Finding(
            .warning,
            id: "init/no-route",
            "the operation has no route, because \(reason)",
            at: place,
            advice: advice
        )
    }

    private func draft(
        of route: DraftedRoute,
        _ tokens: TokenGuesses,
        _ refusals: RefusalGuesses,
        on fixtures: inout DraftFixtures
    ) -> DraftRoute {
        var draft = DraftRoute()
        let grants = tokens.grants(of: route)
        draft.add(comments: [tokens.comment(on: route), pathComment(of: route)].compactMap(\.self))
        draft[.requires] = tokens.requirement(of: route, refusing: refusals, on: &fixtures)
        draft[.grants] = grants?.json
        // A token of another server, which the stub cannot check, begins a session here.
        if grants != nil, tokens.kinds(wantedBy: route.operation).contains(where: { $0.grantedBy == nil }) {
            draft[.signIn] = true
        }
        let name = DraftFixtures.name(of: route.key)
        let response = route.answer.response(named: name, showing: grants?.tokens ?? [], on: &fixtures)
        if let condition = tokens.refreshes(of: route.operation),
            let refresh = tokens.kinds.first(where: { $0.role == .refresh })
        {
            var refreshing: DraftRoute = [
                .when: condition.json, .requires: .string(refresh.name), .grants: grants?.json,
            ]
            refreshing.set(response)
            draft[.cases] = [refreshing.json]
        }
        draft.set(response)
        return draft
    }
}

extension ScenarioDrafter {
    private func pathComment(of route: DraftedRoute) -> String? {
        guard RoutePaths.isLoose(route.operation.path) else { return nil }
        return "This route matches more than \(route.operation.path), because a parameter matches a whole segment."
    }
}

/// A route that is being drafted, and its responses.
struct DraftedRoute: Sendable {
    var operation: Operation
    /// Method and path template, as the scenario has them.
    var key: String
    var answer: SampleResponse
}
