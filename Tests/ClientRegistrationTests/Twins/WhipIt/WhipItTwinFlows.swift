import ClientTesting
import JSON

/// What the twin's user does in each story.
extension WhipItTwinAdapter {
    var flows: [String: StoryFlow<WhipItTwin>] {
        launches.merging(sessions) { $1 }.merging(lists) { $1 }.merging(posts) { $1 }
    }

    private var launches: [String: StoryFlow<WhipItTwin>] {
        [
            "WI-09": { twin, context in try await twin.openApp(in: context) },
            "WI-10": { twin, context in try await twin.openApp(in: context) },
            "WI-21": { twin, context in try await twin.openApp(in: context) },
            "WI-11": { twin, context in
                let isReady = try await twin.launch()
                await context.report("screen", .string(isReady ? "feed" : twin.bugs.contains(.w9) ? "splash" : "login"))
                guard context.variant == "logs-in", !isReady, !twin.bugs.contains(.w9) else { return }
                _ = try await twin.logIn()
                _ = try await twin.feed()
            },
            "WI-23": { twin, _ in
                guard await twin.access == nil else { return await twin.forget() }
                _ = try await twin.logIn()
                _ = try await twin.feed()
            },
            "WI-25": { twin, context in
                for _ in 1...(twin.bugs.contains(.r1) ? 1 : 2) {
                    if (try? await twin.join("newcomer@example.com")) != nil { return }
                    try await context.wait(seconds: 2)
                }
            },
            "WI-17": { twin, context in
                for address in ["newcomer@example.com", "newcomer2@example.com"] {
                    guard let isFree = try await twin.checkEmailWaitingWhenBusy(address, context) else { return }
                    guard isFree else { continue }
                    _ = try await twin.join(address)
                    return
                }
            },
            "WI-19": { twin, context in
                for _ in 1...2 {
                    do {
                        if context.variant == "post" {
                            _ = try await twin.publish(bytes: 48_213)
                        } else {
                            _ = try await twin.join("newcomer@example.com")
                            _ = try await twin.logIn("newcomer@example.com")
                        }
                        return
                    } catch {}
                }
            },
        ]
    }

    private var sessions: [String: StoryFlow<WhipItTwin>] {
        [
            "WI-02": { twin, _ in _ = try? await twin.feed() },
            "WI-03": { twin, _ in await twin.openProfileTab() },
            "WI-04": { twin, context in
                async let tab: Void = twin.openProfileTab()
                try await context.wait(seconds: 1)
                _ = try? await twin.feed()
                await tab
            },
            "WI-05": { twin, context in
                if context.variant == "on-withdraw" {
                    if (try? await twin.withdraw()) != nil { return }
                    guard await twin.loginsShown > 0 else { return }
                    _ = try await twin.logIn()
                    _ = try await twin.withdraw()
                } else {
                    if (try? await twin.feed()) != nil { return }
                    _ = try await twin.logIn()
                    _ = try await twin.feed()
                }
            },
            "WI-06": { twin, context in
                await withTaskGroup { group in
                    for end in 2...4 {
                        let id = "656f1c0ac91bb39798f0a00\(end)"
                        group.addTask {
                            _ = try? await twin.value(WhipItTwinCall("GET", "/profile/\(id)")) as WhipItTwinProfile
                        }
                        group.addTask { _ = try? await twin.posts(of: id, limit: 6) }
                    }
                }
                await context.report("loginsShown", .number(JSONNumber(await twin.loginsShown)))
            },
            "WI-07": { twin, _ in _ = try? await twin.feed() },
            "WI-08": { twin, _ in _ = try? await twin.feed() },
            "WI-14": { twin, context in
                let problem = await context.outcome { _ = try await twin.feed() }
                if twin.bugs.contains(.w7) { for _ in 1...2 { _ = try? await twin.feed() } }
                await context.report("showsError", .bool(problem != nil))
                guard await twin.loginsShown > 0 else { return }
                _ = try await twin.logIn()
                _ = try await twin.feed()
            },
            "WI-15": { twin, _ in
                let paths = try await twin.feed().data.flatMap(\.image).prefix(2)
                await withTaskGroup { group in
                    for path in paths { group.addTask { try? await twin.picture(path) } }
                    group.addTask {
                        _ = try? await twin.value(WhipItTwinCall("GET", "/profile/me")) as WhipItTwinMyProfile
                    }
                }
            },
        ]
    }

