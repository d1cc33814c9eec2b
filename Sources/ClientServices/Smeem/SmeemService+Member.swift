extension SmeemService {
    /// What the settings show.
    public func profile() async throws(SmeemError) -> Smeem.Profile {
        try await ask(.smeemData(.get, "members", "me"))
    }

    /// Changes goal, plan and reminder.
    public func choose(_ choice: Smeem.MemberChoice) async throws(SmeemError) {
        try await ask(.choose(choice))
    }

    /// Gives the member another nickname.
    ///
    /// - Returns: the badges that this has won.
    /// - Throws: ``SmeemError/nicknameTaken(_:)`` when somebody else has it.
    @discardableResult
    public func changeNickname(to nickname: Smeem.Nickname) async throws(SmeemError) -> [Smeem.Badge] {
        do throws(SmeemError) {
            return try await ask(.change(nickname, termsAccepted: nil)).badges
        } catch {
            throw await reason(for: error, with: nickname)
        }
    }

    /// Turns push messages on or off.
    public func setPushMessages(_ isOn: Bool) async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "push", body: .json(["hasAlarm": isOn])))
    }

    /// Counts today as a visit.
    public func visit() async throws(SmeemError) {
        try await ask(.smeemDone(.patch, "members", "visit"))
    }

    /// How far the member has come with the plan.
    ///
    /// - Returns: `nil` from servers that say nothing of a member without a plan; today's send a value without one.
    public func planProgress() async throws(SmeemError) -> Smeem.PlanProgress? {
        try await ask(.planProgress)
    }

    /// What the member has done so far.
    public func performance() async throws(SmeemError) -> Smeem.Performance {
        try await ask(.smeemData(.get, "members", "performance", "summary"))
    }

    /// The badges that the member has won, by type.
    public func badges() async throws(SmeemError) -> [Smeem.BadgeGroup] {
        try await ask(Endpoint<Smeem.BadgeGroups>.smeemData(.get, "members", "badges")).badgeTypes
    }

    /// All badges, won or not.
    public func badgeProgress() async throws(SmeemError) -> [Smeem.BadgeProgress] {
        try await ask(Endpoint<Smeem.BadgeCollection>.smeemData(.get, "members", "badges", version: 3)).badges
    }
}

extension Endpoint<Void> {
    static func choose(_ choice: Smeem.MemberChoice) -> Endpoint {
        .smeemDone(.patch, "members", "plan", body: .json(choice))
    }
}

extension Endpoint<Smeem.NewBadges> {
    static func change(_ nickname: Smeem.Nickname, termsAccepted: Bool?) -> Endpoint {
        let change = MemberChange(username: nickname.text, termAccepted: termsAccepted)
        return .smeemData(.patch, "members", body: .json(change))
    }
}

extension Endpoint<Smeem.PlanProgress?> {
    /// Servers of May 2024 left `data` out for a member without a plan.
    static var planProgress: Endpoint {
        smeem(.get, ["members", "plan"]) { response throws(ServiceProblem) in
            guard response.isSuccess else { throw .status(response) }
            return try response.decoded(as: SmeemOptionalEnvelope<Smeem.PlanProgress>.self).data
        }
    }
}

private struct MemberChange: Encodable {
    var username: String
    var termAccepted: Bool?
}
