import Foundation

extension SmeemService {
    /// Decides where the app goes when it is launched.
    ///
    /// Neither a version check that fails nor a server that cannot be reached ends a session, nor does a store that cannot
    /// be read: the app opens with what it has, and its calls tell what is wrong.
    ///
    /// - Parameter version: the app's own version.
    public func launch(version: Smeem.VersionNumber) async -> Smeem.Launch {
        if let versions = try? await appVersions(), versions.iOS.excludes(version) { return .update(versions) }
        guard (try? await isSignedIn) != false else { return .start }
        // Whatever went wrong: it matters here only whether the session is over.
        try? await refreshSession()
        return (try? await isSignedIn) != false ? .home : .start
    }

    /// Says which versions of the apps may be used.
    ///
    /// This takes ten seconds at most, for nobody should wait for it longer.
    public func appVersions() async throws(SmeemError) -> Smeem.AppVersions {
        var endpoint = Endpoint<Smeem.AppVersions>.smeemData(.get, "versions", "client", "app", authorization: .none)
        endpoint.timeout = min(10, client.timeout)
        return try await ask(endpoint)
    }

    /// The goals that there are.
    public func goals() async throws(SmeemError) -> [Smeem.Goal] {
        try await ask(Endpoint<Smeem.Goals>.smeemData(.get, "goals", authorization: .none)).goals
    }

    /// What one does to reach a goal.
    public func detail(of goal: Smeem.GoalType) async throws(SmeemError) -> Smeem.GoalDetail {
        try await ask(.smeemData(.get, "goals", goal.rawValue, authorization: .none))
    }

    /// The plans that there are.
    public func plans() async throws(SmeemError) -> [Smeem.Plan] {
        try await ask(Endpoint<Smeem.Plans>.smeemData(.get, "plans", authorization: .none)).plans
    }

    /// Says whether somebody has a nickname already.
    ///
    /// Somebody may take it a moment later.
    public func isTaken(_ nickname: Smeem.Nickname) async throws(SmeemError) -> Bool {
        let query = [URLQueryItem(name: "name", value: nickname.text)]
        let endpoint = Endpoint<Smeem.NicknameCheck>
            .smeemData(.get, "members", "nickname", "check", query: query, authorization: .none)
        return try await ask(endpoint).isTaken
    }

    /// What a refused nickname means: the server's database refuses one that is taken with words of its own (500), and
    /// older servers with a rule (400), so that asking is the only way to know.
    func reason(for error: SmeemError, with nickname: Smeem.Nickname) async -> SmeemError {
        guard let status = error.refusal?.status, [400, 500].contains(status) else { return error }
        return (try? await isTaken(nickname)) == true ? .nicknameTaken(nickname) : error
    }
}

extension Smeem {
    struct NicknameCheck: Codable, Sendable, Hashable {
        var isTaken: Bool

        enum CodingKeys: String, CodingKey {
            case isTaken = "isExist"
        }
    }
}
