import ClientServices
import Foundation

@MainActor
func makeApp(talkingTo server: URL, keepingTokensIn store: some TokenStore) -> WhipItApp {
    WhipItApp(WhipItService(baseURL: server, appKey: "the app's key", store: store))
}
