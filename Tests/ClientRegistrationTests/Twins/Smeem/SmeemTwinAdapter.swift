import ClientTesting
import JSON

/// The twin under test, with bugs or without.
struct SmeemTwinAdapter: ClientAdapter {
    var bugs: Set<SmeemBug> = []

    let name = "smeem-twin"
    let contract = "Contracts/smeem/openapi.json"
    let stories: String? = "Scenarios/smeem"
    let refusals = SessionRefusals(expired: [401], ending: [401], endingRefresh: [401])

    func makeClient(_ setting: ClientSetting) async throws -> SmeemTwin { SmeemTwin(setting, bugs: bugs) }

    func session(of client: SmeemTwin) async -> ObservedSession {
        var tokens: [String: String] = [:]
        tokens["access"] = await client.access
        tokens["refresh"] = await client.refresh
        return ObservedSession(isSignedIn: tokens["access"] != nil, tokens: tokens)
    }

    private typealias Operation = ClientOperation<SmeemTwin>

    var operations: [ClientOperation<SmeemTwin>] { account + member + bookmarks }

    private var account: [ClientOperation<SmeemTwin>] {
        [
            .data("getAppVersion") { try await $0.versions() },
            .data("signIn", role: .signIn) { try await $0.signIn("from-kakao") },
            .refreshing,
            .data("signOut", role: .signOut) { try await $0.signOut() },
            .data("withdraw", role: .signOut) { try await $0.withdraw() },
            .data("getGoals") { try await $0.goals() },
            .data("getGoal") { try await $0.goal() },
            .data("getPlans") { try await $0.plans() },
            .data("checkNickname") { try await $0.checkNickname("스미미") },
            .data("changeMember") { try await $0.takeNickname("스미미") },
            .data("changeMyPlan") { try await $0.choose(["trainingTime": await $0.midnight, "planId": 2]) },
            .data("getMyPlan", tolerances: [.init("data", "Servers of May 2024 left it out without a plan.")]) {
                try await $0.myPlan()
            },
            .data("getMe") { try await $0.profile() },
            Operation("testConnection") { twin in
                let response = try await twin.perform(SmeemTwinCall("GET", "/api/v2/test", bearing: nil))
                guard response.status == 200, response.body.elementsEqual("server connect".utf8) else {
                    throw response.status == 200 ? SmeemTwinProblem.undecodable : .status(response.status)
                }
                return .text("server connect")
            },
            .data("testAlarm") { twin in
                let call = SmeemTwinCall("GET", "/api/v2/test/alarm")
                return try await twin.ask(call, twin.has(.b7) ? .object([:]) : .null)
            },
        ]
    }

    private var member: [ClientOperation<SmeemTwin>] {
        [
            .data("changePush") {
                try await $0.ask(SmeemTwinCall("PATCH", "/api/v2/members/push", ["hasAlarm": true]), .null)
            },
            .data("visit") { try await $0.visit() },
            .data("getMySummary") { try await $0.summary() },
            .data("getMyBadges") {
                let group = SmeemTwinShape.object([
                    "badgeType": .text, "badgeTypeName": .text, "badges": .list(.badge),
                ])
                return try await $0.ask(
                    SmeemTwinCall("GET", "/api/v2/members/badges"),
                    .object(["badgeTypes": .list(group)])
                )
            },
            .data("getBadgeProgress") { try await $0.badgeProgress() },
            .data("getDiaries") { try await $0.diaries() },
            .data("writeDiary") { try await $0.write("I walked along the river today.") },
            .data("getDiary") { try await $0.diary(345) },
            .data("changeDiary") { try await $0.change(345) },
            .data("deleteDiary") { try await $0.delete(345) },
            .data("correctDiary") {
                let call = SmeemTwinCall("POST", "/api/v2/diaries/345/corrections")
                return try await $0.ask(call, .object(["corrections": .list(.correction)]))
            },
            .data("getTopic") {
                let shape = SmeemTwinShape.object(["topicId": .integer, "content": .text])
                return try await $0.ask(SmeemTwinCall("GET", "/api/v2/topics/random"), shape)
            },
            .data("rateCorrections") {
                let body: JSONValue = ["diaryId": 344, "isSatisfied": true, "dissatisfactionTypes": [], "reason": ""]
                return try await $0.ask(SmeemTwinCall("POST", "/api/v2/survey/coaching", body), .null)
            },
        ]
    }

    private var bookmarks: [ClientOperation<SmeemTwin>] {
        let texts: [String: SmeemTwinShape] = ["expression": .orNull(.text), "description": .orNull(.text)]
        let kept = texts.merging([
            "bookmarkId": .integer, "thumbnailImageUrl": .orNull(.text), "createdAt": .text,
            "scrapType": .orNull(.text),
        ]) { $1 }
        let detail = texts.merging([
            "thumbnailImageUrl": .orNull(.text), "scrapedUrl": .text, "translatedExpression": .orNull(.text),
            "scrapType": .orNull(.text),
        ]) { $1 }
        return [
            .data("getBookmarks") {
                try await $0.ask(
                    SmeemTwinCall("GET", "/api/v2/bookmarks"),
                    .object(["bookmarks": .list(.object(kept))])
                )
            },
            .data("bookmark") {
                try await $0.ask(SmeemTwinCall("POST", "/api/v2/bookmarks", ["url": "https://a.example/"]), .scrapped)
            },
            .data("bookmarkByHand") {
                let body: JSONValue = [
                    "expression": "a", "translatedExpression": "b", "scrapedUrl": "https://a.example",
                ]
                return try await $0.ask(SmeemTwinCall("POST", "/api/v2/bookmarks/fallback", body), .scrapped)
            },
            .data("getBookmark") {
                try await $0.ask(SmeemTwinCall("GET", "/api/v2/bookmarks/detail/41"), .orNull(.object(detail)))
            },
            .data("changeBookmark") {
                let shape = texts.merging(["translatedExpression": .orNull(.text)]) { $1 }
                let call = SmeemTwinCall("PATCH", "/api/v2/bookmarks/41", ["expression": "Pissed off"])
                return try await $0.ask(call, .object(shape))
            },
            .data("deleteBookmark") { try await $0.ask(SmeemTwinCall("DELETE", "/api/v2/bookmarks/41"), .null) },
        ]
    }
}

extension ClientOperation<SmeemTwin> {
    /// An operation that comes back with what is in the envelope.
    fileprivate static func data(
        _ id: String,
        role: Role = .plain,
        tolerances: [Drop] = [],
        _ call: @escaping @Sendable (SmeemTwin) async throws -> JSONValue
    ) -> ClientOperation {
        ClientOperation(id, role: role, root: JSONPointer(tokens: ["data"]), tolerances: tolerances) { twin in
            let value = try await call(twin)
            return value.isNull ? .nothing : .value(value)
        }
    }

    /// The refresh, of which the twin tells what it has stored.
    fileprivate static var refreshing: ClientOperation {
        let root = JSONPointer(tokens: ["data"])
        let drops = [Drop("data/refreshToken", "Null leaves the token that was there.")]
        return ClientOperation("refresh", role: .refresh, root: root, drops: drops) { twin in
            try await twin.refreshNow()
            return .value(["accessToken": .string(await twin.access ?? "")])
        }
    }
}

extension CallValue {
    fileprivate static func value(_ value: JSONValue) -> CallValue {
        var bytes: [UInt8] = []
        JSONWriter().append(value, to: &bytes)
        return .json(bytes)
    }

    fileprivate static func text(_ text: String) -> CallValue { value(.string(text)) }
}
