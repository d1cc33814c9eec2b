import ClientTesting
import HTTPCodec
import JSON

/// RunwithU's networking by its README.
///
/// 419 leads to a refresh and to the same request once more. An actor has the tokens, and lets others in while it waits
/// for its refresh. Where a refresh failed, nobody was told, and the view asked again; the solution throws, and the view
/// shows the login screen.
actor RunwithUReadmeClient {
    private let setting: ClientSetting
    private let plain: PlainClient
    private let design: ReadmeDesign
    /// What the keychain holds; nothing when nobody is signed in.
    private(set) var tokens: [String: String]
    private var renewal: Task<Bool, any Error>?

    enum Problem: Error {
        /// The session is over, and the login screen is there.
        case sessionOver
        /// The refresh has failed, and the view has not heard of it.
        case failed
    }

    init(_ setting: ClientSetting, _ design: ReadmeDesign) {
        self.setting = setting
        plain = PlainClient(setting)
        self.design = design
        tokens = setting.tokens
    }

    // MARK: Calls

    @discardableResult
    func call(_ method: HTTPMethod, _ path: String, _ json: JSONValue? = nil) async throws -> JSONValue? {
        let used = tokens["access"]
        let response = try await send(method, path, json)
        guard response.status == 419 else { return response.body }
        guard design == .other else {
            guard try await renew() else { throw try await giveUp() }
            return try await call(method, path, json)
        }
        if tokens["access"] == used {
            let task = renewal ?? Task { try await renew() }
            renewal = task
            defer { renewal = nil }
            guard try await task.value else { throw end() }
        }
        let second = try await send(method, path, json)
        guard second.status != 419 else { throw end() }
        return second.body
    }

    private func send(
        _ method: HTTPMethod,
        _ path: String,
        _ json: JSONValue?
    ) async throws -> (status: Int, body: JSONValue?) {
        guard let access = tokens["access"] else { throw Problem.sessionOver }
        return await plain.send(method, "/v1" + path, ["SesacKey": "runwithu-key", "Authorization": access], json)
    }

    /// Whether there is a new access token, or another call has brought one meanwhile.
    private func renew() async throws -> Bool {
        guard let access = tokens["access"], let refresh = tokens["refresh"] else { return false }
        let fields: HTTPFields = ["SesacKey": "runwithu-key", "Authorization": access, "Refresh": refresh]
        let response = await plain.send(.get, "/v1/auth/refresh", fields)
        if response.status == 409, design == .other { return true }
        guard response.status == 200 else { return false }
        tokens["access"] = response.body?["accessToken"]?.string
        return true
    }

    private func giveUp() async throws -> Problem {
        guard design == .bug else { return end() }
        try await setting.time.sleep(seconds: 0.1)
        return .failed
    }

    /// Deletes the tokens; the login screen is there.
    private func end() -> Problem {
        tokens = [:]
        return .sessionOver
    }

    // MARK: Screens

    /// Opens a screen that asks again when it has heard nothing; with the bug it never ends, and ten times show that.
    func open(_ paths: [String]) async throws {
        for path in paths {
            for _ in 1...10 {
                do {
                    try await call(.get, path)
                    break
                } catch Problem.sessionOver {
                    return
                } catch Problem.failed {}
            }
        }
    }

    static let feed = "/posts?product_id=runwithu_community_posts_public&limit=10&next="

    /// Opens the feed, and all of its pictures at once.
    func openPictures() async throws {
        let posts = try await call(.get, Self.feed)?["data"]?.array ?? []
        let paths = posts.flatMap { $0["files"]?.array ?? [] }.compactMap { $0.string }
        await openTogether(paths.map { "/" + $0 })
    }

    func openTogether(_ paths: [String]) async {
        await withTaskGroup(of: Void.self) { group in
            for path in paths { group.addTask { _ = try? await self.call(.get, path) } }
        }
    }

    /// Opens the own profile, and its posts five at a time.
    func openPosts() async throws {
        let ids = try await call(.get, "/users/me/profile")?["posts"]?.array?.compactMap { $0.string } ?? []
        for start in stride(from: 0, to: ids.count, by: 5) {
            await openTogether(ids[start..<min(start + 5, ids.count)].map { "/posts/" + $0 })
        }
    }
}

/// Puts such a client under test, which reports nothing about itself.
struct RunwithUReadme: ClientAdapter {
    var design: ReadmeDesign

    let name = "runwithu-readme"
    let contract = "Contracts/runwithu/openapi.json"
    let stories: String? = "Scenarios/runwithu"
    let operations: [ClientOperation<RunwithUReadmeClient>] = []

    func makeClient(_ setting: ClientSetting) async throws -> RunwithUReadmeClient {
        RunwithUReadmeClient(setting, design)
    }

    func session(of client: RunwithUReadmeClient) async -> ObservedSession {
        let tokens = await client.tokens
        return ObservedSession(isSignedIn: !tokens.isEmpty, tokens: tokens)
    }

    private static let invitation: JSONValue = [
        "product_id": "runwithu_running_inviation", "title": "일요 저녁런", "content": "같이 뛰어요",
        "content1": "66c1f0a2e4b0a1d2c3f40002",
    ]

    let flows: [String: StoryFlow<RunwithUReadmeClient>] = [
        "W1": { client, _ in try await client.openPictures() },
        "W2": { client, _ in try await client.openPictures() },
        "W3": { client, _ in try await client.open([RunwithUReadmeClient.feed]) },
        "W4": { client, _ in try await client.open(["/users/me/profile"]) },
        "W5": { client, _ in _ = try await client.call(.post, "/posts", invitation) },
        "W6": { client, _ in try await client.open([RunwithUReadmeClient.feed]) },
        "W7": { client, _ in try await client.open(["/users/me/profile"]) },
        "W14": { client, _ in try await client.openPosts() },
        "W21": { client, _ in
            await client.openTogether([RunwithUReadmeClient.feed, "/uploads/posts/postImage_1725170012345.png"])
            try await client.open(["/users/me/profile"])
        },
    ]
}
