import Foundation

extension Smeem {
    /// An incomplete sign-up that contains the only copy of the member's tokens.
    ///
    /// ```swift
    /// if signUp.needsGoal { try await signUp.choose(goal, remindedAt: .usual, plan: plan.id) }
    /// let badges = try await signUp.finish(as: nickname)
    /// ```
    ///
    /// ``finish(as:)`` signs the member in and stores the tokens. A user who closes the app before this call has to
    /// start again.
    public struct SignUp: Sendable {
        /// A Boolean value that indicates whether the member must choose a goal.
        public let needsGoal: Bool
        /// A Boolean value that indicates whether the member must choose a nickname.
        public let needsNickname: Bool
        private let service: SmeemService
        /// The service that sends the requests with the tokens of the sign-up.
        private let newcomer: SmeemService

        init(_ tokens: Tokens, _ granted: GrantedSession, of service: SmeemService) {
            needsGoal = !granted.hasPlan
            needsNickname = !granted.isRegistered
            self.service = service
            newcomer = service.apart(with: tokens)
        }

        /// Saves the member's goal, reminder and plan.
        ///
        /// - Parameters:
        ///   - goal: The member's goal.
        ///   - reminder: The days and time of the reminders, or `nil` for no reminders.
        ///   - plan: The ``Plan/id`` of a plan, not the plan's position in the list.
        public func choose(
            _ goal: GoalType,
            remindedAt reminder: Reminder?,
            plan: Plan.ID
        ) async throws(SmeemError) {
            try await newcomer.choose(
                MemberChoice(goal: goal, reminder: reminder, hasPushMessages: reminder != nil, plan: plan)
            )
        }

        /// Returns a Boolean value that indicates whether a nickname is taken.
        public func isTaken(_ nickname: Nickname) async throws(SmeemError) -> Bool {
            try await service.isTaken(nickname)
        }

        /// Sets the member's nickname, accepts the terms, and signs the member in.
        ///
        /// - Returns: The badges that the member earned by setting the nickname.
        /// - Throws: ``Smeem/Reason/nicknameTaken(_:)`` if another member has taken the nickname in the meantime. The
        ///   sign-up can continue with a different nickname.
        @discardableResult
        public func finish(as nickname: Nickname) async throws(SmeemError) -> [Badge] {
            let won: NewBadges
            do throws(SmeemError) {
                won = try await newcomer.ask(.change(nickname, termsAccepted: true))
            } catch {
                throw await service.reason(for: error, with: nickname)
            }
            try await signIn()
            return won.badges
        }

        /// Signs in a member who already has a nickname and has just chosen a goal.
        public func signIn() async throws(SmeemError) {
            guard let tokens = await tokens else { throw .signedOut }
            try await service.begin(tokens)
        }

        /// The tokens that are held apart.
        package var tokens: Tokens? {
            get async { try? await newcomer.tokens() }
        }
    }
}

extension SmeemService {
    /// The same service for a user whose tokens are not stored.
    fileprivate func apart(with tokens: Tokens) -> SmeemService {
        SmeemService(
            baseURL: client.baseURL,
            store: MemoryTokenStore(tokens),
            transport: client.transport,
            clock: client.clock,
            timeout: client.timeout
        )
    }
}

extension Smeem {
    /// The result of a sign-in.
    public enum SignIn: Sendable {
        /// The member is signed in, and the home screen is next.
        case signedIn
        /// The member has to complete sign-up first.
        case unfinished(SignUp)
    }
}

extension Smeem {
    /// A valid nickname, which contains 1 to 10 characters and does not begin with whitespace.
    public struct Nickname: Sendable, Hashable, CustomStringConvertible {
        /// The nickname as written.
        public let text: String

        /// Creates a nickname, or returns `nil` if the text is empty, too long or begins with whitespace.
        public init?(_ text: String) {
            guard let first = text.unicodeScalars.first, !CharacterSet.whitespacesAndNewlines.contains(first),
                text.unicodeScalars.count <= 10
            else { return nil }
            self.text = text
        }

        /// The nickname as written.
        public var description: String { text }
    }
}

extension Smeem {
    /// The server's result for a social token.
    struct GrantedSession: Codable, Sendable, Hashable {
        var accessToken: String
        var refreshToken: String
        var isRegistered: Bool
        /// The server calls it a plan, and means a goal.
        var hasPlan: Bool
    }
}

extension Smeem {
    /// The first screen to show after a launch.
    public enum Launch: Sendable, Hashable {
        /// The home screen, because a member is signed in.
        case home
        /// The start screen, because no member is signed in.
        case start
        /// A notice that the app's version is outdated.
        case update(AppVersions)
    }
}
