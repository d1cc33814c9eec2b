import ClientTesting
import HTTPCodec
import HTTPServing
import JSON

/// A client of the notes that does everything right, unless told otherwise.
actor NotesClient {
    enum Bug: Sendable {
        /// Every refused request refreshes for itself.
        case refreshesForEach
        /// A refused request is not asked again.
        case givesUp
        /// A refresh ends with the call that started it.
        case cancelsRefresh
        /// What a refresh has brought is forgotten with the launch.
        case storesNothing
    }

    enum Failure: Error {
        case status(Int)
        case network(HTTPClientFailure)
    }

    private(set) var tokens: [String: String]
    private let setting: ClientSetting
    private let bugs: Set<Bug>
    private var refresh: Task<Void, any Error>?

    init(_ setting: ClientSetting, bugs: Set<Bug>) {
        self.setting = setting
        self.bugs = bugs
        tokens = setting.tokens
    }

    /// What a launch leaves behind.
    var stored: [String: String] { bugs.contains(.storesNothing) ? setting.tokens : tokens }

    func get(_ path: String) async throws {
        let token = tokens["access"]
        var response = try await send(.get, path)
        if response.status == .tooManyRequests, let wait = response.fields["Retry-After"].flatMap(Double.init) {
            try await setting.time.sleep(seconds: wait)
            response = try await send(.get, path)
        }
        if response.status == .unauthorized, tokens["refresh"] != nil, !bugs.contains(.givesUp) {
            if token == tokens["access"] || bugs.contains(.refreshesForEach) { try await renew() }
            response = try await send(.get, path)
        }
        guard response.status.isSuccessful else { throw Failure.status(response.status.code) }
    }

    private func renew() async throws {
        if let refresh, !bugs.contains(.refreshesForEach) { return try await refresh.value }
        let task = Task { try await fetchTokens() }
        refresh = task
        defer { refresh = nil }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            if bugs.contains(.cancelsRefresh) { task.cancel() }
        }
    }

    func pause(seconds: Double) async throws { try await setting.time.sleep(seconds: seconds) }

    private func fetchTokens() async throws {
        let body = JSONValue.object(JSONObject([("refreshToken", .string(tokens["refresh"] ?? ""))])).text()
        let response = try await send(.post, "/refresh", body: Array(body.utf8))
        guard response.status.isSuccessful else { throw Failure.status(response.status.code) }
        let new = try JSONParser().parse(response.body).root
        for kind in ["access", "refresh"] { tokens[kind] = new[kind]?.string }
    }

    private func send(_ method: HTTPMethod, _ path: String, body: [UInt8] = []) async throws -> HTTPResponse {
        guard case .raw(let network) = setting.network else { throw Failure.status(0) }
        var fields = HTTPFields()
        if let token = tokens["access"], method == .get { fields.append("Authorization", "Bearer \(token)") }
        if !body.isEmpty { fields.append("Content-Type", "application/json") }
        let request = HTTPRequest(method: method, target: path, fields: fields, body: body)
        do {
            return try await network.send(request, to: setting.url, timeout: 30)
        } catch {
            throw Failure.network(error)
        }
    }
}

/// The notes' client, with flows for the stories that a test gives it.
struct NotesAdapter: ClientAdapter {
    var bugs: Set<NotesClient.Bug> = []
    var omissions: [String: String] = [:]
    var flows: [String: StoryFlow<NotesClient>] = Self.goodFlows

    var name: String { "notes" }
    var contract: String { "openapi.json" }
    var stories: String? { "Scenarios/notes" }
    var operations: [ClientOperation<NotesClient>] { [] }

    func makeClient(_ setting: ClientSetting) async throws -> NotesClient { NotesClient(setting, bugs: bugs) }

    func session(of client: NotesClient) async -> ObservedSession {
        ObservedSession(isSignedIn: true, tokens: await client.stored)
    }

    static let goodFlows: [String: StoryFlow<NotesClient>] = [
        "open": { client, _ in try await client.get("/notes") },
        "race": { client, _ in
            async let mine: Void = client.get("/mine")
            async let tags: Void = client.get("/tags")
            async let me: Void = client.get("/me")
            _ = try await (mine, tags, me)
        },
        "late": { client, _ in try await client.get("/mine") },
        "slow": { client, _ in try await client.get("/mine") },
        "twice": { client, _ in try await client.get("/mine") },
        "busy": { client, _ in try await client.get("/notes") },
        "silent-server": { client, context in
            let problem = await context.outcome { try await client.get("/notes") }
            await context.report("showsError", .bool(problem != nil))
        },
        "two-devices": { client, context in
            try await client.get("/mine")
            try await context.client(on: "pad").get("/mine")
        },
        "variants": { client, context in
            try await client.get("/notes")
            if context.variant == "twice" { try await client.get("/notes") }
        },
    ]
}
