import HTTPCodec
import HTTPServing
import JSON
import Simulation
import StubServing
import Testing

/// The contract judges held requests and their responses like every other.
@Suite(.timeLimit(.minutes(15)))
struct GateContractTests {
    private func library(_ moment: String) throws -> ScenarioLibrary {
        let hold = #""hold": { "until": 2, "order": "arrival", "decide": "\#(moment)" }, "routes": {"#
        return try ContractExample.library(#""routes": {"#, hold)
    }

    @Test(arguments: ["arrival", "release"])
    func `What a held exchange has that the contract does not allow is noted`(moment: String) async throws {
        try await withStub(try library(moment)) { stub in
            let held = try stub.hold(["/notes/7"])[0]
            #expect(try stub.client().get("/notes?limit=0").code == 200)
            #expect(try held.receive().text == #"{"id":"one","title":"t"}"#)
            let exchanges = try stub.admin(.get, "journal")["exchanges"]?.array ?? []
            let parts = exchanges.map { ($0["violations"]?.array ?? []).compactMap { $0["part"]?.string } }
            #expect(parts == [["body"], ["query limit"]])
        }
    }

    @Test(arguments: ["arrival", "release"])
    func `A held response that the contract forbids is replaced where it is enforced`(moment: String) async throws {
        try await withStub(try library(moment), { $0.contract = .enforce }) { stub in
            let held = try stub.hold(["/notes/7"])[0]
            #expect(try stub.client().get("/notes?limit=0").code == 400)
            #expect(try held.receive().code == 500)
            #expect(try stub.admin(.get, "journal")["exchanges"]?[0]?["status"] == 500)
        }
    }
}
