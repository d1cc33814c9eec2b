import ClientServices
import ClientTesting
import JSON

extension KiwITAdapter {
    /// Lectures and quizzes.
    static var learningStories: [String: StoryFlow<KiwITClient>] {
        [
            "K6": whenSignedIn { screens in
                await bookmarkLecture(screens)
            },
            "K7": whenSignedIn { screens in
                if screens.context.variant == "bookmark" {
                    await bookmarkSolvedQuiz(screens)
                } else {
                    await openBookmarkedQuizzes(screens)
                }
            },
            "K8": whenSignedIn { screens in
                let problem = await screens.context.outcome {
                    if try await screens.service.lecture(31).study == nil { _ = try await screens.service.study(31) }
                    _ = try await screens.service.answerExercise(of: 31, isRight: true)
                }
                await screens.tell("canLeave", problem == nil)
                await screens.show("lecture")
            },
            "K9": whenSignedIn { screens in
                let groups = try await screens.all(PagedList(screens.service.quizGroups()))
                await screens.tell("rows", groups.count)
                await screens.show("quizzes")
            },
            "K10": whenSignedIn { screens in
                let list = PagedList(screens.service.bookmarkedLectures())
                try await list.loadMore()
                if let first = await list.items.first {
                    let study = try await screens.service.toggleBookmark(ofLecture: first.id)
                    if !study.isBookmarked { await list.remove(first.id) }
                }
                await screens.tell("rows", try await screens.all(list).count)
                await screens.show("bookmarks")
            },
            "K15": whenSignedIn { screens in
                guard let first = try await screens.service.quizGroup(5).quizzes.first(where: { $0.id == 51 }) else {
                    return
                }
                // The next quiz is on the screen long before the response is there.
                let change = try await screens.service.toggleBookmark(ofQuiz: first.id)
                await screens.tell("starred", change.quizId)
            },
            "K20": whenSignedIn { screens in
                async let first = screens.service.toggleBookmark(ofQuiz: 51)
                async let second = screens.service.toggleBookmark(ofQuiz: 51)
                let changes = try await [first, second]
                await screens.tell("starred", changes[1].quizId)
            },
            "S-0702": whenSignedIn { screens in
                let problem = await screens.context.outcome {
                    _ = try await screens.service.study(31)
                    _ = try await screens.service.answerExercise(of: 31, isRight: true)
                    _ = try await screens.service.submit(answers, toQuizGroup: 5)
                }
                // Without it, the corner for trophies stays empty.
                _ = try? await screens.service.latestTrophy()
                await screens.tell("showsError", problem != nil)
                await screens.show(problem == nil ? "quizResult" : "quiz")
            },
        ]
    }

    private static var answers: [KiwIT.GivenResponse] {
        [.init("2", toQuiz: 51), .init("false", toQuiz: 52), .init("BFS", toQuiz: 53)]
    }

    private static func bookmarkLecture(_ screens: KiwITScreens) async {
        let star = Star()
        let problem = await screens.context.outcome {
            let study = try await screens.service.toggleBookmark(ofLecture: 31)
            await star.turn(study.isBookmarked ? study.contentId : 0)
        }
        await screens.tell("bookmarked", await star.owner != 0)
        await screens.tell("showsError", problem != nil)
        await screens.show("lecture")
    }

    private static func bookmarkSolvedQuiz(_ screens: KiwITScreens) async {
        let star = Star()
        let problem = await screens.context.outcome {
            await star.turn(try await screens.service.toggleBookmark(ofQuiz: 53).quizId)
        }
        await screens.tell("starred", await star.owner)
        await screens.tell("showsError", problem != nil)
    }

    private static func openBookmarkedQuizzes(_ screens: KiwITScreens) async {
        let list = PagedList(screens.service.bookmarkedQuizzes())
        let problem = await screens.context.outcome { _ = try await screens.all(list) }
        let rows = await list.items
        await screens.tell("rows", rows.count)
        await screens.tell("showsError", problem != nil)
        await screens.show("keptQuizzes")
        guard let solved = rows.first(where: { $0.latestAnswer != nil }) else { return }
        _ = await screens.context.outcome { _ = try await screens.service.toggleBookmark(ofQuiz: solved.id) }
    }
}

/// The star on the screen.
private actor Star {
    /// The owner when it is on; 0 when it is off.
    private(set) var owner = 0

    func turn(_ owner: Int) { self.owner = owner }
}

