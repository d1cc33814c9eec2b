import ContractRunner
import Findings
import OpenAPIContracts
import Reports
import TestSupport
import Testing

/// Large contracts of real services, which lie outside the project: see `Suites`.
@Suite
struct `The draft of a large contract` {
    private static let contracts = ["openapi/stripe/spec3.json", "openapi/adyen/CheckoutService-v71.json"]

    // Skipped where the suites are not beside the project and BACKLOT_SUITES does not say where they are.
    @Test(.enabled(if: contracts.allSatisfy(Suites.has)), arguments: contracts)
    func `has a route for every operation, and keeps to the contract`(path: String) throws {
        let drafting = try Drafting(try Suites.bytes(of: path))
        #expect(drafting.draft.routeCount == drafting.contract.operations.count)
        let report = try drafting.check()
        let told = report.allFindings.filter {
            $0.severity > .note && $0.place?.file?.hasSuffix("openapi.json") != true
        }
        #expect(told.map(\.description) == [])
        #expect(report.checks.count >= drafting.draft.routeCount)
    }
}
