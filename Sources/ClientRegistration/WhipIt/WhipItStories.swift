import ClientServices
import ClientTesting
import JSON

/// What WhipIt's screens do, as far as several stories need it.
extension WhipItClient {
    /// The user logs in.
    func logIn() async throws {
        try await service.signIn(email: "mina@example.com", password: "whip1234")
    }

    /// The app tells that it shows its login, where it does.
    func tellSession(to scene: any StoryScene<WhipItClient>) async throws {
        if try await !service.isSignedIn { await scene.report("signedOut", true) }
    }

    /// The profile tab sends three calls at once.
    func openProfileTab() async throws {
        async let profile = service.myProfile()
        async let posts = service.page(of: .user(WhipItAdapter.mina))
        async let liked = service.page(of: .liked)
        _ = try await (profile, posts, liked)
    }

    /// Begins to count how often the app is told to show its login.
    func countLogins() async -> Task<Int, Never> {
        let events = await service.events
        return Task {
            var count = 0
            for await case .ended in events { count += 1 }
            return count
        }
    }
}

/// Whether anything is said to the user about a piece of work: what it threw.
func outcome(of work: () async throws(WhipItError) -> Void) async -> WhipItError? {
    do throws(WhipItError) {
        try await work()
        return nil
    } catch {
        return error
    }
}