extension KiwITAdapter {
    /// Sign-in, sign-out, and the trophies in between.
    static var accountStories: [String: StoryFlow<KiwITClient>] {
        [
            "K12": { client, context in
                let screens = KiwITScreens(client: client, context: context)
                _ = try await client.service.signIn(with: "from-kakao", from: .kakao)
                let problem = await context.outcome { _ = try await client.service.profile() }
                // The user touches "try again".
                if problem != nil { _ = try await client.service.profile() }
                await screens.show("home")
            },
            "K19": { client, context in
                let screens = KiwITScreens(client: client, context: context)
                _ = try await client.service.signIn(with: "from-kakao", from: .kakao)
                _ = try await client.service.profile()
                try await screens.openHome()
                await screens.show("home")
            },
            "K13": { client, context in
                let screens = KiwITScreens(client: client, context: context)
                let answer = try await client.service.signIn(with: "from-kakao", from: .kakao)
                if case .signUpRequired(let draft) = answer { await signUp(draft, screens) }
                await screens.show("home")
            },
            "K14": whenSignedIn { screens in
                _ = await screens.context.outcome { try await screens.service.signOut() }
                await screens.show("profile")
            },
            "K16": whenSignedIn { screens in
                let trophies = try await screens.all(PagedList(screens.service.wonTrophies()))
                await screens.tell("rows", trophies.count)
                await screens.tell("rawDates", trophies.count { $0.createdAt.date == nil })
                await screens.show("trophies")
            },
            "K17": whenSignedIn { screens in
                let problem = await screens.context.outcome {
                    try await screens.openHome()
                    try await screens.openProfile()
                }
                await screens.tell("showsError", problem != nil)
                await screens.show("profile")
            },
            "K18": whenSignedIn { screens in
                let profile = try await screens.service.profile()
                if profile.isConfirmed(by: "runner.kim@example.com") { try await screens.service.withdraw() }
                await screens.show("profile")
            },
        ]
    }

    /// The sign-up screen, on which the user chooses another nickname.
    private static func signUp(_ draft: KiwIT.SignUpDraft, _ screens: KiwITScreens) async {
        guard let email = draft.email else { return await screens.tell("says", "email missing") }
        do throws(KiwITError) {
            try await screens.service.signUp(.init(email: email, nickname: "다른이름", provider: draft.provider))
        } catch {
            // The nickname is not taken, so what is refused is the email.
            await screens.tell("says", error == .refused(.invalidRequestBody) ? "email taken" : "failed")
        }
    }
}

extension KiwITAdapter {
    /// The events of a session while its user browses.
    static var tokenStories: [String: StoryFlow<KiwITClient>] {
        [
            "K1": whenSignedIn { screens in
                _ = await screens.context.outcome { try await screens.openProfile() }
                await screens.show("profile")
            },
            "K2": whenSignedIn { screens in
                _ = await screens.context.outcome { try await screens.openHome() }
                await screens.show("home")
            },
            "K3": whenSignedIn { screens in
                let problem = await screens.context.outcome { _ = try await screens.service.profile() }
                await screens.tell("showsError", problem != nil)
                await screens.show("home")
            },
            "K4": whenSignedIn { screens in
                try await screens.openHome()
                await screens.show("home")
            },
            "K5": whenSignedIn { screens in
                try await screens.openProfile()
                await screens.show("profile")
            },
            "K11": whenSignedIn { screens in
                try await screens.openHome()
                _ = await screens.context.outcome { _ = try await screens.service.levels() }
                await screens.show("lectures")
            },
        ]
    }
}

/// The screens and actions of kiwIT's user in a story.
struct KiwITScreens: Sendable {
    let client: KiwITClient
    let context: any StoryContext<KiwITClient>

    var service: KiwITService { client.service }

    // MARK: Telling

    func tell(_ fact: String, _ value: Bool) async { await context.report(fact, .bool(value)) }
    func tell(_ fact: String, _ value: Int) async { await context.report(fact, .number(JSONNumber(value))) }
    func tell(_ fact: String, _ value: String) async { await context.report(fact, .string(value)) }

    /// Reports which screen is there: the login screen, once the session is over.
    func show(_ screen: String) async {
        let isSignedIn = await client.isSignedIn
        await tell("screen", isSignedIn ? screen : "login")
        await tell("signedOut", !isSignedIn)
    }

    // MARK: Screens

    /// The home screen: the latest lecture, and then the latest quiz.
    func openHome() async throws {
        _ = try await service.latestLecture()
        _ = try await service.latestSolvedQuizGroup()
    }

    /// The profile tab, with the newest of five kinds at once.
    func openProfile() async throws {
        async let studied = service.studiedLectures(page: 0, size: 1)
        async let kept = service.bookmarkedLectures(page: 0, size: 1)
        async let solved = service.solvedQuizGroups(page: 0, size: 1)
        async let quizzes = service.bookmarkedQuizzes(page: 0, size: 1)
        async let trophy = service.latestTrophy()
        _ = try await (studied, kept, solved, quizzes, trophy)
    }

    /// Scrolls to a list's end.
    func all<Item: Identifiable & Sendable>(_ list: PagedList<Item>) async throws -> [Item] {
        while await !list.isComplete { try await list.loadMore() }
        return await list.items
    }
}

extension KiwITAdapter {
    /// A story in which the app is opened, and the user does something unless the app asks for a sign-in first.
    static func whenSignedIn(
        _ play: @escaping @Sendable (KiwITScreens) async throws -> Void
    ) -> StoryFlow<KiwITClient> {
        { client, context in
            let screens = KiwITScreens(client: client, context: context)
            guard await client.isSignedIn else { return await screens.show("login") }
            try await play(screens)
        }
    }
}
