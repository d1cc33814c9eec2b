import ClientTesting
import JSON

extension KiwITTwinAdapter {
    var flows: [String: StoryFlow<KiwITTwin>] {
        let played: [String: @Sendable (KiwITTwinApp) async throws -> Void] = [
            "K1": { app in
                _ = await app.openProfile()
                await app.show("profile")
            },
            "K2": { app in
                _ = await app.openHome()
                await app.show("home")
            },
            "K3": { app in
                await app.tell("showsError", await app.see(app.calls.profile).isError)
                await app.show("home")
            },
            "K4": { app in
                _ = await app.openHome()
                await app.show("home")
            },
            "K5": { app in
                _ = await app.openProfile()
                await app.show("profile")
            },
            "K6": Self.bookmarkLecture,
            "K7": Self.bookmarkedQuizzes,
            "K8": Self.study,
            "K9": { app in
                await app.tell("rows", await app.rows { app.calls.quizGroups($0) }.count)
                await app.show("quizzes")
            },
            "K10": Self.takeBookmarkAway,
            "K11": { app in
                _ = await app.openHome()
                _ = await app.see(app.calls.levels)
                await app.show("lectures")
            },
            "K14": { app in
                try? await app.twin.signOut()
                await app.show("profile")
            },
            "K15": Self.bookmarkQuiz,
            "K20": { app in
                // Of taps within half a second only the last one is sent.
                let taps = app.has(.sendsEveryTap) ? 2 : 1
                for _ in 1...taps { _ = await app.see(app.calls.toggleQuiz(51)) }
                await app.tell("starred", taps == 1 ? 51 : 0)
            },
            "K16": Self.openTrophies,
            "K17": { app in
                let home = await app.openHome()
                let profile = await app.openProfile()
                await app.tell("showsError", home || profile)
                await app.show("profile")
            },
            "K18": Self.withdraw,
            "S-0702": Self.learnInJuly,
        ]
        var flows = played.mapValues { stagedWhenSignedIn($0) }
        flows["K12"] = inApp(Self.comeIn)
        flows["K13"] = inApp(Self.becomeUser)
        flows["K19"] = inApp { app in
            _ = try await app.twin.signIn()
            _ = await app.see(app.calls.profile)
            _ = await app.openHome()
            if app.has(.opensAllTabs) {
                _ = await app.see(app.calls.levels)
                _ = await app.see(app.calls.quizGroups())
                _ = await app.openProfile()
            }
            await app.show("home")
        }
        return flows
    }

    /// A story in which the twin has the bugs that are wanted there.
    private func inApp(_ play: @escaping @Sendable (KiwITTwinApp) async throws -> Void) -> StoryFlow<KiwITTwin> {
        { [bugs, storyBugs] twin, context in
            let id = context.story + (context.variant.map { "/" + $0 } ?? "")
            let bugs = storyBugs[id] ?? bugs
            await twin.have(bugs)
            try await play(KiwITTwinApp(twin, context, bugs))
        }
    }

    private func stagedWhenSignedIn(
        _ play: @escaping @Sendable (KiwITTwinApp) async throws -> Void
    ) -> StoryFlow<KiwITTwin> {
        inApp { app in
            guard await app.twin.kept != nil else { return await app.show("login") }
            try await play(app)
        }
    }

    // MARK: Lectures

