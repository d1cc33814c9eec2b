import ClientTesting
import JSON

/// What the twin's user does in each story.
extension SmeemTwinAdapter {
    var flows: [String: StoryFlow<SmeemTwin>] {
        var flows: [String: StoryFlow<SmeemTwin>] = [:]
        for id in ["SM-01", "SM-02", "SM-03", "SM-06", "SM-07", "SM-08", "SM-09", "SM-17", "SM-19"] {
            flows[id] = { twin, context in _ = try await SmeemTwinUser(twin, context).open() }
        }
        return flows.merging([
            "SM-04": atHome { await $0.showHome() },
            "SM-05": atHome { await $0.showSummary() },
            "SM-10": atHome { await $0.showSummary() },
            "SM-11": atHome { await $0.edit() },
            "SM-12": atHome { await $0.remove() },
            "SM-13": { twin, context in try await SmeemTwinUser(twin, context).signIn(["from-kakao"]) },
            "SM-14": { twin, context in try await SmeemTwinUser(twin, context).signUp(["밈밈", "밈밈이"]) },
            "SM-15": atHome { await $0.choosePlan() },
            "SM-16": atHome { await $0.remind() },
            "SM-18": { twin, context in try await SmeemTwinUser(twin, context).signIn(["kakao-1", "kakao-2"]) },
            "SM-20": atHome { await $0.tapTwice() },
        ]) { $1 }
    }

    private func atHome(_ play: @escaping @Sendable (SmeemTwinUser) async -> Void) -> StoryFlow<SmeemTwin> {
        { twin, context in
            let user = SmeemTwinUser(twin, context)
            guard try await user.open() else { return }
            await play(user)
        }
    }
}

/// Somebody with the twin in their hand.
struct SmeemTwinUser: Sendable {
    let twin: SmeemTwin
    let context: any StoryContext<SmeemTwin>

    init(_ twin: SmeemTwin, _ context: any StoryContext<SmeemTwin>) {
        self.twin = twin
        self.context = context
    }

    private func show(_ screen: String, showsError: Bool = false) async {
        await context.report("screen", .string(screen))
        await context.report("signedOut", .bool(await twin.access == nil))
        await context.report("showsError", .bool(showsError))
    }

    private func problem(of work: () async throws(SmeemTwinProblem) -> Void) async -> SmeemTwinProblem? {
        do throws(SmeemTwinProblem) {
            try await work()
            return nil
        } catch {
            return error
        }
    }

    func open() async throws(SmeemTwinProblem) -> Bool {
        let screen = try await twin.launch()
        guard screen == .home else {
            await show(screen.rawValue)
            return false
        }
        await showHome()
        return true
    }

