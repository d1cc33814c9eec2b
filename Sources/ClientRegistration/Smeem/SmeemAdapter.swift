import ClientServices
package import ClientTesting
import JSON

/// Puts Smeem's service under test.
package struct SmeemAdapter: AppAdapter {
    package init() {}

    package var name: String { "Smeem" }
    package var contract: String { "Contracts/smeem/openapi.json" }
    package var stories: String? { "Scenarios/smeem" }
    package var refusals: SessionRefusals { SessionRefusals(expired: [401], ending: [401], endingRefresh: [401]) }

    package func makeClient(_ setting: ClientSetting) async throws -> SmeemClient {
        try SmeemClient(setting)
    }

    package var operations: [ClientOperation<SmeemClient>] {
        Self.session + Self.newcomers + Self.members + Self.diaries + Self.bookmarks + Self.tests
    }

    package var flows: [String: StoryFlow<SmeemClient>] {
        Self.launches.merging(Self.pages) { first, _ in first }.merging(Self.accounts) { first, _ in first }
    }

    package func session(of client: SmeemClient) async -> ObservedSession {
        let tokens = await client.tokens
        // A user who is signing up is signed in as far as the server can tell.
        let isSigningUp = await client.signUp.value != nil && tokens != nil
        return ObservedSession(isSignedIn: isSigningUp ? true : await client.isSignedIn, tokens: tokens)
    }
}

extension Smeem.Reason: NamedReason {
    var name: String { refusal.map { "\(caseName)(\($0.status))" } ?? caseName }
}

extension ClientOperation<SmeemClient> {
    /// An operation that comes back with what is in the envelope.
    static func data(
        _ id: String,
        at place: [String] = [],
        tolerances: [Drop] = [],
        accompanying: Set<String> = [],
        _ call: @escaping @Sendable (SmeemService) async throws -> (some Encodable & Sendable)?
    ) -> ClientOperation {
        .value(
            id,
            root: JSONPointer(tokens: ["data"] + place),
            tolerances: tolerances,
            accompanying: accompanying,
            call
        )
    }

    /// An operation with nothing in the envelope.
    static func noData(
        _ id: String,
        role: Role = .plain,
        answers: [Answer] = [],
        _ call: @escaping @Sendable (SmeemService) async throws -> Void
    ) -> ClientOperation {
        .done(id, role: role, root: JSONPointer(tokens: ["data"]), answers: answers, call)
    }
}

extension SmeemAdapter {
    static var members: [ClientOperation<SmeemClient>] {
        [
            .noData("changeMyPlan") { service in
                try await service.choose(
                    Smeem.MemberChoice(goal: .develop, reminder: .usual, hasPushMessages: true, plan: 2)
                )
            },
            .data(
                "getMyPlan",
                tolerances: [.init("data", "the May 2024 version of the server omitted the data if no plan was set")]
            ) { try await $0.planProgress() },
            .data("changeMember", at: ["badges"], accompanying: ["checkNickname"]) {
                try await $0.changeNickname(to: Smeem.Nickname("스미미").needed())
            },
            .data("getMe") { try await $0.profile() },
            .noData("changePush") { try await $0.setPushMessages(true) },
            .noData("visit") { try await $0.visit() },
            .data("getMySummary") { try await $0.performance() },
            .data("getMyBadges", at: ["badgeTypes"]) { try await $0.badges() },
            .data("getBadgeProgress", at: ["badges"]) { try await $0.badgeProgress() },
        ]
    }

    static var diaries: [ClientOperation<SmeemClient>] {
        [
            ClientOperation("getDiaries", root: .init(tokens: ["data"])) { client in
                try CallValue(await client.service.diaries(in: .month(of: client.clock.now)))
            },
            .data("writeDiary") { try await $0.write(Smeem.DiaryDraft("I walked along the river today.", about: 17)) },
            .data("getDiary") { try await $0.diary(345) },
            .noData("changeDiary") { try await $0.changeDiary(345, to: "I walked along the river today, twice.") },
            .noData("deleteDiary") { try await $0.deleteDiary(345) },
            .data("correctDiary", at: ["corrections"]) { try await $0.correctDiary(345) },
            .data("getTopic") { try await $0.randomTopic() },
            .noData("rateCorrections") {
                try await $0.criticizeCorrections(of: 344, for: [.tooShort], comment: "예문이 더 있으면 좋겠어요.")
            },
        ]
    }

