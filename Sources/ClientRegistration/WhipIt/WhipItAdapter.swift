import ClientServices
package import ClientTesting
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
        guard let url = URL(string: setting.url + "/") else { throw WhipItError.unsendable(setting.url) }
        let store = MemoryTokenStore(setting)
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
        await client.session
    }

    package func name(of error: any Error) -> String {
        guard let error = error as? WhipItError else { return "\(type(of: error))" }
        return switch error {
        case .refused(let status, _): "\(status)(\(status.rawValue))"
        case .unknownStatus(let status, _): "unknownStatus(\(status))"
        case .transport(.other): "transport(other)"
        case .transport(let failure): "transport(\(failure))"
        case .unreadable: "unreadable"
        case .signedOut: "signedOut"
        case .sessionEnded(let reason): "sessionEnded(\(reason))"
        case .storage: "storage"
        case .unsendable: "unsendable"
        }
    }

    package func decodingError(in error: any Error) -> DecodingError? {
        guard case WhipItError.unreadable(let response) = error else { return error as? DecodingError }
        return response.reason
    }
}

/// WhipIt as one launch of the app has it: the service, and the keychain.
package struct WhipItClient: AppClient {
    let service: WhipItService
    let store: MemoryTokenStore

    var isSignedIn: Bool {
        get async { (try? await service.isSignedIn) ?? false }
    }
}