    private static let bookmarkLecture: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        let seen = await app.see(app.calls.toggleLecture())
        await app.tell("bookmarked", seen.value?["kept"]?.bool ?? false)
        await app.tell("showsError", seen.isError)
        // The star is off, so the user touches it again.
        if seen.isError { _ = await app.see(app.calls.toggleLecture()) }
        await app.show("lecture")
    }

    private static let study: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        _ = await app.see(app.calls.lecture)
        var isStudied = await !app.see(app.calls.studyLecture).isError
        if !isStudied, !app.has(.looksNothingUp) {
            isStudied = await app.see(app.calls.lecture).value?["contentStudied"]?.isNull == false
        }
        if isStudied { _ = await app.see(app.calls.answerExercise) }
        await app.tell("canLeave", isStudied)
        await app.show("lecture")
    }

    private static let takeBookmarkAway: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        let first = await app.see(app.calls.bookmarkedLectures())
        var ids = first.value?.array?.compactMap { $0["id"]?.int } ?? []
        if let gone = ids.first {
            _ = await app.see(app.calls.toggleLecture(gone))
            ids.removeFirst()
        }
        let from = app.has(.missesMovedRow) ? 1 : 0
        let rest = await app.rows { app.calls.bookmarkedLectures($0 + from) }
        ids += rest.filter { !ids.contains($0) }
        await app.tell("rows", ids.count)
        await app.show("bookmarks")
    }

    private static let learnInJuly: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        var isError = await app.see(app.calls.studyLecture).isError
        if isError { _ = await app.see(app.calls.studyLecture) }
        _ = await app.see(app.calls.answerExercise)
        if await app.see(app.calls.submit).isError {
            isError = true
            _ = await app.see(app.calls.submit)
        }
        await app.tell("showsError", isError)
        await app.show(isError ? "quiz" : "quizResult")
    }

    // MARK: Quizzes and trophies

    private static let bookmarkedQuizzes: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        guard app.context.variant == "bookmark" else {
            let seen = await app.see(app.calls.bookmarkedQuizzes())
            await app.tell("rows", seen.value?.array?.count ?? 0)
            await app.tell("showsError", seen.isError)
            await app.show("keptQuizzes")
            if !seen.isError { _ = await app.see(app.calls.toggleQuiz(53)) }
            return
        }
        let seen = await app.see(app.calls.toggleQuiz(53))
        await app.tell("starred", seen.value?["quizId"]?.int ?? 0)
        await app.tell("showsError", seen.isError)
        if seen.isError { _ = await app.see(app.calls.toggleQuiz(53)) }
    }

    private static let bookmarkQuiz: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        _ = await app.see(app.calls.quizSheet)
        let seen = await app.see(app.calls.toggleQuiz(51))
        await app.tell("starred", app.has(.starsWhatIsShown) ? 52 : seen.value?["quizId"]?.int ?? 0)
    }

    private static let openTrophies: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        let trophies = await app.see(app.calls.wonTrophies).value?.array ?? []
        let texts = trophies.compactMap { $0["createdAt"]?.string }
        let usual = "2024-09-22T20:26:11.123456".utf8.count
        await app.tell("rows", trophies.count)
        await app.tell("rawDates", app.has(.wantsSixDigits) ? texts.count { $0.utf8.count != usual } : 0)
        await app.show("trophies")
    }

    // MARK: Accounts

    @Sendable private static func comeIn(_ app: KiwITTwinApp) async {
        _ = try? await app.twin.signIn()
        if await app.see(app.calls.profile).isError {
            // With the bug, the user is let in, has no tokens, and signs in again.
            if app.has(.letsInWithoutTokens) {
                await app.twin.enter()
                await app.tell("screen", "home")
                await app.tell("signedOut", true)
                _ = try? await app.twin.signIn()
            }
            _ = await app.see(app.calls.profile)
        }
        await app.show("home")
    }

    @Sendable private static func becomeUser(_ app: KiwITTwinApp) async {
        await app.tell("screen", "login")
        let seen = await app.see(app.calls.signIn)
        guard !seen.isError else { return await app.tell("says", "response could not be decoded") }
        guard let email = seen.value?["email"]?.string else { return await app.tell("says", "email missing") }
        if (try? await app.twin.signUp(email, "다른이름")) == nil, app.has(.signsUpInACircle) {
            _ = await app.see(app.calls.signIn)
            _ = try? await app.twin.signUp(email, "또다른이름")
            return await app.tell("says", "failed")
        }
        await app.tell("says", "email taken")
    }

    private static let withdraw: @Sendable (KiwITTwinApp) async throws -> Void = { app in
        let profile = await app.see(app.calls.profile).value
        let wanted = app.has(.confirmsByNumber) ? profile?["id"]?.description : profile?["email"]?.string
        if wanted == "runner.kim@example.com" { try? await app.twin.withdraw() }
        await app.show("profile")
    }
}
