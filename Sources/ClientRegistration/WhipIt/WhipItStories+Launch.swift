import ClientServices
import ClientTesting
import JSON

extension WhipItAdapter {
    /// What the app does when it is opened.
    static let launchFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-09": { client, scene in try await client.openApp(in: scene) },
        "WI-10": { client, scene in try await client.openApp(in: scene) },
        "WI-11": { client, scene in
            let isSignedIn = try await client.service.isSignedIn
            await scene.report("screen", .string(isSignedIn ? "feed" : "login"))
        },
        "WI-21": { client, scene in try await client.openApp(in: scene) },
    ]
}

extension WhipItClient {
    /// The app is opened: a refresh, and then the feed, the login, or what went wrong.
    fileprivate func openApp(in scene: any StoryScene<WhipItClient>) async throws {
        let problem = await outcome { () throws(WhipItError) in try await service.refreshSession() }
        try await tellSession(to: scene)
        if let problem {
            await scene.report("error", .string(problem.status == .invalidAppKey ? "app key" : "network"))
        } else {
            _ = try await service.page(of: .feed)
        }
    }
}
