import ClientTesting
import JSON

extension KiwITTwinAdapter {
    var flows: [String: StoryFlow<KiwITTwin>] {
        let played: [String: @Sendable (KiwITTwinStage) async throws -> Void] = [
            "K1": { stage in
                _ = await stage.openProfile()
                await stage.show("profile")
            },
            "K2": { stage in
                _ = await stage.openHome()
                await stage.show("home")
            },
            "K3": { stage in
                await stage.tell("showsError", await stage.see(stage.calls.profile).isError)
                await stage.show("home")
            },
            "K4": { stage in
                _ = await stage.openHome()
                await stage.show("home")
            },
            "K5": { stage in
                _ = await stage.openProfile()
                await stage.show("profile")
            },
            "K6": Self.bookmarkLecture,
            "K7": Self.bookmarkedQuizzes,
            "K8": Self.study,
            "K9": { stage in
                await stage.tell("rows", await stage.rows { stage.calls.quizGroups($0) }.count)
                await stage.show("quizzes")
            },
            "K10": Self.takeBookmarkAway,
            "K11": { stage in
                _ = await stage.openHome()
                _ = await stage.see(stage.calls.levels)
                await stage.show("lectures")
            },
            "K14": { stage in
                try? await stage.twin.signOut()
                await stage.show("profile")
            },
            "K15": Self.bookmarkQuiz,
            "K16": Self.openTrophies,
            "K17": { stage in
                let home = await stage.openHome()
                let profile = await stage.openProfile()
                await stage.tell("showsError", home || profile)
                await stage.show("profile")
            },
            "K18": Self.withdraw,
            "S-0702": Self.learnInJuly,
        ]
        var flows = played.mapValues { stagedWhenSignedIn($0) }
        flows["K12"] = staged(Self.comeIn)
        flows["K13"] = staged(Self.becomeUser)
        return flows
    }

    /// A story in which the twin has the bugs that are wanted there.
    private func staged(_ play: @escaping @Sendable (KiwITTwinStage) async throws -> Void) -> StoryFlow<KiwITTwin> {
        { [bugs, storyBugs] twin, scene in
            let id = scene.story + (scene.variant.map { "/" + $0 } ?? "")
            let bugs = storyBugs[id] ?? bugs
            await twin.have(bugs)
            try await play(KiwITTwinStage(twin, scene, bugs))
        }
    }

    private func stagedWhenSignedIn(
        _ play: @escaping @Sendable (KiwITTwinStage) async throws -> Void
    ) -> StoryFlow<KiwITTwin> {
        staged { stage in
            guard await stage.twin.kept != nil else { return await stage.show("login") }
            try await play(stage)
        }
    }

    // MARK: Lectures

