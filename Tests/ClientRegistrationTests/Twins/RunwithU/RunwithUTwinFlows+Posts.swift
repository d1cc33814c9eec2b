import ClientTesting
import Foundation
import JSON

extension RunwithUTwinAdapter {
    /// Stories of posts, groups and payments.
    static let postFlows: [String: StoryFlow<RunwithUTwin>] = [
        "W11": { twin, context in
            let draft = RunwithUTwinDraft(
                product_id: "runwithu_community_posts_public",
                title: "새 러닝화",
                content: "가벼워요",
                content1: "product_epilogues",
                content2: "아식스",
                content3: "러닝화",
                content4: "5"
            )
            let outcome = await context.outcome { try await twin.publish(draft, picture: 6_000_000) }
            await context.report("draftKept", .bool(outcome != nil))
            await context.report("showsError", .bool(outcome != nil))
        },
        "W12": { twin, _ in
            let group = "66d3b000e4b0a1d2c3f43001"
            let feed = "runwithu_community_posts_group_\(group)"
            _ = try await twin.page(feed, limit: 20)
            try await twin.publish(.group(group, twin))
            _ = try await twin.page(feed, limit: 20)
        },
        "W13": { twin, context in
            let me = context.variant == "fourth" ? "66c1f0a2e4b0a1d2c3f40003" : "66c1f0a2e4b0a1d2c3f40001"
            func look() async throws -> (isMember: Bool, isFull: Bool) {
                let group = try await twin.post("66d3b000e4b0a1d2c3f43001")
                let isFull = group.likes.count >= (group.content1.flatMap { Int($0) } ?? 0)
                let isLiked = group.likes.contains(me)
                return twin.has(.e6) ? (isLiked && !isFull, false) : (isLiked, isFull)
            }
            var seen = try await look()
            if seen.isMember { seen = try await look() }
            await context.report("member", .bool(seen.isMember))
            await context.report("full", .bool(seen.isFull))
            // The button that says: join.
            if !seen.isMember, !seen.isFull { _ = try await twin.like("66d3b000e4b0a1d2c3f43001", true) }
        },
        "W14": { twin, context in
            let posts = try await twin.posts(try await twin.profile().posts)
            await context.report("shown", .number(JSONNumber(posts.count)))
        },
        "W15": { twin, context in
            let id = "66d3c000e4b0a1d2c3f45001"
            _ = try await twin.post(id)
            let outcome = await context.outcome { _ = try await twin.like(id, false) }
            let isAccepted = outcome != nil && !twin.has(.e7)
            await context.report("accepted", .bool(isAccepted))
            await context.report("showsError", .bool(isAccepted))
            guard isAccepted else { return }
            _ = try await twin.like(id, false)
            await context.report("accepted", .bool(try await !twin.post(id).likes.isEmpty))
        },
        "W23": { twin, context in
            let me = "66c1f0a2e4b0a1d2c3f40001"
            let now = Date(timeIntervalSince1970: twin.setting.time.now() + 9 * 3600)
            let today = ISO8601DateFormatter().string(from: now).prefix(10)
            let open = try await twin.page("runwithu_running_inviation", limit: 50).data.filter { post in
                guard post.content1?.split(separator: " ").contains(Substring(me)) ?? false else { return false }
                guard let text = post.content2, let info = try? JSONDecoder().decode(Run.self, from: Data(text.utf8))
                else { return false }
                return twin.has(.showsPast) || info.date.prefix(10) >= today
            }
            await context.report("shown", .number(JSONNumber(open.count)))
            for post in open { _ = try await twin.like(post.post_id, true) }
        },
        "W16": { twin, context in
            var page: RunwithUTwinPage?
            do { page = try await twin.page() } catch {}
            await context.report("shown", .number(JSONNumber(page?.data.count ?? 0)))
            await context.report("showsError", .bool(page == nil))
            if let page { _ = try await twin.page(next: page.next_cursor) }
        },
        "W17": { twin, context in
            // Whoever waited long on the provider's page has read the list before.
            let race = context.variant == "token-expired" ? RunwithUTwinPost.race : try await twin.firstRace()
            var isPaid = false
            let outcome = await context.outcome { _ = try await twin.payOnce { try await twin.pay(for: race) } }
            if outcome == nil { isPaid = true }
            await context.report("paid", .bool(isPaid))
            await context.report("showsError", .bool(outcome != nil))
        },
        "W18": { twin, context in
            let race = try await twin.firstRace()
            async let first = try? twin.payOnce { try await twin.pay(for: race) }
            async let second = try? twin.payOnce { try await twin.pay(for: race) }
            let isPaid = await (first ?? false, second ?? false)
            await context.report("paid", .bool(isPaid.0 && isPaid.1))
        },
        "W22": { twin, context in
            let race = try await twin.firstRace()
            for _ in 1...(context.variant == "tapped-again" ? 2 : 1) {
                let outcome = await context.outcome { _ = try await twin.pay(for: race) }
                await context.report("paid", .bool(outcome == nil))
                await context.report("showsError", .bool(outcome != nil))
            }
        },
        "W19": { twin, context in
            var page = try await twin.page()
            var shown = page.data.count
            var count = 1
            while page.next_cursor != "0", !twin.has(.e11) || count < 2 {
                page = try await twin.page(next: page.next_cursor)
                shown += page.data.count
                count += 1
            }
            await context.report("shown", .number(JSONNumber(shown)))
        },
    ]
}

/// When an invitation's run is.
private struct Run: Decodable {
    var date: String
}

extension RunwithUTwin {
    fileprivate func firstRace() async throws -> RunwithUTwinPost {
        let page = try await page("runwithu_community_posts_marathon", limit: 20)
        guard let race = page.data.first else { throw RunwithUTwinProblem.unreadable }
        return race
    }
}

extension RunwithUTwinPost {
    /// A race that was read before.
    fileprivate static let race = RunwithUTwinPost(
        post_id: "66d40000e4b0a1d2c3f44001",
        title: "[9월] 서울 하프 마라톤",
        content3: "50000",
        createdAt: "2024-08-20T00:00:00.000Z",
        creator: RunwithUTwinRunner(user_id: "66c1f0a2e4b0a1d2c3f4000f", nick: "운영자"),
        files: [],
        likes: [],
        likes2: [],
        buyers: [],
        hashTags: [],
        comments: []
    )
}
