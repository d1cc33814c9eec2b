import Basics
import Checking
import ClientTesting
import JSON
import OpenAPI
import Reports
import ScenarioFormat
import TestSupport
import Testing

/// Large contracts of real services, which lie outside the project: see `Suites`.
@Suite
struct `The draft of a large contract` {
    /// Of the largest one every eighth path: the rest is of the same making and would only take its time.
    private static let contracts = [("openapi/stripe/spec3.json", 8), ("openapi/adyen/CheckoutService-v71.json", 1)]

    @Test(
        .enabled(
            if: contracts.map(\.0).allSatisfy { Suites.has($0) },
            "suites/openapi is not there; set BACKLOT_SUITES"
        ),
        arguments: contracts
    )
    func `has a route for every operation, and keeps to the contract`(path: String, step: Int) throws {
        let drafting = try Drafting(try Self.everyPath(step, of: Suites.bytes(of: path)))
        #expect(drafting.contract.operations.count > 20)
        #expect(drafting.draft.routeCount == drafting.contract.operations.count)
        let report = try drafting.check()
        let told = report.allFindings.filter {
            $0.severity > .note && $0.place?.file?.hasSuffix("openapi.json") != true
        }
        #expect(told.map(\.description) == [])
        #expect(report.checks.count >= drafting.draft.routeCount)
    }

    /// The contract with one path of so many.
    private static func everyPath(_ step: Int, of bytes: [UInt8]) throws -> [UInt8] {
        guard step > 1 else { return bytes }
        let root = try JSONParser().parse(bytes).root
        var contract = try #require(root.object)
        let paths = try #require(contract["paths"]?.object)
        let kept = paths.members.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
        contract["paths"] = .object(JSONObject(kept))
        return Array(JSONValue.object(contract).text(.compact).utf8)
    }
}
