import Findings
import JSONText
import OpenAPIContracts
import ScenarioFormat
import TestSupport
import Testing

@testable import ContractRunner

/// Large contracts of real services, which lie outside the project: see `Suites`.
@Suite
struct `The draft of a large contract` {
    private static let contracts = ["openapi/stripe/spec3.json", "openapi/adyen/CheckoutService-v71.json"]

    // Skipped where the suites are not beside the project and BACKLOT_SUITES does not say where they are.
    @Test(.enabled(if: contracts.allSatisfy(Suites.has)), arguments: contracts)
    func `has a route for every operation, loads, and keeps to the contract`(path: String) throws {
        let drafting = try Drafting(try Suites.bytes(of: path))
        #expect(drafting.draft.routeCount == drafting.contract.operations.count)
        let scenario = try drafting.load()
        #expect(scenario.findings.filter { $0.severity > .note }.map(\.description) == [])
        #expect(violations(of: drafting) == [])
    }

    /// What the contract says against the bodies of the routes' own replies.
    private func violations(of drafting: Drafting) -> [String] {
        let judge = ContractJudge(drafting.contract)
        let answers = SampleAnswers(drafting.contract, seed: 0)
        return drafting.contract.operations.flatMap { operation in
            guard let answer = answers.usual(of: operation) else { return ["\(operation.label) has no answer"] }
            return judge.violations(
                ofStatus: answer.status,
                fields: answer.httpFields,
                body: answer.json,
                to: operation
            )
            .map { "\(operation.label): \($0.message)" }
        }
    }
}
