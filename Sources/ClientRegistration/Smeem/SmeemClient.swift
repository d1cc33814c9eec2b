import ClientServices
import ClientTesting
import Foundation
import JSON

/// Smeem's service with what it stores, as a launch of the app has it.
package struct SmeemClient: AppClient {
    let service: SmeemService
    let store: MemoryTokenStore
    let clock: any ServiceClock
    /// The sign-up that the user is in the middle of.
    let signUp = UnfinishedSignUp()

    init(_ setting: ClientSetting) throws {
        guard let url = URL(string: setting.url) else { throw URLError(.badURL) }
        clock = BridgedClock(time: setting.time)
        store = MemoryTokenStore(setting)
        service = SmeemService(baseURL: url, store: store, transport: setting.transport, clock: clock)
    }

    /// The tokens in the store, or else those of the sign-up.
    var tokens: Tokens? {
        get async {
            if let stored = await store.tokens() { return stored }
            return await signUp.value?.tokens
        }
    }

    /// Signs in, and remembers a sign-up that is not finished.
    func signIn(with credential: Smeem.SocialCredential) async throws(SmeemError) -> Smeem.SignIn {
        let result = try await service.signIn(with: credential)
        if case .unfinished(let signUp) = result { await self.signUp.begin(signUp) }
        return result
    }
}

/// A sign-up, once there is one.
actor UnfinishedSignUp {
    private(set) var value: Smeem.SignUp?

    func begin(_ signUp: Smeem.SignUp) { value = signUp }
}

/// The screens and actions of Smeem's user in a story.
struct SmeemScreens: Sendable {
    let client: SmeemClient
    let context: any StoryContext<SmeemClient>

    var service: SmeemService { client.service }

    // MARK: Telling

    func tell(_ fact: String, _ value: Bool) async { await context.report(fact, .bool(value)) }
    func tell(_ fact: String, _ value: String) async { await context.report(fact, .string(value)) }

    /// Reports which screen is there, and whether it shows an error.
    func show(_ screen: String, error: SmeemError? = nil) async {
        await tell("screen", screen)
        await tell("signedOut", !(await client.isSignedIn))
        await tell("showsError", error != nil)
    }

    /// The error of a call; `nil` if it succeeded.
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
        switch await service.launch(version: Smeem.VersionNumber(rawValue: "3.0.1")) {
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

    /// The home screen: the diaries, and the visit, whose failure is not shown.
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
        { client, context in
            let screens = SmeemScreens(client: client, context: context)
            guard await screens.open() else { return }
            try await play(screens)
        }
    }

    /// A story that begins with the start screen.
    static func atStart(
        _ play: @escaping @Sendable (SmeemScreens) async throws -> Void
    ) -> StoryFlow<SmeemClient> {
        { client, context in
            let screens = SmeemScreens(client: client, context: context)
            guard await !screens.open() else { return }
            try await play(screens)
        }
    }
}
