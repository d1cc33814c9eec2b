import ClientServices
import ClientTesting
import JSON

/// What the user of Smeem sees and does in a story.
struct SmeemScreens: Sendable {
    let client: SmeemClient
    let scene: any StoryScene<SmeemClient>

    var service: SmeemService { client.service }

    // MARK: Telling

    func tell(_ fact: String, _ value: Bool) async { await scene.report(fact, .bool(value)) }
    func tell(_ fact: String, _ value: String) async { await scene.report(fact, .string(value)) }

    /// Tells which screen is there, and whether it shows an error.
    func show(_ screen: String, error: SmeemError? = nil) async {
        await tell("screen", screen)
        await tell("signedOut", !(await client.isSignedIn))
        await tell("showsError", error != nil)
    }

    /// What a call threw; `nil` when it went well.
    func error(of call: () async throws(SmeemError) -> Void) async -> SmeemError? {
        do throws(SmeemError) {
            try await call()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Screens

    /// Opens the app: the splash screen, and what comes after it.
    ///
    /// - Returns: whether the home screen is there.
    func open() async -> Bool {
        switch await service.launch(version: Smeem.VersionNumber("3.0.1")) {
        case .home:
            await showHome()
            return true
        case .start:
            await show("start")
            return false
        case .update:
            await show("update")
            return false
        }
    }

    /// The home screen: the diaries, and the visit, of which nobody hears when it fails.
    func showHome() async {
        async let visit: Void? = try? service.visit()
        let failure = await error { () async throws(SmeemError) in _ = try await diaries() }
        _ = await visit
        await show(await client.isSignedIn ? "home" : "start", error: failure)
    }

    /// The diaries of the month.
    func diaries() async throws(SmeemError) -> [Smeem.Diary] {
        try await service.diaries(in: .month(of: client.clock.now)).diaries
    }

    /// The summary: three parts at once, each of which may be missing.
    func showSummary() async {
        async let performance = error { () async throws(SmeemError) in _ = try await service.performance() }
        async let badges = error { () async throws(SmeemError) in _ = try await service.badgeProgress() }
        var failure: SmeemError?
        do throws(SmeemError) {
            let progress = try await service.planProgress()
            await tell("planCard", progress?.plan == nil ? "none" : "plan")
        } catch {
            await tell("planCard", "error")
            failure = error
        }
        let others = await [performance, badges].compactMap { $0 }
        await show("summary", error: failure ?? others.first)
    }
}

extension SmeemAdapter {
    /// A story that begins with the home screen, if the app gets there.
    static func atHome(
        _ play: @escaping @Sendable (SmeemScreens) async throws -> Void = { _ in }
    ) -> StoryFlow<SmeemClient> {
        { client, scene in
            let screens = SmeemScreens(client: client, scene: scene)
            guard await screens.open() else { return }
            try await play(screens)
        }
    }

    /// A story that begins with the start screen.
    static func atStart(
        _ play: @escaping @Sendable (SmeemScreens) async throws -> Void
    ) -> StoryFlow<SmeemClient> {
        { client, scene in
            let screens = SmeemScreens(client: client, scene: scene)
            guard await !screens.open() else { return }
            try await play(screens)
        }
    }
}
