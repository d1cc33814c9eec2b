import Basics
import HTTPCodec
import JSON
package import OpenAPI

/// Makes a first scenario of a contract: a route for every operation, with a fixture that its schema allows.
///
/// The same contract, name and seed give the same bytes. What no contract says, such as how long a token lives, is
/// guessed, and a `$comment` beside it says so.
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

    package func draft() -> ScenarioDraft {
        var findings: [Finding] = []
        let routes = draftRoutes(&findings)
        let tokens = TokenGuesses(contract, routes)
        findings += tokens.findings
        let refusals = RefusalGuesses(contract, routes, tokens, answers)
        var shelf = DraftFixtures()
        let rules = tokens.rules(refusing: refusals, on: &shelf)
        let written = routes.map { route in
            (route.key, json(of: route, tokens, refusals, on: &shelf))
        }
        let backend = ScenarioDraft.File(path: "backend.json", bytes: JSONLayout.utf8(backend(rules, written)))
        return ScenarioDraft(
            files: [backend] + shelf.files,
            routeCount: routes.count,
            tokenKinds: tokens.kinds.map(\.name),
            findings: findings
        )
    }

    private func backend(_ tokens: JSONValue?, _ routes: [(String, JSONValue)]) -> JSONValue {
        var backend: JSONObject = [:]
        if let schemaPath { backend["$schema"] = .string(schemaPath) }
        backend["$comment"] = [
            "Drafted from the contract by backlot init, and yours to change from here on.",
            "Fixtures are the contract's examples where it has some, and values made from its schemas elsewhere.",
        ]
        backend["backend"] = .string(contract.title.isEmpty ? "Backend" : contract.title)
        backend["contract"] = .string(contractPath)
        if let tokens { backend["tokens"] = tokens }
        backend["routes"] = .object(JSONObject(routes))
        return .object(backend)
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
                findings.append(skipped(operation, "an operation before it matches the very same requests", nil))
                return nil
            }
            guard let answer = answers.usual(of: operation) else {
                findings.append(skipped(operation, "no response could be made that the contract allows", nil))
                return nil
            }
            return DraftedRoute(operation: operation, key: "\(operation.method) \(template.text)", answer: answer)
        }
    }

    private func skipped(_ operation: Operation, _ problem: RoutePaths.Problem) -> Finding {
        switch problem {
        case .unsayable:
            let advice = "\"fill\": \"examples\" in the backend file lets the contract answer it"
            return skipped(operation, "scenarios cannot say its path", advice)
        case .anothers: return skipped(operation, "it would take the requests of another operation", nil)
        }
    }

    private func skipped(_ operation: Operation, _ reason: String, _ advice: String?) -> Finding {
        var place = contract.sources.place(of: operation.position)
        place.operation = operation.label
        return Finding(
            .warning,
            id: "init/no-route",
            "there is no route for it, because \(reason)",
            at: place,
            advice: advice
        )
    }

    private func json(
        of route: DraftedRoute,
        _ tokens: TokenGuesses,
        _ refusals: RefusalGuesses,
        on shelf: inout DraftFixtures
    ) -> JSONValue {
        var json: JSONObject = [:]
        let grants = tokens.grants(of: route)
        let comments = [tokens.comment(on: route), pathComment(of: route)].compactMap(\.self).map(JSONValue.string)
        if !comments.isEmpty { json["$comment"] = comments.count == 1 ? comments[0] : .array(comments) }
        if let requires = tokens.requirement(of: route, refusing: refusals, on: &shelf) { json["requires"] = requires }
        if let grants { json["grants"] = grants.json }
        let name = DraftFixtures.name(of: route.key)
        for member in route.answer.response(named: name, showing: grants?.tokens ?? [], on: &shelf).members {
            json.set(member)
        }
        return .object(json)
    }
}

extension ScenarioDrafter {
    private func pathComment(of route: DraftedRoute) -> String? {
        guard RoutePaths.isLoose(route.operation.path) else { return nil }
        return "This takes more than \(route.operation.path), because a parameter takes a whole segment."
    }
}

/// A route that is being drafted, and what it answers.
struct DraftedRoute: Sendable {
    var operation: Operation
    /// Method and path template, as the scenario has them.
    var key: String
    var answer: SampleResponse
}