    static var bookmarks: [ClientOperation<SmeemClient>] {
        let page = "https://www.instagram.com/reel/C7/"
        return [
            .data("getBookmarks", at: ["bookmarks"]) { try await $0.bookmarks() },
            .data("bookmark") { try await $0.addBookmark(of: page) },
            .data("bookmarkByHand") {
                try await $0.addBookmark(Smeem.TypedBookmark("Pissed off", meaning: "엄청 화나다", from: page))
            },
            .data("getBookmark") { try await $0.bookmark(41) },
            .data("changeBookmark") {
                try await $0.changeBookmark(
                    41,
                    Smeem.BookmarkChange(expression: "Pissed off", translation: "엄청 화나다", description: "오늘의 문장")
                )
            },
            .noData("deleteBookmark") { try await $0.deleteBookmark(41) },
        ]
    }
}

extension SmeemAdapter {
    static var session: [ClientOperation<SmeemClient>] {
        [
            ClientOperation("signIn", role: .signIn, root: JSONPointer(tokens: ["data"])) { client in
                let signIn = try await client.signIn(with: .kakao("from-kakao"))
                return try CallValue(Granted(signIn, await client.tokens))
            },
            ClientOperation("refresh", role: .refresh, root: JSONPointer(tokens: ["data"])) { client in
                let before = await client.tokens
                try await client.service.refreshSession()
                return try CallValue(Renewed(from: before, to: await client.tokens))
            },
            .noData("signOut", role: .signOut, answers: [noSession, noMember]) { try await $0.signOut() },
            .noData("withdraw", role: .signOut, answers: [noMember]) { try await $0.withdraw(because: .other) },
        ]
    }

    private static var noSession: ClientOperation<SmeemClient>.Answer {
        .init(401, "the session has already ended")
    }

    private static var noMember: ClientOperation<SmeemClient>.Answer {
        .init(404, "the member to sign out no longer exists")
    }

    static var newcomers: [ClientOperation<SmeemClient>] {
        [
            .data("getAppVersion") { try await $0.appVersions() },
            .data("getGoals", at: ["goals"]) { try await $0.goals() },
            .data("getGoal") { try await $0.detail(of: .develop) },
            .data("getPlans", at: ["plans"]) { try await $0.plans() },
            .data("checkNickname", at: ["isExist"]) { try await $0.isTaken(Smeem.Nickname("스미미").needed()) },
        ]
    }

    static var tests: [ClientOperation<SmeemClient>] {
        [
            .value("testConnection") { try await $0.testConnection() },
            .noData("testAlarm") { try await $0.testPushMessage() },
        ]
    }
}

extension Optional {
    /// The value of an argument that is known to be right.
    func needed() throws(SmeemError) -> Wrapped {
        guard let self else { throw .unsendable("the adapter's argument is invalid") }
        return self
    }
}

/// The tokens of a sign-in, from the app's result.
private struct Granted: Encodable {
    var accessToken: String?
    var refreshToken: String?
    var isRegistered = true
    var hasPlan = true

    init(_ signIn: Smeem.SignIn, _ tokens: Tokens?) {
        accessToken = tokens?.access
        refreshToken = tokens?.refresh
        if case .unfinished(let signUp) = signIn {
            isRegistered = !signUp.needsNickname
            hasPlan = !signUp.needsGoal
        }
    }
}

/// The tokens of a refresh, from the store after it: an unchanged refresh token means that none was granted.
private struct Renewed: Encodable {
    var accessToken: String?
    @Nullable var refreshToken: String?

    init(from before: Tokens?, to after: Tokens?) {
        accessToken = after?.access
        _refreshToken = Nullable(wrappedValue: after?.refresh == before?.refresh ? nil : after?.refresh)
    }
}
