import ClientTesting
import HTTPCodec
import JSON

/// kiwIT's networking by its README.
///
/// Every view model refreshes for itself and then repeats its call. Where a refresh is refused, a child view knew and
/// nobody else; the solution tells the view of all tabs, which deletes the tokens and shows the login screen. All tabs
/// were made after a sign-in; the solution makes each when it is opened.
actor KiwITReadmeClient {
    private let plain: PlainClient
    private let design: ReadmeDesign
    /// What the keychain holds; nothing when nobody is signed in.
    private(set) var tokens: [String: String]
    private var renewal: Task<Void, any Error>?

    enum Problem: Error {
        /// The session is over, and the login screen is there.
        case sessionOver
        /// Something failed, and the screen shows an alert.
        case failed
    }

    init(_ setting: ClientSetting, _ design: ReadmeDesign) {
        plain = PlainClient(setting)
        self.design = design
        tokens = setting.tokens
    }

    // MARK: Calls

    @discardableResult
    func call(_ method: HTTPMethod, _ path: String) async throws -> Int {
        let used = try access
        let status = await send(method, path, bearing: used)
        guard status == 401 else { return status }
        guard design == .other else {
            try await renew()
            return try await call(method, path)
        }
        if tokens["access"] == used {
            let task = renewal ?? Task { try await renew() }
            renewal = task
            defer { renewal = nil }
            try await task.value
        }
        let second = await send(method, path, bearing: try access)
        guard second != 401 else { throw end() }
        return second
    }

    private var access: String {
        get throws {
            guard let access = tokens["access"] else { throw Problem.sessionOver }
            return access
        }
    }

    private func send(_ method: HTTPMethod, _ path: String, bearing token: String) async -> Int {
        await plain.send(method, "/api/v1" + path, ["Authorization": "Bearer \(token)"]).status
    }

    private func renew() async throws {
        guard let refresh = tokens["refresh"] else { throw Problem.sessionOver }
        let response = await plain.send(.patch, "/api/v1/user/refresh", [:], ["refreshToken": .string(refresh)])
        switch (response.status, design) {
        case (200, _): keep(response.body)
        case (401, .solution), (400..., .other): throw end()
        default: throw Problem.failed
        }
    }

    private func keep(_ pair: JSONValue?) {
        for kind in ["access", "refresh"] { tokens[kind] = pair?["\(kind)Token"]?.string }
    }

    /// Deletes the tokens; the login screen is there.
    private func end() -> Problem {
        tokens = [:]
        return .sessionOver
    }

    // MARK: Screens

    static let home = ["/content/latest", "/quiz/group/latest-solved"]
    static let profile = [
        "/content/studied?limit=1&next=0", "/content/kept?limit=1&next=0", "/quiz/group/solved?limit=1&next=0",
        "/quiz/kept?limit=1&next=0", "/trophy/my/latest",
    ]

    /// Opens a screen that asks for one thing after the other; its user tries once more what has failed.
    func open(_ paths: [String]) async {
        for _ in 1...2 {
            var isFailed = false
            for path in paths {
                do {
                    try await call(.get, path)
                } catch Problem.sessionOver {
                    return
                } catch {
                    isFailed = true
                }
            }
            guard isFailed else { return }
        }
    }

    /// Opens the profile tab, which asks for everything at once.
    func openProfile() async {
        await withTaskGroup(of: Void.self) { group in
            for path in Self.profile { group.addTask { _ = try? await self.call(.get, path) } }
        }
    }

    func signIn() async {
        let account: JSONValue = ["token": "from-kakao", "provider": "KAKAO"]
        keep(await plain.send(.post, "/api/v1/user/sign-in", [:], account).body)
        await open(["/user"] + Self.home)
        guard design == .bug else { return }
        await open(["/content/level", "/quiz/group?limit=30&next=0"])
        await openProfile()
    }

    /// Signs out; the alert about a session that is over deletes the tokens, unless the view is one that cannot.
    func signOut() async {
        for _ in 1...2 {
            if let status = try? await call(.patch, "/user/sign-out"), status != 200 { continue }
            guard design == .bug, !tokens.isEmpty else { return _ = end() }
        }
    }
}

/// Puts such a client under test, which reports nothing about itself.
struct KiwITReadme: ClientAdapter {
    var design: ReadmeDesign

    let name = "kiwit-readme"
    let contract = "Contracts/kiwit/openapi.json"
    let stories: String? = "Scenarios/kiwit"
    let operations: [ClientOperation<KiwITReadmeClient>] = []

    func makeClient(_ setting: ClientSetting) async throws -> KiwITReadmeClient { KiwITReadmeClient(setting, design) }

    func session(of client: KiwITReadmeClient) async -> ObservedSession {
        let tokens = await client.tokens
        return ObservedSession(isSignedIn: !tokens.isEmpty, tokens: tokens)
    }

    let flows: [String: StoryFlow<KiwITReadmeClient>] = [
        "K1": { client, _ in await client.openProfile() },
        "K2": { client, _ in await client.open(KiwITReadmeClient.home) },
        "K3": { client, _ in await client.open(["/user"]) },
        "K4": { client, _ in await client.open(KiwITReadmeClient.home) },
        "K5": { client, _ in await client.openProfile() },
        "K11": { client, _ in
            await client.open(KiwITReadmeClient.home)
            await client.open(["/content/level"])
        },
        "K14": { client, _ in
            guard await !client.tokens.isEmpty else { return }
            await client.signOut()
        },
        "K17": { client, _ in
            await client.open(KiwITReadmeClient.home)
            await client.openProfile()
        },
        "K19": { client, _ in await client.signIn() },
    ]
}
