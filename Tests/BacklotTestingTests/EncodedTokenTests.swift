import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Refresh tokens with characters that a body has to encode.
@Suite struct `A token that a body encodes` {
    @Test(arguments: [
        ("application/json", #"{"refreshToken":"1\/\/0st+or=d"}"#, true),
        ("application/json", #"{"refreshToken":"other"}"#, false),
        ("application/x-www-form-urlencoded", "refreshToken=1%2F%2F0st%2Bor%3Dd", true),
        // A server reads the plus sign as a space.
        ("application/x-www-form-urlencoded", "refreshToken=1//0st+or=d", false),
    ])
    func `is the stored one`(type: String, body: String, isSent: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            { "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": { "/refresh": { "post": {
              "operationId": "refresh",
              "requestBody": { "content": { "\(type)": { "schema": { "type": "object", "required": ["refreshToken"],
                "properties": { "refreshToken": { "type": "string" } } } } } },
              "responses": { "200": { "description": "A", "content": { "application/json": { "schema": {
                "type": "object", "required": ["accessToken", "refreshToken"], "properties": {
                  "accessToken": { "type": "string" }, "refreshToken": { "type": "string" } } } } } } } } } } }
            """,
            to: "openapi.json"
        )
        let client = ClientUnderTest<Refresher>(
            "Refresher",
            contract: folder.path + "/openapi.json",
            tokens: ["access": "stored", "refresh": "1//0st+or=d"]
        ) { setting in
            Refresher(setting)
        } session: { client in
            await ObservedSession(tokens: client.tokens.mapValues(\.self))
        } calls: {
            Call("refresh", .refresh) { try await $0.refresh(type, body) }
        }
        let report = try await client.testDocumentedResponses()
        let missing = report.failures.filter { $0.message.contains("without the stored refresh token") }
        #expect(report.passed == isSent && missing.isEmpty == isSent, "\(report)")
    }
}

private actor Refresher {
    private struct Grant: Decodable { var accessToken, refreshToken: String }

    private let setting: TestSetting
    private(set) var tokens: [String: String]

    init(_ setting: TestSetting) { (self.setting, tokens) = (setting, setting.tokens) }

    func refresh(_ type: String, _ body: String) async throws {
        var request = URLRequest(url: setting.url.appendingPathComponent("refresh"))
        request.httpMethod = "POST"
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(body.utf8)
        let (data, response) = try await setting.send(request)
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        let grant = try JSONDecoder().decode(Grant.self, from: data)
        tokens = ["access": grant.accessToken, "refresh": grant.refreshToken]
    }
}
