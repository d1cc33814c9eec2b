import ScenarioFormat

/// What became of one judgement on the client that played a story.
package struct PassedJudgement: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable {
        case held
        case failed
        /// The story switches it off.
        case excused
        /// Nobody can tell, because there is nothing to look at.
        case notJudged
    }

    package var profile: JudgementProfile
    package var status: Status
    /// What the client did wrong; empty unless it failed.
    package var offences: [Offence]
    /// Why it was not passed, where it was not.
    package var reason: String?

    package init(_ profile: JudgementProfile, _ status: Status, offences: [Offence] = [], reason: String? = nil) {
        self.profile = profile
        self.status = status
        self.offences = offences
        self.reason = reason
    }
}

extension PassedJudgement {
    /// Passes every judgement on what happened in a scenario; none where it has no tokens.
    static func all(on scenario: Scenario, by evidence: Evidence) -> [PassedJudgement] {
        guard scenario.tokens.kinds.contains(where: { !$0.isForeign }) else { return [] }
        let history = TokenHistory(evidence)
        let obstacle = evidence.obstacleToJudging
        return AllJudgements.list.map { judgement in
            let profile = judgement.profile
            if let exemption = scenario.exemptions.first(where: { $0.names(profile) }) {
                return PassedJudgement(profile, .excused, reason: exemption.reason)
            }
            if let obstacle { return PassedJudgement(profile, .notJudged, reason: obstacle) }
            let offences = judgement.offences(in: history)
            return PassedJudgement(profile, offences.isEmpty ? .held : .failed, offences: offences)
        }
    }
}

extension Exemption {
    /// Whether it is about a judgement, by number, name or both.
    func names(_ profile: JudgementProfile) -> Bool {
        [profile.number, profile.name, profile.id].contains { $0.utf8.elementsEqual(judgement.utf8) }
    }
}

extension Evidence {
    /// Why no judgement can be passed.
    ///
    /// What a client should have known follows from all that it was answered, so a part of it proves nothing.
    fileprivate var obstacleToJudging: String? {
        if isSilent { return "no request arrived" }
        guard lost > 0 else { return nil }
        return lost == 1 ? "1 exchange is no longer in the journal" : "\(lost) exchanges are no longer in the journal"
    }
}
