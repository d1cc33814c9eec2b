import Basics
import JSON
package import ScenarioFormat
package import Simulation

/// What is known of a session without a simulation, such as one whose traffic was captured.
extension Evidence {
    /// - Parameters:
    ///   - epoch: the moment of the machine's clock that belongs to `start`.
    ///   - moment: until when the traffic was captured.
    package init(
        captured exchanges: [Exchange],
        lost: Int,
        epoch: RealTime,
        start: VirtualTime,
        end: VirtualTime,
        moment: RealTime,
        ledger: TokenLedger,
        roles: TokenRoles
    ) {
        self.exchanges = exchanges
        self.lost = lost
        self.epoch = epoch
        self.start = start
        self.end = end
        self.ledger = ledger
        self.roles = roles
        self.moment = moment
    }
}

extension TokenRoles {
    package init(kinds: [Kind], purposes: [String: Purpose], carriers: [TokenCarrier]) {
        self.kinds = kinds
        self.purposes = purposes
        self.carriers = carriers
        interchangeable = false
    }
}

extension TokenRoles.Kind {
    package init(
        named name: String,
        _ role: TokenRoles.Role,
        lifetime: Duration,
        rotates: Bool,
        refusals: [Int]
    ) {
        self.init(
            name: name,
            role: role,
            lifetime: lifetime,
            terminal: [],
            rotates: rotates,
            grace: .zero,
            refusals: refusals
        )
    }
}

extension Recording {
    /// A recording of captured traffic, judged by the rules alone.
    ///
    /// - Parameters:
    ///   - title: what the report calls it.
    ///   - undecided: the rules that the capture does not acquit, each with what is missing.
    ///   - unseen: those of them that it does not decide at all, since what they judge by is not in it.
    package init(
        captured title: String,
        _ evidence: Evidence,
        undecided: [RuleName: String],
        unseen: Set<RuleName> = []
    ) {
        session = title
        backend = title
        heading = nil
        seed = 0
        dropped = 0
        self.evidence = evidence
        let rules: [Judgement] = .rules(by: evidence).map { judgement in
            guard let rule = RuleName(judgement.id), let reason = undecided[rule],
                judgement.status != .failed || unseen.contains(rule)
            else { return judgement }
            return judgement.notJudged(reason)
        }
        verdict = Verdict([], rules, by: evidence)
    }
}
