import ClientServices
import ContractRunner
import Foundation

/// An app of kiwIT: its service, and where the tokens are kept.
package struct KiwITClient: Sendable {
    let service: KiwITService
    let store: MemoryTokenStore

    init(_ setting: ClientSetting) throws {
        guard let url = URL(string: setting.url + "/api/v1") else { throw URLError(.badURL) }
        let tokens: Tokens? =
            if let access = setting.tokens["access"], let refresh = setting.tokens["refresh"] {
                Tokens(access: access, refresh: refresh)
            } else {
                nil
            }
        store = MemoryTokenStore(tokens)
        service = KiwITService(
            baseURL: url,
            transport: setting.transport,
            store: store,
            clock: BridgedClock(time: setting.time)
        )
    }

    /// The tokens that are kept, as the server gives a pair.
    var pair: CallValue {
        get async throws {
            guard let tokens = await store.tokens() else { return .nothing }
            return try CallValue(["accessToken": tokens.access, "refreshToken": tokens.refresh])
        }
    }
}
