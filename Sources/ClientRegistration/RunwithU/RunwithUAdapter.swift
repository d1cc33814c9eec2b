import ClientServices
package import ClientTesting
import Foundation

/// Puts RunwithU's service under test.
package struct RunwithUAdapter: ClientAdapter {
    package let name = "RunwithU"
    package let contract = "Contracts/runwithu/openapi.json"
    package let stories: String? = "Scenarios/runwithu"

    package init() {}

    package func makeClient(_ setting: ClientSetting) async throws -> RunwithUClient {
        guard let url = URL(string: setting.url) else { throw URLError(.badURL) }
        let store = MemoryTokenStore(setting)
        let service = RunwithUService(
            baseURL: url,
            appKey: "runwithu-key",
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
        return RunwithUClient(
            service: service,
            store: store,
            clock: BridgedClock(time: setting.time),
            provider: setting.origins["portone"].map { RunwithUProvider(url: $0, transport: setting.transport) }
        )
    }

    package var operations: [ClientOperation<RunwithUClient>] {
        Self.accountOperations + Self.runnerOperations + Self.listOperations + Self.postOperations
            + Self.paymentOperations
    }

    package var flows: [String: StoryFlow<RunwithUClient>] {
        Self.tokenStories.merging(Self.accountStories) { first, _ in first }
            .merging(Self.feedStories) { first, _ in first }
            .merging(Self.groupStories) { first, _ in first }
            .merging(Self.paymentStories) { first, _ in first }
    }

    package func session(of client: RunwithUClient) async -> ClientSession {
        await client.session
    }

    package func name(of error: any Error) -> String {
        (error as? RunwithUError)?.shortName ?? "\(error)"
    }

    package func decodingError(in error: any Error) -> DecodingError? {
        guard case .unreadable(let response) = error as? RunwithUError else { return error as? DecodingError }
        return response.reason
    }
}

/// RunwithU as it runs in a test: the service, and what its app has beside it.
package struct RunwithUClient: AppClient {
    let service: RunwithUService
    let store: MemoryTokenStore
    let clock: BridgedClock
    /// The payment provider's SDK, in stories that have the provider.
    let provider: RunwithUProvider?

    var isSignedIn: Bool {
        get async { (try? await service.isSignedIn) ?? false }
    }
}
