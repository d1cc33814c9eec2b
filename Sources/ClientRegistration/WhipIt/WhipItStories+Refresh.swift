import ClientServices
import ClientTesting
import JSON

extension WhipItAdapter {
    /// What users do while tokens expire.
    static let refreshFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-02": { client, _ in _ = try await client.service.page(of: .feed) },
        "WI-03": { client, _ in try await client.openProfileTab() },
        "WI-04": { client, scene in
            async let tab: Void = client.openProfileTab()
            try await scene.wait(seconds: 1)
            _ = try await client.service.page(of: .feed)
            try await tab
        },
        "WI-05": { client, scene in
            if scene.variant == "on-withdraw" {
                try await client.leaveAgain()
            } else {
                try await client.openFeedAgain()
            }
        },
        "WI-06": { client, scene in
            let logins = await client.countLogins()
            await withTaskGroup { group in
                for follower in ["656f1c0ac91bb39798f0a002", "656f1c0ac91bb39798f0a003", "656f1c0ac91bb39798f0a004"] {
                    group.addTask { _ = try? await client.service.profile(of: follower) }
                    group.addTask { _ = try? await client.service.page(of: .user(follower), size: 6) }
                }
            }
            // What was told before the calls failed is counted still.
            logins.cancel()
            await scene.report("loginsShown", .number(JSONNumber(await logins.value)))
        },
        "WI-07": { client, scene in await client.openFeed(in: scene) },
        "WI-08": { client, scene in await client.openFeed(in: scene) },
        "WI-14": { client, scene in
            await client.openFeed(in: scene)
            guard try await !client.service.isSignedIn else { return }
            try await client.logIn()
            _ = try await client.service.page(of: .feed)
        },
        "WI-15": { client, _ in
            let paths = try await client.service.page(of: .feed).elements.flatMap(\.pictures).prefix(2)
            try await withThrowingTaskGroup { group in
                for path in paths { group.addTask { _ = try await client.service.picture(at: path) } }
                group.addTask { _ = try await client.service.myProfile() }
                try await group.waitForAll()
            }
        },
    ]
}

extension WhipItClient {
    /// The user opens the feed, and is told when that fails.
    fileprivate func openFeed(in scene: any StoryScene<WhipItClient>) async {
        let problem = await outcome { () throws(WhipItError) in _ = try await service.page(of: .feed) }
        await scene.report("showsError", .bool(problem != nil))
        try? await tellSession(to: scene)
    }

    /// The user opens the feed, logs in where that is asked for, and opens it then.
    fileprivate func openFeedAgain() async throws {
        let problem = await outcome { () throws(WhipItError) in _ = try await service.page(of: .feed) }
        guard problem != nil, try await !service.isSignedIn else { return }
        try await logIn()
        _ = try await service.page(of: .feed)
    }

    /// The user withdraws, logs in where that is asked for, and withdraws then.
    fileprivate func leaveAgain() async throws {
        let problem = await outcome { () throws(WhipItError) in _ = try await service.withdraw() }
        guard problem != nil, try await !service.isSignedIn else { return }
        try await logIn()
        _ = try await service.withdraw()
    }
}