    private static let bookmarkLecture: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        let seen = await stage.see(stage.calls.toggleLecture())
        await stage.tell("bookmarked", seen.value?["kept"]?.bool ?? false)
        await stage.tell("showsError", seen.isError)
        // The star is off, so the user touches it again.
        if seen.isError { _ = await stage.see(stage.calls.toggleLecture()) }
        await stage.show("lecture")
    }

    private static let study: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        _ = await stage.see(stage.calls.lecture)
        var isStudied = await !stage.see(stage.calls.studyLecture).isError
        if !isStudied, !stage.has(.looksNothingUp) {
            isStudied = await stage.see(stage.calls.lecture).value?["contentStudied"]?.isNull == false
        }
        if isStudied { _ = await stage.see(stage.calls.answerExercise) }
        await stage.tell("canLeave", isStudied)
        await stage.show("lecture")
    }

    private static let takeBookmarkAway: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        let first = await stage.see(stage.calls.bookmarkedLectures())
        var ids = first.value?.array?.compactMap { $0["id"]?.int } ?? []
        if let gone = ids.first {
            _ = await stage.see(stage.calls.toggleLecture(gone))
            ids.removeFirst()
        }
        let from = stage.has(.missesMovedRow) ? 1 : 0
        let rest = await stage.rows { stage.calls.bookmarkedLectures($0 + from) }
        ids += rest.filter { !ids.contains($0) }
        await stage.tell("rows", ids.count)
        await stage.show("bookmarks")
    }

    private static let learnInJuly: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        var isError = await stage.see(stage.calls.studyLecture).isError
        if isError { _ = await stage.see(stage.calls.studyLecture) }
        _ = await stage.see(stage.calls.answerExercise)
        if await stage.see(stage.calls.submit).isError {
            isError = true
            _ = await stage.see(stage.calls.submit)
        }
        await stage.tell("showsError", isError)
        await stage.show(isError ? "quiz" : "quizResult")
    }

    // MARK: Quizzes and trophies

    private static let bookmarkedQuizzes: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        guard stage.scene.variant == "bookmark" else {
            let seen = await stage.see(stage.calls.bookmarkedQuizzes())
            await stage.tell("rows", seen.value?.array?.count ?? 0)
            await stage.tell("showsError", seen.isError)
            return await stage.show("keptQuizzes")
        }
        let seen = await stage.see(stage.calls.toggleQuiz(53))
        await stage.tell("starred", seen.value?["quizId"]?.int ?? 0)
        await stage.tell("showsError", seen.isError)
        if seen.isError { _ = await stage.see(stage.calls.toggleQuiz(53)) }
    }

    private static let bookmarkQuiz: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        _ = await stage.see(stage.calls.quizSheet)
        let seen = await stage.see(stage.calls.toggleQuiz(51))
        await stage.tell("starred", stage.has(.starsWhatIsShown) ? 52 : seen.value?["quizId"]?.int ?? 0)
    }

    private static let openTrophies: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        let trophies = await stage.see(stage.calls.wonTrophies).value?.array ?? []
        let texts = trophies.compactMap { $0["createdAt"]?.string }
        let usual = "2024-09-22T20:26:11.123456".utf8.count
        await stage.tell("rows", trophies.count)
        await stage.tell("rawDates", stage.has(.wantsSixDigits) ? texts.count { $0.utf8.count != usual } : 0)
        await stage.show("trophies")
    }

    // MARK: Accounts

    @Sendable private static func comeIn(_ stage: KiwITTwinStage) async {
        _ = try? await stage.twin.signIn()
        if await stage.see(stage.calls.profile).isError {
            // With the bug, the user is let in, has no tokens, and signs in again.
            if stage.has(.letsInWithoutTokens) {
                await stage.twin.enter()
                await stage.tell("screen", "home")
                await stage.tell("signedOut", true)
                _ = try? await stage.twin.signIn()
            }
            _ = await stage.see(stage.calls.profile)
        }
        await stage.show("home")
    }

    @Sendable private static func becomeUser(_ stage: KiwITTwinStage) async {
        await stage.tell("screen", "login")
        let seen = await stage.see(stage.calls.signIn)
        guard !seen.isError else { return await stage.tell("says", "response could not be decoded") }
        guard let email = seen.value?["email"]?.string else { return await stage.tell("says", "email missing") }
        if (try? await stage.twin.signUp(email, "다른이름")) == nil, stage.has(.signsUpInACircle) {
            _ = await stage.see(stage.calls.signIn)
            _ = try? await stage.twin.signUp(email, "또다른이름")
            return await stage.tell("says", "failed")
        }
        await stage.tell("says", "email taken")
    }

    private static let withdraw: @Sendable (KiwITTwinStage) async throws -> Void = { stage in
        let profile = await stage.see(stage.calls.profile).value
        let wanted = stage.has(.confirmsByNumber) ? profile?["id"]?.description : profile?["email"]?.string
        if wanted == "runner.kim@example.com" { try? await stage.twin.withdraw() }
        await stage.show("profile")
    }
}
