import ClientServices
import ClientTesting

extension MemoryTokenStore {
    /// A store with the tokens that the story has given to the app before it was opened.
    init(_ setting: ClientSetting) {
        guard let access = setting.tokens["access"], let refresh = setting.tokens["refresh"] else {
            self.init()
            return
        }
        self.init(Tokens(access: access, refresh: refresh))
    }
}

extension ClientSession {
    /// What an app knows of its session, and what it holds.
    init(isSignedIn: Bool, tokens: Tokens?) {
        self.init(
            isSignedIn: isSignedIn,
            tokens: tokens.map { ["access": $0.access, "refresh": $0.refresh] } ?? [:]
        )
    }
}
