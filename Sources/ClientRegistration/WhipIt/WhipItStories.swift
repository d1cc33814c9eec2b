import ClientServices
import ClientTesting
import JSON

/// Actions of WhipIt's screens that several stories share.
extension WhipItClient {
    /// The user logs in.
    func logIn() async throws {
        try await service.signIn(email: "mina@example.com", password: "whip1234")
    }

    /// The app reports that it shows its login, where it does.
    func tellSession(to context: any StoryContext<WhipItClient>) async throws {
        if try await !service.isSignedIn { await context.report("signedOut", true) }
    }

    /// The profile tab sends three calls at once.
    func openProfileTab() async throws {
        async let profile = service.myProfile()
        async let posts = service.page(of: .user(WhipItAdapter.mina))
        async let liked = service.page(of: .liked)
        _ = try await (profile, posts, liked)
    }

    /// Starts to count the events that make the app show its login.
    func countLogins() async -> Task<Int, Never> {
        let events = await service.events
        return Task {
            var count = 0
            for await case .ended in events { count += 1 }
            return count
        }
    }
}

/// Returns whether anything is said to the user about a piece of work: what it threw.
func outcome(of work: () async throws(WhipItError) -> Void) async -> WhipItError? {
    do throws(WhipItError) {
        try await work()
        return nil
    } catch {
        return error
    }
}

extension WhipItAdapter {
    /// The app's actions when it is opened.
    static let launchFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-09": { client, context in try await client.openApp(in: context) },
        "WI-10": { client, context in try await client.openApp(in: context) },
        "WI-11": { client, context in
            let isSignedIn = try await client.service.isSignedIn
            await context.report("screen", .string(isSignedIn ? "feed" : "login"))
            guard context.variant == "logs-in", !isSignedIn else { return }
            try await client.logIn()
            _ = try await client.service.page(of: .feed)
        },
        "WI-21": { client, context in try await client.openApp(in: context) },
    ]
}

extension WhipItClient {
    /// The app is opened: a refresh, and then the feed, the login, or what went wrong.
    fileprivate func openApp(in context: any StoryContext<WhipItClient>) async throws {
        let problem = await outcome { () throws(WhipItError) in try await service.refreshSession() }
        try await tellSession(to: context)
        if let problem {
            await context.report("error", .string(problem.status == .invalidAppKey ? "app key" : "network"))
        } else {
            _ = try await service.page(of: .feed)
        }
    }
}

extension WhipItAdapter {
    /// Actions of new users.
    static let accountFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-17": { client, context in
            // "Cannot be checked now": the user taps once more, until the app knows.
            for _ in 1...3 {
                do {
                    guard try await client.service.canJoin(email: newcomer.email) else { return }
                    _ = try await client.service.join(newcomer)
                    return
                } catch let error as WhipItError where error.isTemporary {
                    try await context.wait(seconds: 2)
                }
            }
        },
        "WI-23": { client, _ in
            // The first launch ends with a logout, and the second one finds no session.
            guard try await !client.service.isSignedIn else { return try await client.service.signOut() }
            try await client.logIn()
            _ = try await client.service.page(of: .feed)
        },
        "WI-25": { client, context in
            let join = { () async throws(WhipItError) in _ = try await client.service.join(newcomer) }
            guard await outcome(of: join) != nil else { return }
            try await context.wait(seconds: 2)
            _ = await outcome(of: join)
        },
        "WI-19": { client, context in
            if context.variant == "post" {
                _ = try await client.service.publish(.coat(bytes: 48_213))
            } else {
                _ = try await client.service.join(newcomer)
                try await client.service.signIn(email: newcomer.email, password: newcomer.password)
            }
        },
    ]

    private static let newcomer = NewAccount(
        email: "newcomer@example.com",
        password: "whip1234",
        nickname: "위핏이88"
    )
}

extension WhipItAdapter {
    /// User actions with lists.
    static let feedFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-01": { client, context in
            if context.variant == "bookmarks" {
                await context.report("bookmarks", .number(JSONNumber(try await client.count(.liked))))
            } else {
                try await client.logIn()
                await context.report("shown", .number(JSONNumber(try await client.count(.feed))))
            }
        },
        "WI-12": { client, context in
            let posts = try await client.service.page(of: .feed).elements
            if let picture = posts.first?.pictures.first { _ = try await client.service.picture(at: picture) }
            await context.report("shown", .number(JSONNumber(posts.count)))
        },
        "WI-26": { client, context in
            let posts = try await client.service.page(of: .feed).elements
            await context.report("laidOutFirst", .bool(posts.allSatisfy { $0.pictureRatio != nil }))
            if let picture = posts.first?.pictures.first { _ = try await client.service.picture(at: picture) }
        },
        "WI-13": { client, context in
            let list = context.variant == "bookmarks" ? WhipIt.PostList.liked : .hashtag("ootd")
            let own = try await client.service.page(of: list).elements.filter {
                $0.productID == client.service.productID
            }
            if let picture = own.first?.pictures.first { _ = try await client.service.picture(at: picture) }
        },
        "WI-20": { client, context in
            let list = PagedList(client.service.posts(.feed))
            try await list.loadMore()
            if context.variant == "second-appearance" {
                let again = PagedList(client.service.posts(.feed))
                try await again.loadMore()
                await context.report("shown", .number(JSONNumber(await again.items.count)))
            } else {
                async let first: Void = list.loadMore()
                async let second: Void = list.loadMore()
                _ = try await (first, second)
                await context.report("shown", .number(JSONNumber(await list.items.count)))
            }
        },
    ]
}

