import ClientServices
import ContractRunner
import JSONText

extension WhipItAdapter {
    /// What the app does when it is opened.
    static let launchFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-09": { client, _ in
            try await client.service.refreshSession()
            _ = try await client.service.page(of: .feed)
        },
        "WI-10": { client, _ in
            try await client.service.refreshSession()
            _ = try await client.service.page(of: .feed)
        },
        "WI-11": { client, scene in
            let isSignedIn = try await client.service.isSignedIn
            await scene.report("screen", .string(isSignedIn ? "feed" : "login"))
        },
        "WI-21": { client, scene in
            let problem = await outcome { () throws(WhipItError) in try await client.service.refreshSession() }
            guard problem == nil else {
                await scene.report("error", .string(problem?.status == .invalidAppKey ? "app key" : "network"))
                return
            }
            _ = try await client.service.page(of: .feed)
        },
    ]
}
