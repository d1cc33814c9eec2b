import ClientServices
import ClientTesting

extension SmeemAdapter {
    /// Stories of somebody who signs in or up.
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
                guard case .socialTokenRefused = error else { break }
            }
        }
        await show("start", error: failure)
    }

    /// Signs up, with the first of some nicknames that nobody has.
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
            if case .nicknameTaken = failure { continue }
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