extension WhipItClient {
    /// The user scrolls through a whole list.
    fileprivate func count(_ list: WhipIt.PostList) async throws -> Int {
        var count = 0
        for try await posts in service.posts(list) { count += posts.count }
        return count
    }
}

extension WhipItAdapter {
    /// User actions with posts and comments.
    static let postFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-16": { client, context in
            let post = try await client.service.post("65800597c91bb39798f0f1ca")
            let heart = WhipIt.LikeButton(client.service, post: post, userID: mina)
            if context.variant == "tapped-twice" {
                async let first = heart.tap()
                async let second = heart.tap()
                _ = try await (first, second)
            } else {
                try await heart.tap()
            }
        },
        "WI-18": { client, context in
            switch context.variant {
            case "profile":
                let picture = WhipIt.Picture(.bytes(2_000_000))
                let problem = await outcome { () throws(WhipItError) in
                    try await client.service.changeMyProfile(.picture(picture))
                }
                await context.report("showsError", .bool(problem != nil))
            case "proxy":
                let problem = await outcome { () throws(WhipItError) in
                    _ = try await client.service.publish(.coat(bytes: WhipIt.Picture.largestInPost + 1))
                }
                await context.report("showsError", .bool(problem != nil))
            default:
                let post = try await client.service.publish(.coat(bytes: 48_213))
                _ = try await client.service.page(of: .feed)
                for picture in post.pictures { _ = try await client.service.picture(at: picture) }
            }
        },
        "WI-24": { client, context in
            let jun = "656f1c0ac91bb39798f0a002"
            _ = try await client.service.profile(of: jun)
            let problem = await outcome { () throws(WhipItError) in _ = try await client.service.follow(jun) }
            let isFollowing = problem == nil || problem?.status == .conflict
            await context.report("following", .bool(isFollowing))
            await context.report("showsError", .bool(!isFollowing))
        },
        "WI-22": { client, context in
            let problem: WhipItError?
            if context.variant == "post-gone" {
                let posts = try await client.service.page(of: .feed).elements
                problem = await outcome { () throws(WhipItError) in
                    if let newest = posts.first { _ = try await client.service.comment("정보 부탁드려요", on: newest.id) }
                }
                _ = try await client.service.page(of: .feed)
            } else {
                problem = await outcome { () throws(WhipItError) in
                    try await client.service.deleteComment(
                        "6574ab20c91bb39798f0f1d2",
                        on: "6574a979c91bb39798f0f1c1"
                    )
                }
            }
            switch problem?.status {
            case .notOwner: await context.report("error", "not yours")
            case .notFound: await context.report("error", "gone")
            default: await context.report("error", .string("\(problem.map { "\($0)" } ?? "none")"))
            }
        },
    ]
}

extension WhipItAdapter {
    /// User actions while tokens expire.
    static let refreshFlows: [String: StoryFlow<WhipItClient>] = [
        "WI-02": { client, _ in _ = try await client.service.page(of: .feed) },
        "WI-03": { client, _ in try await client.openProfileTab() },
        "WI-04": { client, context in
            async let tab: Void = client.openProfileTab()
            try await context.wait(seconds: 1)
            _ = try await client.service.page(of: .feed)
            try await tab
        },
        "WI-05": { client, context in
            if context.variant == "on-withdraw" {
                try await client.leaveAgain()
            } else {
                try await client.openFeedAgain()
            }
        },
        "WI-06": { client, context in
            let logins = await client.countLogins()
            await withTaskGroup { group in
                for follower in ["656f1c0ac91bb39798f0a002", "656f1c0ac91bb39798f0a003", "656f1c0ac91bb39798f0a004"] {
                    group.addTask { _ = try? await client.service.profile(of: follower) }
                    group.addTask { _ = try? await client.service.page(of: .user(follower), size: 6) }
                }
            }
            // Events before the calls failed are counted as well.
            logins.cancel()
            await context.report("loginsShown", .number(JSONNumber(await logins.value)))
        },
        "WI-07": { client, context in await client.openFeed(in: context) },
        "WI-08": { client, context in await client.openFeed(in: context) },
        "WI-14": { client, context in
            await client.openFeed(in: context)
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
    /// The user opens the feed and sees an error if that fails.
    fileprivate func openFeed(in context: any StoryContext<WhipItClient>) async {
        let problem = await outcome { () throws(WhipItError) in _ = try await service.page(of: .feed) }
        await context.report("showsError", .bool(problem != nil))
        try? await tellSession(to: context)
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
