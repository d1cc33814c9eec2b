import ClientServices
import ClientTesting
import JSON

/// What the user of kiwIT sees and does in a story.
struct KiwITScreens: Sendable {
    let client: KiwITClient
    let scene: any StoryScene<KiwITClient>

    init(_ client: KiwITClient, _ scene: any StoryScene<KiwITClient>) {
        self.client = client
        self.scene = scene
    }

    var service: KiwITService { client.service }

    // MARK: Telling

    func tell(_ fact: String, _ value: Bool) async { await scene.report(fact, .bool(value)) }
    func tell(_ fact: String, _ value: Int) async { await scene.report(fact, .number(JSONNumber(value))) }
    func tell(_ fact: String, _ value: String) async { await scene.report(fact, .string(value)) }

    /// Tells which screen is there: the login screen, once nobody is signed in any more.
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
    /// A story in which the app is opened, and the user does something if nobody asks for a sign-in first.
    static func whenSignedIn(
        _ play: @escaping @Sendable (KiwITScreens) async throws -> Void
    ) -> StoryFlow<KiwITClient> {
        { client, scene in
            let screens = KiwITScreens(client, scene)
            guard await client.isSignedIn else { return await screens.show("login") }
            try await play(screens)
        }
    }
}
