import Basics
import OpenAPI
import Testing

@testable import ClientTesting

/// What a matrix knows of a client before it calls it.
@Suite struct `A matrix's terms` {
    @Test func `know a refresh token and an access token by their names`() {
        for names in [["access", "renewal"], ["device", "refreshToken"], ["session"]] {
            let kinds = TokenKindNames(names)
            #expect(kinds.access == names[0] && kinds.refresh == (names.count > 1 ? names[1] : "refresh"))
        }
    }

    @Test func `take an app's own key for no token of the session`() async throws {
        let text = ShelterContract.text
            .replacing(
                "\"operationId\": \"addPet\",\n        \"security\": [{ \"access\": [] }]",
                with: "\"operationId\": \"addPet\",\n        \"security\": [{ \"key\": [] }]"
            )
            .replacing(
                "\"renewal\": {",
                with: "\"key\": { \"type\": \"apiKey\", \"in\": \"header\", \"name\": \"X-Key\" }, \"renewal\": {"
            )
        let contract = try ShelterContract.loaded(text)
        try #require(contract.operations.contains { $0.security.contains { $0.contains { $0.scheme == "key" } } })
        let options = ResponseCheckOptions(operations: ["addPet"])
        let result = try await ResponseCheck(ShelterAdapter(bugs: [.noToken]), contract: contract, options).run()
        #expect(result.findings == [], "\(result)")
        #expect(!result.cells.contains { $0.answer == "401 once" })
    }

    /// Each object of `security` is an alternative (OpenAPI 3.1, section 4.8.10), and the client may choose one.
    @Test(arguments: [("[{}, { \"access\": [] }]", true), ("[{ \"access\": [] }, { \"access\": [] }]", false)])
    func `require a token only where each alternative does`(_ security: String, isOptional: Bool) async throws {
        let own = "\"operationId\": \"addPet\",\n        \"security\": "
        let text = ShelterContract.text.replacing("\(own)[{ \"access\": [] }]", with: "\(own)\(security)")
        try #require(text != ShelterContract.text)
        let options = ResponseCheckOptions(operations: ["addPet"])
        let adapter = ShelterAdapter(bugs: [.noToken])
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded(text), options).run()
        #expect(result.findings.isEmpty == isOptional, "\(result)")
    }

    @Test func `want each operation to be adapted once`() async throws {
        let adapter = ShelterAdapter(repeated: ["getPets"])
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded()).run()
        #expect(result.findings.map(\.id) == ["responses/adapted-twice"])
        #expect(
            result.findings.first?.message == "getPets is adapted more than once, and only the first call is used"
        )
    }

    @Test func `tell of an adapter that makes no client, and blame no response`() async throws {
        let adapter = ClientlessAdapter()
        let options = ResponseCheckOptions(operations: ["getPets"])
        let result = try await ResponseCheck(adapter, contract: try ShelterContract.loaded(), options).run()
        #expect(result.findings.map(\.id) == ["responses/no-client"])
        #expect(
            result.findings.first?.message
                == "the client for getPets could not be created: the adapter threw CancellationError()"
        )
    }
}

/// An adapter that fails before anything is asked.
private struct ClientlessAdapter: ClientAdapter {
    struct Client: Sendable {}

    let name = "None"
    let contract = ShelterContract.path
    let operations = [ClientOperation<Client>("getPets") { _ in .nothing }]

    func makeClient(_ setting: ClientSetting) async throws -> Client { throw CancellationError() }

    func session(of client: Client) async -> ObservedSession { ObservedSession(isSignedIn: false, tokens: [:]) }
}