    private var lists: [String: StoryFlow<WhipItTwin>] {
        [
            "WI-01": { twin, context in
                let isFeed = context.variant != "bookmarks"
                if isFeed { _ = try await twin.logIn() }
                var count = 0
                var next = "0"
                repeat {
                    let page = isFeed ? try await twin.feed(next: next) : try await twin.liked(next: next)
                    count += page.data.count
                    if next != "0", page.next_cursor == "0", twin.bugs.contains(.w15) { _ = try await twin.feed() }
                    next = page.next_cursor
                } while next != "0" && (isFeed || !twin.bugs.contains(.n11))
                await context.report(isFeed ? "shown" : "bookmarks", .number(JSONNumber(count)))
            },
            "WI-12": { twin, context in
                let posts = (try? await twin.feed().data) ?? []
                if let path = posts.first?.image.first { try await twin.picture(path) }
                await context.report("shown", .number(JSONNumber(posts.count)))
            },
            "WI-26": { twin, context in
                let posts = try await twin.feed().data
                if !twin.bugs.contains(.r3) { await context.report("laidOutFirst", true) }
                if let path = posts.first?.image.first { try await twin.picture(path) }
                if twin.bugs.contains(.r3) { await context.report("laidOutFirst", false) }
            },
            "WI-13": { twin, context in
                let isSearch = context.variant != "bookmarks"
                let page =
                    isSearch
                    ? try? await twin.page("/post/hashtag?hashTag=ootd&limit=50&next=0") : try? await twin.liked()
                if let path = page?.data.flatMap(\.image).first { try await twin.picture(path) }
            },
            "WI-20": { twin, context in
                let first = try await twin.feed()
                if context.variant == "second-appearance" {
                    async let shown = twin.feed()
                    async let again = twin.bugs.contains(.w16) ? twin.feed() : first
                    _ = try await again
                    await context.report("shown", .number(JSONNumber(try await shown.data.count)))
                } else {
                    let next = first.next_cursor
                    async let second = twin.feed(next: next)
                    async let twice = twin.bugs.contains(.w15) ? twin.feed(next: next).data : []
                    let count = first.data.count + (try await second.data.count) + (try await twice.count)
                    await context.report("shown", .number(JSONNumber(count)))
                }
            },
        ]
    }

    private var posts: [String: StoryFlow<WhipItTwin>] {
        [
            "WI-16": { twin, context in
                let post = "65800597c91bb39798f0f1ca"
                try await twin.tapHeart(of: post, by: Self.mina)
                if context.variant == "tapped-twice" { try await twin.tapHeart(of: post, by: Self.mina) }
            },
            "WI-18": { twin, context in
                switch context.variant {
                case "profile":
                    let isAccepted = (try? await twin.changePicture(bytes: 2_000_000)) != nil
                    if !isAccepted, twin.bugs.contains(.n13) { _ = try? await twin.changePicture(bytes: 1_900_000) }
                case "proxy": _ = try? await twin.publish(bytes: 10_000_001)
                default:
                    _ = try await twin.publish(bytes: 48_213)
                    _ = try await twin.feed()
                }
            },
            "WI-24": { twin, context in
                let jun = "656f1c0ac91bb39798f0a002"
                let _: WhipItTwinProfile = try await twin.value(WhipItTwinCall("GET", "/profile/\(jun)"))
                let status = try await twin.perform(WhipItTwinCall("POST", "/follow/\(jun)")).status
                await context.report("following", .bool(status == 200 || status == 409))
            },
            "WI-22": { twin, context in
                let call: WhipItTwinCall
                if context.variant == "post-gone" {
                    let newest = try await twin.feed().data.first?._id ?? ""
                    call = try WhipItTwinCall("POST", "/post/\(newest)/comment").json(["content": "정보 부탁드려요"])
                } else {
                    call = WhipItTwinCall("DELETE", "/post/6574a979c91bb39798f0f1c1/comment/6574ab20c91bb39798f0f1d2")
                }
                let status = try await twin.perform(call).status
                if status == 410 { _ = try await twin.feed() }
                await context.report("error", status == 445 ? "not yours" : status == 410 ? "gone" : "none")
            },
        ]
    }
}

extension WhipItTwin {
    /// The app is opened: splash, then feed or login.
    fileprivate func openApp(in context: any StoryContext<WhipItTwin>) async throws {
        if try await launch() {
            _ = try await feed()
        } else if access == nil {
            await context.report("signedOut", true)
            if context.story == "WI-10" || context.story == "WI-21" { _ = try await logIn() }
        }
    }

    fileprivate func openProfileTab() async {
        async let profile: WhipItTwinMyProfile = value(WhipItTwinCall("GET", "/profile/me"))
        async let own = posts(of: WhipItTwinAdapter.mina)
        async let bookmarks = liked()
        _ = try? await profile
        _ = try? await own
        _ = try? await bookmarks
    }

    /// Whether an address is free; `nil` when nobody could tell.
    fileprivate func checkEmailWaitingWhenBusy(_ address: String, _ context: any StoryContext<WhipItTwin>) async throws
        -> Bool?
    {
        for _ in 1...3 {
            if let isFree = try? await checkEmail(address) { return isFree }
            try await context.wait(seconds: 2)
        }
        return nil
    }
}
