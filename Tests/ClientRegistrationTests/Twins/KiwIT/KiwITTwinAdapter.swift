import ClientTesting
import JSON

/// Puts a twin of kiwIT under test, with the bugs that are wanted.
struct KiwITTwinAdapter: ClientAdapter {
    var bugs: Set<KiwITBug> = []
    /// Bugs that the twin has in one story, by the story's id.
    var storyBugs: [String: Set<KiwITBug>] = [:]

    init(_ bugs: Set<KiwITBug> = []) { self.bugs = bugs }

    var name: String { "kiwIT twin" }
    var contract: String { "Contracts/kiwit/openapi.json" }
    var stories: String? { "Scenarios/kiwit" }
    var omissions: [String: String] { ["getStatistics": "answers with nothing but errors"] }

    func makeClient(_ setting: ClientSetting) async throws -> KiwITTwin { try KiwITTwin(setting, bugs) }

    func session(of client: KiwITTwin) async -> ClientSession {
        guard let pair = await client.kept else { return ClientSession(isSignedIn: false, tokens: [:]) }
        return ClientSession(isSignedIn: true, tokens: ["access": pair.access, "refresh": pair.refresh])
    }

    var operations: [ClientOperation<KiwITTwin>] {
        let calls = KiwITCalls(bugs)
        return session(calls) + calls.plain.map(operation)
    }

    private func operation(_ call: KiwITCall) -> ClientOperation<KiwITTwin> {
        let withTrophies = ["studyLecture", "submitQuizGroup"].contains(call.id)
        return ClientOperation(
            call.id,
            tolerances: withTrophies ? [.init("trophyAwardedList", "not there in July 2024")] : [],
            answers: call.nothing.contains(400) ? [.init(400, "nothing was studied yet")] : []
        ) { twin in
            try await twin.make(call).map(CallValue.json) ?? .nothing
        }
    }

    private func session(_ calls: KiwITCalls) -> [ClientOperation<KiwITTwin>] {
        [
            ClientOperation("signIn", role: .signIn) { twin in .json(try await twin.signIn()) },
            ClientOperation("signUp", role: .signIn) { twin in
                .json(try await twin.signUp("newcomer@example.com", "새내기"))
            },
            ClientOperation("refresh", role: .refresh) { twin in
                guard let used = await twin.kept else { throw KiwITTwin.Problem.signedOut }
                _ = try await twin.renewed(insteadOf: used)
                return try await twin.value
            },
            ClientOperation("signOut", role: .signOut) { twin in
                try await twin.signOut()
                return .nothing
            },
            ClientOperation("withdraw", role: .signOut) { twin in
                try await twin.withdraw()
                return .nothing
            },
        ]
    }
}

extension KiwITTwin {
    /// Signs in, and gives what the server has said.
    func signIn() async throws -> [UInt8] {
        let body = try await make(KiwITCalls(bugs).signIn) ?? []
        if let pair = try? Pair(body) { begin(pair) }
        return body
    }

    func signUp(_ email: String, _ nickname: String) async throws -> [UInt8] {
        let body = try await make(KiwITCalls(bugs).signUp(email, nickname)) ?? []
        begin(try Pair(body))
        return body
    }

    /// Signs out here, whatever the server says; with a bug, only where it agrees.
    func signOut() async throws {
        do {
            try await make(KiwITCalls(bugs).signOut)
        } catch {
            if !bugs.contains(.staysWithoutToken) { forget() }
            throw error
        }
        forget()
    }

    func withdraw() async throws {
        try await make(KiwITCalls(bugs).withdraw)
        forget()
    }

    var value: CallValue {
        get throws {
            guard let kept else { return .nothing }
            let pair = JSONObject([
                ("accessToken", JSONValue(.string(kept.access))), ("refreshToken", JSONValue(.string(kept.refresh))),
            ])
            return .json(JSONValue(.object(pair)).utf8())
        }
    }
}
