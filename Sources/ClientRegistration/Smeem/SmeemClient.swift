import ClientServices
import ClientTesting
import Foundation

/// Smeem's service with what it stores, as a launch of the app has it.
package struct SmeemClient: AppClient {
    let service: SmeemService
    let store: MemoryTokenStore
    let clock: any ServiceClock
    /// The sign-up that the user is in the middle of.
    let signUp = UnfinishedSignUp()

    init(_ setting: ClientSetting) throws {
        guard let url = URL(string: setting.url) else { throw URLError(.badURL) }
        clock = BridgedClock(time: setting.time)
        store = MemoryTokenStore(setting)
        service = SmeemService(baseURL: url, store: store, transport: setting.transport, clock: clock)
    }

    var isSignedIn: Bool {
        get async { (try? await service.isSignedIn) ?? false }
    }

    /// The tokens in the store, or else those of the sign-up.
    var tokens: Tokens? {
        get async {
            if let stored = await store.tokens() { return stored }
            return await signUp.value?.tokens
        }
    }

    /// Signs in, and remembers a sign-up that is not finished.
    func signIn(with credential: Smeem.SocialCredential) async throws(SmeemError) -> Smeem.SignIn {
        let result = try await service.signIn(with: credential)
        if case .unfinished(let signUp) = result { await self.signUp.begin(signUp) }
        return result
    }
}

/// A sign-up, once there is one.
actor UnfinishedSignUp {
    private(set) var value: Smeem.SignUp?

    func begin(_ signUp: Smeem.SignUp) { value = signUp }
}
