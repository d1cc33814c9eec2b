import ClientServices
import ClientTesting

extension KiwITAdapter {
    /// Coming, going, and what was won meanwhile.
    static var accountStories: [String: StoryFlow<KiwITClient>] {
        [
            "K12": { client, scene in
                let screens = KiwITScreens(client, scene)
                _ = try await client.service.signIn(with: "from-kakao", from: .kakao)
                let problem = await scene.outcome { _ = try await client.service.profile() }
                // The user touches "try again".
                if problem != nil { _ = try await client.service.profile() }
                await screens.show("home")
            },
            "K13": { client, scene in
                let screens = KiwITScreens(client, scene)
                let answer = try await client.service.signIn(with: "from-kakao", from: .kakao)
                if case .signUpRequired(let draft) = answer { await signUp(draft, screens) }
                await screens.show("home")
            },
            "K14": whenSignedIn { screens in
                _ = await screens.scene.outcome { try await screens.service.signOut() }
                await screens.show("profile")
            },
            "K16": whenSignedIn { screens in
                let trophies = try await screens.all(PagedList(screens.service.wonTrophies()))
                await screens.tell("rows", trophies.count)
                await screens.tell("rawDates", trophies.count { $0.createdAt.date == nil })
                await screens.show("trophies")
            },
            "K17": whenSignedIn { screens in
                let problem = await screens.scene.outcome {
                    try await screens.openHome()
                    try await screens.openProfile()
                }
                await screens.tell("showsError", problem != nil)
                await screens.show("profile")
            },
            "K18": whenSignedIn { screens in
                let profile = try await screens.service.profile()
                if profile.isConfirmed(by: "runner.kim@example.com") { try await screens.service.withdraw() }
                await screens.show("profile")
            },
        ]
    }

    /// The sign-up screen, on which the user chooses another nickname.
    private static func signUp(_ draft: KiwIT.SignUpDraft, _ screens: KiwITScreens) async {
        guard let email = draft.email else { return await screens.tell("says", "email missing") }
        do throws(KiwITError) {
            try await screens.service.signUp(.init(email: email, nickname: "다른이름", provider: draft.provider))
        } catch {
            // The nickname is nobody's, so what is refused is the email.
            await screens.tell("says", error == .invalidRequestBody ? "email taken" : "failed")
        }
    }
}
