import ClientServices
import Foundation
import Testing

private let profile =
    #"{"posts": [], "followers": [], "following": [], "_id": "656f1c0ac91bb39798f0a002", "nick": "n"}"#

/// A service whose store and whose clock the test holds, and whose server gives `A9` to whoever signs in, and `A2` to
/// whoever renews.
private struct Held: Sendable {
    let store: HeldStore
    let server = StubServer { request, _ in
        switch request.line {
        case "POST /login": .response(200, #"{"_id": "u1", "token": "A9", "refreshToken": "R9"}"#)
        case "GET /refresh": .response(200, #"{"token": "A2"}"#)
        case "GET /profile/u": request.access == "A1" ? .refusal(419) : .response(200, profile)
        default: nil
        }
    }
    let clock = StubClock()
    let service: WhipItService

    init(_ tokens: Tokens? = .first) throws {
        store = HeldStore(tokens)
        service = WhipItService(
            baseURL: try #require(URL(string: "https://whipit.example/")),
            appKey: "key",
            store: store,
            transport: server,
            clock: clock
        )
    }

    func signIn() async throws(WhipItError) { try await service.signIn(email: "e", password: "whip1234") }

    /// Carries out what the store holds, after giving everything else the time to overtake it.
    func release() async {
        for _ in 1...100 { await Task.yield() }
        await store.release()
    }

    /// What the next event is.
    func next(_ events: AsyncStream<SessionEvent>) async -> SessionEvent? {
        for await event in events { return event }
        return nil
    }

    /// What a launch after this one would find.
    var isSignedInAtNextLaunch: Bool {
        get async throws {
            let next = try Held(await store.kept)
            return try await next.service.isSignedIn
        }
    }
}

private let storage = WhipItError.storage("\(HeldStore.Locked())")

@Suite struct `A session and its store` {
    // MARK: What overtakes what

    @Test func `a sign-out while renewed tokens are being saved leaves none in the store`() async throws {
        let held = try Held()
        #expect(try await held.service.isSignedIn)
        let events = await held.service.events
        await held.store.hold { $0.isSave }
        let renewal = Task { try await held.service.refreshSession() }
        await held.store.untilHeld()
        let signOut = Task { try await held.service.signOut() }
        #expect(await held.next(events) == .ended(.signedOut))
        await held.release()
        try await signOut.value
        await #expect(throws: WhipItError.sessionEnded(.signedOut)) { try await renewal.value }
        #expect(await held.store.kept == nil)
        #expect(try await held.isSignedInAtNextLaunch == false)
    }

    @Test func `a call that waited for these tokens is not sent after the sign-out`() async throws {
        let held = try Held()
        await held.store.hold { $0.isSave }
        let call = Task { _ = try await held.service.profile(of: "u") }
        await held.store.untilHeld()
        let events = await held.service.events
        let signOut = Task { try await held.service.signOut() }
        #expect(await held.next(events) == .ended(.signedOut))
        await held.release()
        try await signOut.value
        await #expect(throws: WhipItError.sessionEnded(.signedOut)) { try await call.value }
        #expect(await held.server.requests("GET /profile/u").map(\.access) == ["A1"])
    }

    @Test func `a sign-out while new tokens are being saved ends both sessions`() async throws {
        let held = try Held()
        #expect(try await held.service.isSignedIn)
        let events = await held.service.events
        await held.store.hold { $0.isSave }
        let signIn = Task { try await held.signIn() }
        await held.store.untilHeld()
        let signOut = Task { try await held.service.signOut() }
        #expect(await held.next(events) == .ended(.signedOut))
        await held.release()
        try await signOut.value
        await #expect(throws: WhipItError.sessionEnded(.signedOut)) { try await signIn.value }
        #expect(try await held.service.isSignedIn == false)
        #expect(await held.store.kept == nil)
    }

    @Test func `a sign-in while the store is being cleared keeps its tokens`() async throws {
        let held = try Held()
        await held.store.hold { $0 == .clear }
        let signOut = Task { try await held.service.signOut() }
        await held.store.untilHeld()
        let signIn = Task { try await held.signIn() }
        await held.release()
        try await signOut.value
        try await signIn.value
        #expect(await held.store.kept == Tokens(access: "A9", refresh: "R9"))
        #expect(try await held.service.isSignedIn)
    }

    @Test func `a renewal for the session before does not replace the tokens of a sign-in`() async throws {
        let held = try Held()
        await held.store.hold { $0.isSave }
        let renewal = Task { try await held.service.refreshSession() }
        await held.store.untilHeld()
        let signIn = Task { try await held.signIn() }
        await held.release()
        _ = try? await renewal.value
        try await signIn.value
        #expect(await held.store.kept == Tokens(access: "A9", refresh: "R9"))
    }

    @Test func `nothing is asked of the store before it has answered`() async throws {
        let held = try Held()
        await withTaskGroup { group in
            for round in 1...40 {
                group.addTask {
                    switch round % 4 {
                    case 0: try? await held.signIn()
                    case 1: try? await held.service.refreshSession()
                    case 2: try? await held.service.signOut()
                    default: _ = try? await held.service.isSignedIn
                    }
                }
            }
        }
        #expect(await !held.store.isOverlapped)
        #expect(await held.store.uses.contains(.clear))
        let isSignedIn = try await held.service.isSignedIn
        #expect(try await held.isSignedInAtNextLaunch == isSignedIn)
    }

    // MARK: A store that fails

    @Test func `a sign-out clears a store that cannot be read`() async throws {
        let held = try Held()
        await held.store.fail { $0 == .read }
        let events = await held.service.events
        try await held.service.signOut()
        try #require(await held.store.kept == nil)
        #expect(await held.next(events) == .ended(.signedOut))
        #expect(try await held.service.isSignedIn == false)
    }

    @Test func `a sign-out tells that the store cannot be cleared, and clears it when called again`() async throws {
        let held = try Held()
        await held.store.fail { $0 == .clear }
        await #expect(throws: storage) { try await held.service.signOut() }
        #expect(try await held.service.isSignedIn == false)
        await #expect(throws: WhipItError.signedOut) { try await held.service.profile(of: "u") }
        #expect(await held.server.requests.isEmpty)
        #expect(try await held.isSignedInAtNextLaunch)
        await #expect(throws: storage) { try await held.service.signOut() }
        await held.store.fail { _ in false }
        try await held.service.signOut()
        #expect(try await held.isSignedInAtNextLaunch == false)
    }

    @Test func `a store that can be neither read nor cleared is told, and no call is sent after it`() async throws {
        let held = try Held()
        await held.store.fail { _ in true }
        await #expect(throws: storage) { try await held.service.signOut() }
        await #expect(throws: WhipItError.signedOut) { try await held.service.profile(of: "u") }
        #expect(await held.server.requests.isEmpty)
    }

    @Test func `a sign-out without a session tells nothing`() async throws {
        let held = try Held(nil)
        let events = await held.service.events
        try await held.service.signOut()
        try await held.signIn()
        #expect(await held.next(events) == .signedIn)
    }

    @Test func `a sign-in whose tokens cannot be saved leaves the user signed out`() async throws {
        let held = try Held(nil)
        await held.store.fail { $0.isSave }
        let events = await held.service.events
        await #expect(throws: storage) { try await held.signIn() }
        #expect(try await held.service.isSignedIn == false)
        await #expect(throws: WhipItError.signedOut) { try await held.service.profile(of: "u") }
        await held.store.fail { _ in false }
        try await held.signIn()
        try await held.service.signOut()
        var told: [SessionEvent] = []
        for await event in events.prefix(2) { told.append(event) }
        #expect(told == [.signedIn, .ended(.signedOut)])
    }

    @Test func `a sign-in whose tokens cannot be saved leaves the user before signed in`() async throws {
        let held = try Held()
        #expect(try await held.service.isSignedIn)
        await held.store.fail { $0.isSave }
        await #expect(throws: storage) { try await held.signIn() }
        await held.server.on("GET /profile/u", .response(200, profile))
        _ = try await held.service.profile(of: "u")
        #expect(await held.server.requests("GET /profile/u").map(\.access) == ["A1"])
    }

    @Test func `renewed tokens that cannot be saved are used and saved later`() async throws {
        let held = try Held()
        await held.store.fail { $0.isSave }
        await #expect(throws: storage) { try await held.service.profile(of: "u") }
        _ = try await held.service.profile(of: "u")
        #expect(await held.server.requests("GET /profile/u").map(\.access) == ["A1", "A2"])
        #expect(await held.store.kept == .first)
        await held.store.fail { _ in false }
        _ = try await held.service.profile(of: "u")
        #expect(await held.store.kept == Tokens(access: "A2", refresh: "R1"))
    }

    @Test func `an account that is deleted is signed out, and a store that keeps its tokens is told`() async throws {
        let held = try Held()
        await held.server.on("GET /withdraw", .response(200, #"{"_id": "u1", "email": "e", "nick": "n"}"#))
        await held.store.fail { $0 == .clear }
        await #expect(throws: storage) { try await held.service.withdraw() }
        #expect(try await held.service.isSignedIn == false)
    }

    // MARK: What happens during a pause, and while a response is under way

    @Test func `a sign-out during a pause of the refresh sends no refresh token any more`() async throws {
        let held = try Held()
        await held.server.on("GET /refresh", .refusal(429))
        held.clock.onPause { try? await held.service.signOut() }
        await #expect(throws: WhipItError.sessionEnded(.signedOut)) { try await held.service.refreshSession() }
        #expect(await held.server.count("GET /refresh") == 1)
    }

    @Test func `a token that was renewed twice while a call was sent again does not end the session`() async throws {
        let held = try Held()
        await held.server.on("GET /refresh") { _, count in .response(200, #"{"token": "A\#(count + 1)"}"#) }
        await held.server.on("GET /profile/u") { request, count in
            if count == 2 { try? await held.service.refreshSession() }
            return request.access == "A3" ? .response(200, profile) : .refusal(419)
        }
        _ = try await held.service.profile(of: "u")
        #expect(await held.server.requests("GET /profile/u").map(\.access) == ["A1", "A2", "A3"])
        #expect(try await held.service.isSignedIn)
    }

    @Test func `a withdrawal that is answered after another user's sign-in leaves that user signed in`() async throws {
        let held = try Held()
        await held.server.on("GET /withdraw") { _, _ in
            try? await held.signIn()
            return .response(200, #"{"_id": "u1", "email": "e", "nick": "n"}"#)
        }
        _ = try await held.service.withdraw()
        #expect(try await held.service.isSignedIn)
        #expect(await held.store.kept == Tokens(access: "A9", refresh: "R9"))
    }
}

@Suite struct `Signing out at each server` {
    private func url() throws -> URL { try #require(URL(string: "https://app.example/")) }

    @Test func `kiwIT's user is signed out although the store cannot be read`() async throws {
        let store = HeldStore(.first)
        let server = StubServer()
        let service = KiwITService(baseURL: try url(), store: store, transport: server, clock: StubClock())
        await store.fail { $0 == .read }
        await #expect(throws: KiwITError.storage("\(HeldStore.Locked())")) { try await service.signOut() }
        #expect(await store.kept == nil)
        #expect(try await service.isSignedIn == false)
    }

    @Test func `kiwIT's user learns that the store cannot be cleared, also when the server fails`() async throws {
        let store = HeldStore(.first)
        let server = StubServer { _, _ in .failure(.unreachable) }
        let service = KiwITService(baseURL: try url(), store: store, transport: server, clock: StubClock())
        await store.fail { $0 == .clear }
        await #expect(throws: KiwITError.storage("\(HeldStore.Locked())")) { try await service.signOut() }
        await store.fail { _ in false }
        try await service.signOut()
        #expect(await store.kept == nil)
    }

    @Test func `RunwithU's user learns that the store cannot be cleared`() async throws {
        let store = HeldStore(.first)
        let service = RunwithUService(
            baseURL: try url(),
            appKey: "key",
            store: store,
            transport: StubServer(),
            clock: StubClock()
        )
        await store.fail { $0 == .clear }
        await #expect(throws: RunwithUError.storage("\(HeldStore.Locked())")) { try await service.signOut() }
        #expect(try await service.isSignedIn == false)
    }

    @Test func `Smeem's member learns that the store cannot be cleared, and clears it later`() async throws {
        let store = HeldStore(.first)
        let server = StubServer { _, _ in .response(204) }
        let service = SmeemService(baseURL: try url(), store: store, transport: server, clock: StubClock())
        await store.fail { $0 == .clear }
        await #expect(throws: SmeemError.storage("\(HeldStore.Locked())")) { try await service.signOut() }
        #expect(try await service.isSignedIn == false)
        await store.fail { _ in false }
        await #expect(throws: SmeemError.signedOut) { try await service.signOut() }
        #expect(await store.kept == nil)
        #expect(await server.requests.count == 1)
    }

    @Test func `Smeem's launch takes a store that cannot be read for no sign-out`() async throws {
        let store = HeldStore(.first)
        let server = StubServer()
        let service = SmeemService(baseURL: try url(), store: store, transport: server, clock: StubClock())
        await store.fail { $0 == .read }
        #expect(await service.launch(version: Smeem.VersionNumber(rawValue: "2.0.1")) == .home)
        await #expect(throws: SmeemError.storage("\(HeldStore.Locked())")) { try await service.performance() }
    }

    @Test func `a diary that waits for a busy server is not written by the member who signs in meanwhile`() async throws
    {
        let store = HeldStore(.first)
        let server = StubServer { request, _ in
            switch request.line {
            case "POST /api/v2/diaries": .success(.smeemRefusal(429, "[너무 많은 요청] "))
            case "POST /api/v2/auth":
                .success(
                    .smeem(#"{"accessToken": "A9", "refreshToken": "R9", "isRegistered": true, "hasPlan": true}"#)
                )
            default: .response(204)
            }
        }
        let clock = StubClock()
        let service = SmeemService(baseURL: try url(), store: store, transport: server, clock: clock)
        clock.onPause {
            try? await service.signOut()
            _ = try? await service.signIn(with: .kakao("kakao-2"))
        }
        await #expect(throws: SmeemError.sessionEnded(.signedOut)) {
            try await service.write(Smeem.DiaryDraft("I baked bread with my sister."))
        }
        #expect(await store.kept?.access == "A9")
        #expect(await server.requests("POST /api/v2/diaries").map(\.access) == ["Bearer A1"])
    }
}
