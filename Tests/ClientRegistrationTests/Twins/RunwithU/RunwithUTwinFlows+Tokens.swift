import ClientTesting
import JSON

extension RunwithUTwinAdapter {
    /// Stories of sessions and accounts.
    static let tokenFlows: [String: StoryFlow<RunwithUTwin>] = [
        "W1": { twin, context in try await showPictures(twin, context) },
        "W2": { twin, context in try await showPictures(twin, context) },
        "W3": { twin, context in
            // Whoever says more, that the user is signed out, could not be told from a user who signs out.
            _ = await context.outcome { _ = try await twin.page() }
            await context.report("screen", await twin.isSignedIn ? "feed" : "login")
        },
        "W4": { twin, context in await show("profile", twin, context) { _ = try await twin.profile() } },
        "W5": { twin, _ in
            let draft = RunwithUTwinDraft(
                product_id: "runwithu_running_inviation",
                title: "일요 저녁런",
                content: "같이 뛰어요",
                content1: "66c1f0a2e4b0a1d2c3f40002 66c1f0a2e4b0a1d2c3f40003",
                content2: #"{"date":"2026-11-29 일요일 오후 07시 00분","course":"올림픽공원"}"#
            )
            let post = try await twin.publish(draft)
            _ = try await twin.post(post.post_id)
        },
        "W6": { twin, context in await show("feed", twin, context) { _ = try await twin.page() } },
        "W7": { twin, context in
            await show("profile", twin, context) { _ = try await twin.profile() }
            guard !(await twin.isSignedIn), !twin.has(.b3) else { return }
            let outcome = await context.outcome { try await twin.enter("dahan@example.com", "run1234") }
            await context.report("showsError", .bool(outcome != nil))
            await context.report("screen", outcome == nil ? "tabs" : "login")
        },
        "W8": { twin, context in
            for _ in 1...2 {
                do {
                    guard try await twin.checkEmail("new@example.com") else { continue }
                    _ = try await twin.join("new@example.com", "새내기")
                    return
                } catch {
                    await context.report("showsError", true)
                }
            }
        },
        "W9": { twin, context in
            // Whoever hears that the name is in use tries another one.
            for nick in ["달리는 새내기", "뛰는 새내기", "걷는 새내기"] {
                do {
                    _ = try await twin.join("new@example.com", nick)
                    return
                } catch RunwithUTwinProblem.whitespaceInNickname {
                    await context.report("nicknameError", "whitespace")
                    _ = try await twin.join("new@example.com", "달리는새내기")
                    return
                } catch RunwithUTwinProblem.nicknameInUse {
                    await context.report("nicknameError", "inUse")
                }
            }
        },
        "W24": { twin, context in
            let emails =
                context.variant == "taken"
                ? ["dahan@example.com", "new@example.com"] : ["new@example.com", "new@example.com"]
            for email in emails {
                let outcome = await context.outcome { _ = try await twin.join(email, "새내기") }
                guard outcome != nil else { return }
                await context.report("showsError", true)
                if twin.has(.endsTaps) { return }
            }
        },
        "W25": { twin, context in
            let runner = "66c1f0a2e4b0a1d2c3f40003"
            try await twin.look(at: runner)
            let outcome = await context.outcome { try await twin.follow(runner, with: "POST") }
            // The button says what the tap before it has come to.
            _ = await context.outcome { try await twin.follow(runner, with: outcome == nil ? "DELETE" : "POST") }
        },
        "W10": { twin, context in
            let password = context.variant == "server-error" ? "run1234" : "run12345"
            let outcome = await context.outcome { try await twin.enter("dahan@example.com", password) }
            await context.report("showsError", .bool(outcome != nil))
            await context.report("screen", outcome == nil ? "tabs" : "login")
            guard outcome == nil else { return }
            _ = await context.outcome { _ = try await twin.profile() }
            _ = await context.outcome { _ = try await twin.page() }
        },
        "W20": { twin, context in
            guard await twin.isSignedIn else { return await context.report("signedOut", true) }
            _ = try await twin.page()
            await twin.logOut()
            await show("feed", twin, context) { _ = try await twin.page() }
        },
        "W21": { twin, _ in
            async let feed = try? twin.page()
            async let picture: Void? = try? twin.picture("uploads/posts/postImage_1725170012345.png")
            _ = await (feed, picture)
            _ = try? await twin.profile()
        },
    ]

    /// Does what a screen does, and tells which one is seen then.
    private static func show(
        _ screen: String,
        _ twin: RunwithUTwin,
        _ context: any StoryContext<RunwithUTwin>,
        _ work: @Sendable () async throws -> Void
    ) async {
        let outcome = await context.outcome(of: work)
        let isSignedIn = await twin.isSignedIn
        await context.report("signedOut", .bool(!isSignedIn))
        await context.report("screen", isSignedIn ? .string(screen) : "login")
        await context.report("showsError", .bool(isSignedIn && outcome != nil))
    }

    private static func showPictures(_ twin: RunwithUTwin, _ context: any StoryContext<RunwithUTwin>) async throws {
        let page = try await twin.page()
        await withTaskGroup(of: Void.self) { group in
            for path in page.data.flatMap(\.files) { group.addTask { try? await twin.picture(path) } }
        }
        await context.report("signedOut", .bool(!(await twin.isSignedIn)))
    }
}
