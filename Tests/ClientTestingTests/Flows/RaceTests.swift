import Basics
import ClientTesting
import HTTPCodec
import HTTPServing
import JSON
import Rules
import Simulation
import StoryRunning
import TestSupport
import Testing

/// A client with one race or none.
///
/// Three screens and an action begin at once with an access token that has expired. No gate holds any request: only the
/// order of the client's jobs and the time on the network decide who comes first.
private actor RacyClient {
    enum Race: Sendable, CaseIterable {
        /// Every refused request refreshes for itself.
        case noSingleFlight
        /// Whether a refresh is under way is asked before a suspension, and used after it.
        case reentrantRefresh
        /// What waits for new tokens is sent by each refresh that ends, and taken out of the queue afterwards.
        case sendsQueueTwice
        /// What waits for another's refresh is sent with the token that it had before.
        case staleToken
    }

    struct Failure: Error {
        let status: Int
    }

    private let setting: ClientSetting
    private let race: Race?
    private(set) var tokens: [String: String]
    private var refresh: Task<Void, any Error>?
    private var queue: [(id: Int, path: String)] = []
    private var lastID = 0

    init(_ setting: ClientSetting, _ race: Race?) {
        self.setting = setting
        self.race = race
        tokens = setting.tokens
    }

    func get(_ path: String) async throws { try await perform(.get, path) }

    /// Saves a note, which must not be saved twice.
    func save() async throws {
        guard race == .sendsQueueTwice else { return try await perform(.post, "/notes") }
        let used = tokens["access"]
        guard try await send(.post, "/notes", used).status == .unauthorized else { return }
        lastID += 1
        queue.append((lastID, "/notes"))
        if used == tokens["access"] { try await renew() }
        try await sendQueue()
    }

    private func sendQueue() async throws {
        for entry in queue {
            _ = try await send(.post, entry.path, tokens["access"])
            queue.removeAll { $0.id == entry.id }
        }
    }

    private func perform(_ method: HTTPMethod, _ path: String) async throws {
        var used = tokens["access"]
        if let refresh {
            try await refresh.value
            used = tokens["access"]
        }
        var response = try await send(method, path, used)
        if response.status == .unauthorized {
            let queued = race == .staleToken && refresh != nil ? used : nil
            if used == tokens["access"] || race == .noSingleFlight { try await renew() }
            if race == .sendsQueueTwice { try await sendQueue() }
            response = try await send(method, path, queued ?? tokens["access"])
        }
        guard response.status.isSuccessful else { throw Failure(status: response.status.code) }
    }

    private func renew() async throws {
        if race != .noSingleFlight, let refresh { return try await refresh.value }
        // As a client does that asks its keychain first.
        if race == .reentrantRefresh { await Task.yield() }
        let task = Task { try await fetchTokens() }
        refresh = task
        defer { refresh = nil }
        try await task.value
    }

    private func fetchTokens() async throws {
        let body = JSONValue.object(JSONObject([("refreshToken", .string(tokens["refresh"] ?? ""))])).text()
        let response = try await send(.post, "/refresh", nil, Array(body.utf8))
        guard response.status == .ok, let json = try? JSONParser().parse(response.body).root else {
            throw Failure(status: response.status.code)
        }
        tokens = ["access": json["access"]?.string ?? "", "refresh": json["refresh"]?.string ?? ""]
    }

    private nonisolated func send(
        _ method: HTTPMethod,
        _ path: String,
        _ token: String?,
        _ body: [UInt8] = []
    ) async throws -> HTTPResponse {
        guard case .raw(let network) = setting.network else { throw Failure(status: 0) }
        var fields = HTTPFields()
        if let token { fields.append("Authorization", "Bearer \(token)") }
        if !body.isEmpty { fields.append("Content-Type", "application/json") }
        let request = HTTPRequest(method: method, target: path, fields: fields, body: body)
        return try await network.send(request, to: setting.url, timeout: 30)
    }
}

private struct RacyAdapter: ClientAdapter {
    let race: RacyClient.Race?
    let name = "racy"
    let contract = ""
    let stories: String? = "Scenarios/notes"
    let operations: [ClientOperation<RacyClient>] = []

    func makeClient(_ setting: ClientSetting) -> RacyClient { RacyClient(setting, race) }

    func session(of client: RacyClient) async -> ObservedSession {
        ObservedSession(isSignedIn: true, tokens: await client.tokens)
    }

    var flows: [String: StoryFlow<RacyClient>] {
        [
            "crowd": { client, _ in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for path in ["/mine", "/tags", "/me"] { group.addTask { try await client.get(path) } }
                    group.addTask { try await client.save() }
                    try await group.waitForAll()
                }
            }
        ]
    }
}

@Suite struct `A race without gates` {
    private static let files: MemoryFiles = {
        let backend = NotesStories.backend.replacingFirst(
            #""GET /notes": { "json": [] },"#,
            with: #""POST /notes": { "requires": "access", "json": {} },"#
        )
        let crowd = #"""
            { "extends": "backend.json", "id": "crowd", "title": "T",
              "given": [{ "signIn": "phone", "ago": "1h" }],
              "expect": [
                { "request": "POST /refresh", "count": 1, "status": 200 },
                { "request": "POST /notes", "status": 200, "count": 1 },
                { "request": "GET /mine", "status": 200, "count": 1 }
              ] }
            """#
        return MemoryFiles(["Scenarios/notes/backend.json": backend, "Scenarios/notes/crowd.json": crowd])
    }()

    private func played(_ race: RacyClient.Race?, schedules: Int, seed: UInt64? = nil) async throws -> StoryResult {
        var run = FlowRun()
        run.schedules = schedules
        run.seed = seed
        let outcome = await run.play(RacyAdapter(race: race), files: Self.files)
        try #require(outcome.problems.isEmpty && outcome.summary.problem == nil, "\(outcome.text)")
        return try #require(outcome.summary.results.first)
    }

    private func traces(of result: StoryResult) -> [String] {
        result.checks.flatMap { [$0.id] + [$0.finding?.description].compactMap(\.self) }
            + result.recording.evidence.exchanges.map { $0.json(canonical: true).description }
    }

    /// In 300 orders with `BACKLOT_SCHEDULES`.
    @Test func `is not found in a client without one, in many orders`() async throws {
        let schedules = Breadth.factor > 1 ? 300 : 100
        let result = try await played(nil, schedules: schedules)
        #expect(result.outcome == .passed, "\(result.play.seed) \(result.checks.filter(\.isOpen).map(\.id))")
        #expect(result.plays == schedules)
    }

    @Test(arguments: RacyClient.Race.allCases)
    private func `is found within 100 orders, and its seed finds it again, byte for byte`(
        race: RacyClient.Race
    ) async throws {
        let found = try await played(race, schedules: 100)
        #expect(found.outcome == .failed)
        let first = try await played(race, schedules: 1, seed: found.play.seed)
        #expect(first.outcome == .failed)
        // A hundred times of a hundred with `BACKLOT_SCHEDULES`.
        for _ in 0..<(Breadth.factor > 1 ? 100 : 5) {
            #expect(traces(of: try await played(race, schedules: 1, seed: found.play.seed)) == traces(of: first))
        }
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = utf8.firstRange(of: part.utf8) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
