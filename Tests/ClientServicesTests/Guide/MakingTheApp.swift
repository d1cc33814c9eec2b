import ClientServices
import Foundation

@available(macOS 14, iOS 17, *)
@MainActor
func makeApp(talkingTo server: URL, keepingTokensIn store: some TokenStore) -> WhipItApp {
    WhipItApp(WhipItService(baseURL: server, appKey: "the app's key", store: store))
}
