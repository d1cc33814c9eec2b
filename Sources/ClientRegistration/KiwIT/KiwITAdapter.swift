import ClientServices
package import ClientTesting

/// Puts kiwIT's service under test.
package struct KiwITAdapter: ClientAdapter {
    package init() {}

    package var name: String { "kiwIT" }
    package var contract: String { "Contracts/kiwit/openapi.json" }
    package var stories: String? { "Scenarios/kiwit" }

    package func makeClient(_ setting: ClientSetting) async throws -> KiwITClient {
        try KiwITClient(setting)
    }

    package var operations: [ClientOperation<KiwITClient>] {
        Self.session + Self.profile + Self.lectures + Self.quizzes + Self.trophies + Self.interviews
    }

    package var flows: [String: StoryFlow<KiwITClient>] {
        Self.tokenStories.merging(Self.learningStories) { first, _ in first }
            .merging(Self.accountStories) { first, _ in first }
    }

    package func session(of client: KiwITClient) async -> ClientSession {
        await client.session
    }

    package func name(of error: any Error) -> String {
        guard let error = error as? KiwITError else { return "\(error)" }
        return switch error {
        case .transport(let failure): "transport(\(failure))"
        case .emptyBody: "emptyBody"
        case .unreadable: "unreadable"
        case .invalidRequestBody: "invalidRequestBody"
        case .invalidToken(let reason): "invalidToken(\(reason))"
        case .invalidContent: "invalidContent"
        case .unexpectedStatus(let status): "unexpectedStatus(\(status))"
        case .signedOut: "signedOut"
        case .storage: "storage"
        case .unsendable: "unsendable"
        }
    }

    package func decodingError(in error: any Error) -> DecodingError? {
        guard case KiwITError.unreadable(let response) = error else { return nil }
        return response.reason
    }
}
