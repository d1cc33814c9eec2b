import ClientServices
import Observation

/// What the app shows first, as the session has it.
@available(macOS 14, iOS 17, *)
@Observable @MainActor
final class WhipItApp {
    enum Screen {
        case splash
        case signIn(notice: String?)
        case feed(ScrollingList<WhipIt.Post>)
    }

    private(set) var screen = Screen.splash
    /// What the app shows above every screen, with a button that calls ``signOut()`` again.
    private(set) var alert: String?
    private let service: WhipItService

    init(_ service: WhipItService) {
        self.service = service
    }

    /// Leaves the splash screen, and then follows the session as long as the app runs.
    func run() async {
        // Before the first call, so that nothing is missed that it brings about.
        let events = await service.events
        await launch()
        for await event in events {
            switch event {
            case .signedIn: showFeed()
            case .ended(.signedOut): screen = .signIn(notice: nil)
            case .ended(.expired), .ended(.refused): screen = .signIn(notice: "Please sign in again.")
            }
        }
    }

    private func launch() async {
        do throws(WhipItError) {
            guard try await service.isSignedIn else {
                screen = .signIn(notice: nil)
                return
            }
            try await service.refreshSession()
            showFeed()
        } catch {
            switch error {
            // The event shows the sign-in screen.
            case .sessionEnded: break
            // A keychain that is still locked, which says nothing of the session.
            case .storage: screen = .signIn(notice: "The keychain cannot be read.")
            // No network, or a server that is broken: the user is still signed in.
            default: showFeed()
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

    func signOut() async {
        alert = nil
        do throws(WhipItError) {
            // The event shows the sign-in screen.
            try await service.signOut()
        } catch {
            alert = "You are signed out, but not for good: the keychain could not be cleared. Please try again."
        }
    }

    private func showFeed() { screen = .feed(ScrollingList(service.posts(.feed))) }

    private func notice(on error: WhipItError) -> String {
        switch error {
        case .refused(.status(.unauthorized, _)): "There is no such user, or the password is another one."
        case .refused(.status(_, let message?)): message
        case .transport: "There is no connection."
        default: "Something went wrong. Please try again later."
        }
    }
}
