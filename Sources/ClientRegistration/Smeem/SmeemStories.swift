import Checking
import ClientServices
import ClientTesting

extension SmeemAdapter {
    /// Stories of which every launch is the splash screen and what it leads to.
    static var launches: [String: StoryFlow<SmeemClient>] {
        let ids = ["SM-01", "SM-02", "SM-03", "SM-06", "SM-07", "SM-08", "SM-09", "SM-17", "SM-19"]
        return Dictionary(uniqueKeysWithValues: ids.map { ($0, atHome()) })
    }

    /// Stories of the pages behind the home screen.
    static var pages: [String: StoryFlow<SmeemClient>] {
        [
            "SM-04": atHome { await $0.showHome() },
            "SM-05": atHome { await $0.showSummary() },
            "SM-10": atHome { await $0.showSummary() },
            "SM-11": atHome { try await $0.editDiary() },
            "SM-12": atHome { screens in
                switch screens.context.variant {
                case "signed-out": await screens.signOut()
                case "withdrawn": await screens.withdraw()
                default: try await screens.deleteDiary()
                }
            },
            "SM-15": atHome { await $0.choosePlan() },
            "SM-16": atHome { await $0.turnOnReminder() },
            "SM-20": atHome { await $0.writeDiary() },
        ]
    }
}

extension SmeemScreens {
    /// Edits the newest diary, and taps once more when saving fails in the server.
    fileprivate func editDiary() async throws {
        guard let id = try await diaries().first?.id else { return await show("home") }
        let opened = await error { () async throws(SmeemError) in _ = try await service.diary(id) }
        guard opened == nil else { return await show("home", error: opened) }
        let draft = "I ran along the river today."
        var failure = await error { () async throws(SmeemError) in try await service.changeDiary(id, to: draft) }
        if case .refused(.serverError) = failure {
            // A person reads the message first.
            try await context.wait(seconds: 2)
            failure = await error { () async throws(SmeemError) in try await service.changeDiary(id, to: draft) }
        }
        await tell("saved", failure == nil)
        await tell("draftKept", failure != nil)
        guard failure == nil else { return await show("editor", error: failure) }
        let reopened = await error { () async throws(SmeemError) in _ = try await service.diary(id) }
        await show("home", error: reopened)
    }

    /// Deletes the newest diary, and shows the list without it.
    fileprivate func deleteDiary() async throws {
        guard let id = try await diaries().first?.id else { return await show("home") }
        let failure = await error { () async throws(SmeemError) in try await service.deleteDiary(id) }
        let reloaded = await error { () async throws(SmeemError) in _ = try await diaries() }
        await show("home", error: failure ?? reloaded)
    }

    /// Chooses the second of the plans in the settings.
    fileprivate func choosePlan() async {
        let failure = await error { () async throws(SmeemError) in
            let plans = try await service.plans()
            try await service.choose(Smeem.MemberChoice(plan: plans.dropFirst().first?.id))
            _ = try await service.profile()
            _ = try await service.planProgress()
        }
        await show("settings", error: failure)
    }

    /// Turns the reminder on in the settings, at the time that is there or at the usual one.
    fileprivate func turnOnReminder() async {
        let failure = await error { () async throws(SmeemError) in
            let reminder = try await service.profile().trainingTime.reminder ?? .usual
            try await service.choose(Smeem.MemberChoice(reminder: reminder, hasPushMessages: true))
            _ = try await service.profile()
        }
        await show("settings", error: failure)
    }

    /// Writes a diary, and taps on the button twice.
    fileprivate func writeDiary() async {
        _ = await error { () async throws(SmeemError) in _ = try await service.randomTopic() }
        let draft = Smeem.DiaryDraft("I baked bread with my sister.")
        async let second = error { () async throws(SmeemError) in _ = try await service.write(draft) }
        var failure = await error { () async throws(SmeemError) in
            let id = try await service.write(draft).id
            _ = try await diaries()
            _ = try await service.diary(id)
        }
        if let second = await second { failure = second }
        await show(failure == nil ? "home" : "editor", error: failure)
    }
}

extension SmeemAdapter {
    /// Stories of a user who signs in or up.
    static var accounts: [String: StoryFlow<SmeemClient>] {
        [
            "SM-13": atStart { await $0.signIn(with: ["from-kakao"]) },
            "SM-14": atStart { try await $0.signUp(trying: ["밈밈", "밈밈이"]) },
            "SM-18": atStart { await $0.signIn(with: ["kakao-1", "kakao-2"]) },
        ]
    }
}

extension SmeemScreens {
    /// Signs in with Kakao, and again with its next token when the server refuses one.
    fileprivate func signIn(with tokens: [String]) async {
        var failure: SmeemError?
        for token in tokens {
            do throws(SmeemError) {
                guard case .signedIn = try await client.signIn(with: .kakao(token)) else {
                    return await show("goals")
                }
                return await showHome()
            } catch {
                failure = error
                guard case .refused(.socialTokenRefused) = error else { break }
            }
        }
        await show("start", error: failure)
    }

    /// Signs up, with the first of some nicknames that is not taken.
    fileprivate func signUp(trying nicknames: [String]) async throws {
        _ = try await service.goals()
        let plans = try await service.plans()
        guard case .unfinished(let signUp) = try await client.signIn(with: .kakao("from-kakao")) else {
            return await showHome()
        }
        let reminder = Smeem.Reminder(on: [.monday, .wednesday], hour: 24, minute: 0)
        try await signUp.choose(.develop, remindedAt: reminder, plan: plans.dropFirst().first.needed().id)
        for text in nicknames {
            let nickname = try Smeem.Nickname(text).needed()
            guard try await !signUp.isTaken(nickname) else { continue }
            let failure = await error { () async throws(SmeemError) in try await signUp.finish(as: nickname) }
            if case .refused(.nicknameTaken) = failure { continue }
            guard failure == nil else { return await show("nickname", error: failure) }
            _ = try await service.profile()
            return await showHome()
        }
        await show("nickname")
    }

    /// Signs out in the settings.
    func signOut() async {
        let failure = await error(of: service.signOut)
        await show(await client.isSignedIn ? "settings" : "start", error: failure)
    }

    /// Deletes the account in the settings.
    func withdraw() async {
        let failure = await error { () async throws(SmeemError) in try await service.withdraw(because: .other) }
        await show(await client.isSignedIn ? "settings" : "start", error: failure)
    }
}