    func showHome() async {
        async let visit = problem { () async throws(SmeemTwinProblem) in _ = try await twin.visit() }
        let problem = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.diaries() }
        _ = await visit
        await show("home", showsError: problem != nil)
    }

    /// Nothing is shown until all three parts are there, in an app that knows of no missing plan (M3).
    func showSummary() async {
        async let counts = problem { () async throws(SmeemTwinProblem) in _ = try await twin.summary() }
        async let badges = problem { () async throws(SmeemTwinProblem) in _ = try await twin.badgeProgress() }
        var card = "error"
        let plan = await problem { () async throws(SmeemTwinProblem) in
            card = try await twin.myPlan().object?["plan"]?.string == nil ? "none" : "plan"
        }
        let parts = await [counts, badges, plan]
        let isComplete = parts.allSatisfy { $0 == nil }
        if isComplete || !twin.has(.m3) { await context.report("planCard", .string(card)) }
        let isShown = isComplete || !(twin.has(.m3) || twin.has(.b2))
        await show(isShown ? "summary" : "blank", showsError: !isComplete)
    }

    private func newest() async -> Int? {
        let list = try? await twin.diaries()
        return list?.object?["diaries"]?.array?.first?.object?["diaryId"]?.int
    }

    func edit() async {
        guard let id = await newest() else { return await show("home", showsError: true) }
        var failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.change(id) }
        if case .status(500) = failed, !twin.has(.b6) {
            failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.change(id) }
        }
        let isClosed = failed == nil || twin.has(.b6)
        await context.report("saved", .bool(isClosed))
        await context.report("draftKept", .bool(!isClosed))
        await show(isClosed ? "home" : "editor", showsError: !isClosed)
    }

    func remove() async {
        switch context.variant {
        case "signed-out", "withdrawn":
            let isSigningOut = context.variant == "signed-out"
            let failed = await problem { () async throws(SmeemTwinProblem) in
                _ = try await isSigningOut ? twin.signOut() : twin.withdraw()
            }
            await show(failed == nil ? "start" : "settings", showsError: failed != nil)
        default:
            guard let id = await newest() else { return await show("home", showsError: true) }
            var failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.delete(id) }
            // Whoever is told that it failed tries again.
            if failed == .undecodable {
                failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.delete(id) }
            }
            let left = await newest()
            await show("home", showsError: failed != nil && (left == id || failed != .connection))
        }
    }

    func choosePlan() async {
        let failed = await problem { () async throws(SmeemTwinProblem) in
            let plans = try await twin.plans().object?["plans"]?.array ?? []
            let id = twin.has(.m13) ? 2 : plans.dropFirst().first?.object?["id"]?.int ?? 0
            _ = try await twin.choose(["planId": .number(JSONNumber(id))])
            _ = try await twin.profile()
            _ = try await twin.myPlan()
        }
        await show("settings", showsError: failed != nil)
    }

    func remind() async {
        let failed = await problem { () async throws(SmeemTwinProblem) in
            let time = try await twin.profile().object?["trainingTime"] ?? .null
            let isChosen = time.object?["hour"]?.int != -1 || twin.has(.m7)
            let wanted: JSONValue = isChosen ? time : ["day": "MON,TUE,WED,THU,FRI", "hour": 22, "minute": 0]
            _ = try await twin.choose(["trainingTime": wanted, "hasAlarm": true])
        }
        await show("settings", showsError: failed != nil)
    }

    func signIn(_ tokens: [String]) async throws {
        guard try await !open() else { return }
        // Who is told that data could not be loaded taps again, with the token that is there.
        let tried = twin.has(.m11) ? Array(repeating: tokens[0], count: 3) : tokens
        for token in tried {
            let failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.signIn(token) }
            guard let failed else { return await showHome() }
            // The spinner turns.
            if failed == .neverTold { return }
            guard failed == .status(503) || failed == .status(401) else { break }
        }
        await show("start", showsError: true)
    }

    func signUp(_ names: [String]) async throws {
        guard try await !open() else { return }
        _ = try await twin.goals()
        let plans = try await twin.plans().object?["plans"]?.array ?? []
        _ = try await twin.signIn("from-kakao")
        let plan = plans.dropFirst().first?.object?["id"] ?? .null
        let choice: JSONValue = [
            "target": "DEVELOP", "trainingTime": await twin.midnight, "hasAlarm": true, "planId": plan,
        ]
        _ = try await twin.choose(choice)
        let tried = twin.has(.m12) ? [names[0], names[0]] : names
        for name in tried {
            if !twin.has(.m12) || name != names[0] {
                guard try await twin.checkNickname(name).object?["isExist"]?.bool == false else { continue }
            }
            let failed = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.takeNickname(name) }
            if failed == nil { return await showHome() }
        }
        await show("nickname", showsError: true)
    }

    func tapTwice() async {
        async let second = problem { () async throws(SmeemTwinProblem) in _ = try await twin.write("I baked bread.") }
        let first = await problem { () async throws(SmeemTwinProblem) in _ = try await twin.write("I baked bread.") }
        let failed = await [first, second].contains { $0 != nil }
        _ = try? await twin.diaries()
        await show(failed ? "editor" : "home", showsError: failed)
    }
}
