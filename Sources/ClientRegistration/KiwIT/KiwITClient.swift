import ClientServices
import ClientTesting
import Foundation

/// An app of kiwIT: its service, and where the tokens are kept.
package struct KiwITClient: AppClient {
    let service: KiwITService
    let store: MemoryTokenStore

    init(_ setting: ClientSetting) throws {
        guard let url = URL(string: setting.url + "/api/v1") else { throw URLError(.badURL) }
        store = MemoryTokenStore(setting)
        service = KiwITService(
            baseURL: url,
            store: store,
            transport: setting.transport,
            clock: BridgedClock(time: setting.time)
        )
    }

    var isSignedIn: Bool {
        get async { (try? await service.isSignedIn) ?? false }
    }

    /// The tokens that are kept, as the server gives a pair.
    var pair: CallValue {
        get async throws {
            guard let tokens = await store.tokens() else { return .nothing }
            return try CallValue(["accessToken": tokens.access, "refreshToken": tokens.refresh])
        }
    }
}
