import Foundation

extension Smeem {
    /// A sign-up that is not finished, with tokens that are stored nowhere else.
    ///
    /// ```swift
    /// if signUp.needsGoal { try await signUp.choose(goal, remindedAt: .usual, plan: plan.id) }
    /// let badges = try await signUp.finish(as: nickname)
    /// ```
    ///
    /// The member is signed in with ``finish(as:)``. A user who closes the app before begins again, as the tokens are
    /// in no store until then.
    public struct SignUp: Sendable {
        /// A Boolean value that indicates whether the member has to choose a goal.
        public let needsGoal: Bool
        /// A Boolean value that indicates whether the member has to choose a nickname.
        public let needsNickname: Bool
        private let service: SmeemService
        let client: ServiceClient

        init(_ tokens: Tokens, _ granted: GrantedSession, of service: SmeemService) {
            needsGoal = !granted.hasGoal
            needsNickname = !granted.isRegistered
            self.service = service
            client = service.client.apart(with: tokens)
        }

        /// Keeps what the member has chosen.
        ///
        /// - Parameters:
        ///   - goal: what the member learns for.
        ///   - reminder: when to remind the member; `nil` for never.
        ///   - plan: the ``Plan/id`` of a plan, which is not its place in the list.
        public func choose(
            _ goal: GoalType,
            remindedAt reminder: Reminder?,
            plan: Plan.ID
        ) async throws(SmeemError) {
            let choice = MemberChoice(goal: goal, reminder: reminder, hasPushMessages: reminder != nil, plan: plan)
            try await ask(.choose(choice))
        }

        /// Says whether the nickname is taken.
        public func isTaken(_ nickname: Nickname) async throws(SmeemError) -> Bool {
            try await service.isTaken(nickname)
        }

        /// Sets the member's nickname, accepts the terms, and signs the member in.
        ///
        /// - Returns: the badges that this has won.
        /// - Throws: ``SmeemError/nicknameTaken(_:)`` when another user was faster; the sign-up continues with another
        ///   one.
        @discardableResult
        public func finish(as nickname: Nickname) async throws(SmeemError) -> [Badge] {
            let won: NewBadges
            do throws(SmeemError) {
                won = try await ask(.change(nickname, termsAccepted: true))
            } catch {
                throw await service.reason(for: error, with: nickname)
            }
            try await signIn()
            return won.badges
        }

        /// Signs in a member who has a nickname, and has just chosen a goal.
        public func signIn() async throws(SmeemError) {
            guard let tokens = await tokens else { throw .signedOut }
            try await service.begin(tokens)
        }

        /// The tokens that are held apart.
        package var tokens: Tokens? {
            get async { try? await client.session.tokens() }
        }
    }
}

extension Smeem.SignUp: AppService {
    typealias Failure = SmeemError
}

extension ServiceClient {
    /// The same client for a user whose tokens are not stored.
    fileprivate func apart(with tokens: Tokens) -> ServiceClient {
        ServiceClient(
            baseURL: baseURL,
            rules: .smeem(baseURL: baseURL, timeout: timeout),
            store: MemoryTokenStore(tokens),
            transport: transport,
            clock: clock,
            fields: fields,
            timeout: timeout
        )
    }
}

extension Smeem {
    /// The sign-up progress of a signed-in user.
    public enum SignIn: Sendable {
        /// On the home screen.
        case signedIn
        /// In the middle of signing up.
        case unfinished(SignUp)
    }
}

extension Smeem {
    /// A name that a member may have: 1 to 10 characters, the first of them no blank.
    public struct Nickname: Sendable, Hashable, CustomStringConvertible {
        /// The name as written.
        public let text: String

        /// A nickname, unless the text is too long, empty, or begins with a blank.
        public init?(_ text: String) {
            guard let first = text.unicodeScalars.first, !CharacterSet.whitespacesAndNewlines.contains(first),
                text.unicodeScalars.count <= 10
            else { return nil }
            self.text = text
        }

        /// The name as written.
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
        var hasGoal: Bool

        enum CodingKeys: String, CodingKey {
            case accessToken
            case refreshToken
            case isRegistered
            case hasGoal = "hasPlan"
        }
    }
}

extension Smeem {
    /// The first screen after a launch.
    public enum Launch: Sendable, Hashable {
        /// To the home screen, with the session that there is.
        case home
        /// To the start screen, because no user is signed in.
        case start
        /// A notice that the app is too old.
        case update(AppVersions)
    }
}
