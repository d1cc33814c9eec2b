import ClientServices

/// What the app shows first.
@MainActor
final class WhipItApp {
    enum Screen {
        case splash
        case signIn(notice: String?)
        case feed(Feed)
    }

    private(set) var screen = Screen.splash
    let service: WhipItService

    init(_ service: WhipItService) {
        self.service = service
    }

    /// Goes on as long as the app runs: whoever signs in or out, and whatever ends the session, comes by here, once.
    func followSession() async {
        for await event in await service.events {
            switch event {
            case .signedIn: screen = .feed(Feed(service))
            case .ended(.signedOut): screen = .signIn(notice: nil)
            case .ended(.expired), .ended(.refused): screen = .signIn(notice: "Please sign in again.")
            }
        }
    }

    /// Leaves the splash screen, whatever happens.
    func launch() async {
        do throws(WhipItError) {
            guard try await service.isSignedIn else {
                screen = .signIn(notice: nil)
                return
            }
            try await service.refreshSession()
            screen = .feed(Feed(service))
        } catch {
            switch error {
            case .sessionEnded: screen = .signIn(notice: "Please sign in again.")
            case .storage: screen = .signIn(notice: "The keychain cannot be read.")
            // No network, or a server that is broken: the user is still signed in.
            default: screen = .feed(Feed(service))
            }
        }
    }

    func signIn(email: String, password: String) async {
        do throws(WhipItError) {
            // The event shows the feed.
            try await service.signIn(email: email, password: password)
        } catch {
            screen = .signIn(notice: notice(on: error))
        }
    }

    private func notice(on error: WhipItError) -> String {
        switch error {
        case .refused(.unauthorized, _): "There is no such user, or the password is another one."
        case .refused(_, let message?): message
        case .transport: "There is no connection."
        default: "Something went wrong. Please try again later."
        }
    }

    func signOut() async { await service.signOut() }
}
