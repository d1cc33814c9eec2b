import ClientServices
package import ContractRunner
import Foundation

/// WhipIt's service under test.
package struct WhipItAdapter: ClientAdapter {
    package init() {}

    package let name = "WhipIt"
    package let contract = "Contracts/whipit/openapi.json"
    package let stories: String? = "Scenarios/whipit"
    package let refusals = SessionRefusals(expired: [419], ending: [401, 418, 419], endingRefresh: [401, 403, 418])

    package var operations: [ClientOperation<WhipItClient>] {
        Self.accountOperations + Self.listOperations + Self.postOperations + Self.commentOperations
            + Self.profileOperations + Self.pictureOperations
    }

    package var flows: [String: StoryFlow<WhipItClient>] {
        Self.launchFlows.merging(Self.refreshFlows) { $1 }.merging(Self.feedFlows) { $1 }
            .merging(Self.postFlows) { $1 }.merging(Self.accountFlows) { $1 }
    }

    package func makeClient(_ setting: ClientSetting) async throws -> WhipItClient {
        guard let url = URL(string: setting.url + "/") else { throw WhipItError.invalidRequest(setting.url) }
        var tokens: Tokens?
        if let access = setting.tokens["access"], let refresh = setting.tokens["refresh"] {
            tokens = Tokens(access: access, refresh: refresh)
        }
        let store = MemoryTokenStore(tokens)
        let service = WhipItService(
            baseURL: url,
            appKey: "whipit-key",
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
        return WhipItClient(service: service, store: store)
    }

    package func session(of client: WhipItClient) async -> ClientSession {
        var tokens: [String: String] = [:]
        if let stored = await client.store.tokens() {
            tokens = ["access": stored.access, "refresh": stored.refresh]
        }
        return ClientSession(isSignedIn: (try? await client.service.isSignedIn) ?? false, tokens: tokens)
    }

    package func name(of error: any Error) -> String {
        guard let error = error as? WhipItError else { return "\(type(of: error))" }
        return switch error {
        case .refused(let status, _): "\(status)(\(status.rawValue))"
        case .unknownStatus(let status, _): "unknownStatus(\(status))"
        case .connection(.other): "connection(other)"
        case .connection(let failure): "connection(\(failure))"
        case .unreadable: "unreadable"
        case .signedOut: "signedOut"
        case .sessionEnded(let reason): "sessionEnded(\(reason))"
        case .storage: "storage"
        case .invalidRequest: "invalidRequest"
        }
    }

    package func decodingError(in error: any Error) -> DecodingError? {
        guard case WhipItError.unreadable(let reply) = error else { return error as? DecodingError }
        return reply.reason
    }
}

/// WhipIt as one launch of the app has it: the service, and the keychain.
package struct WhipItClient: Sendable {
    let service: WhipItService
    let store: MemoryTokenStore
}
