import ClientServices
import ClientTesting

extension KiwITAdapter {
    /// What happens to the session while its user looks around.
    static var tokenStories: [String: StoryFlow<KiwITClient>] {
        [
            "K1": whenSignedIn { screens in
                _ = await screens.scene.outcome { try await screens.openProfile() }
                await screens.show("profile")
            },
            "K2": whenSignedIn { screens in
                _ = await screens.scene.outcome { try await screens.openHome() }
                await screens.show("home")
            },
            "K3": whenSignedIn { screens in
                let problem = await screens.scene.outcome { _ = try await screens.service.profile() }
                await screens.tell("showsError", problem != nil)
                await screens.show("home")
            },
            "K4": whenSignedIn { screens in
                try await screens.openHome()
                await screens.show("home")
            },
            "K5": whenSignedIn { screens in
                try await screens.openProfile()
                await screens.show("profile")
            },
            "K11": whenSignedIn { screens in
                try await screens.openHome()
                _ = await screens.scene.outcome { _ = try await screens.service.levels() }
                await screens.show("lectures")
            },
        ]
    }
}
