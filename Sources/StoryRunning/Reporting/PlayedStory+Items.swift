import Reports
import Rules

extension PlayedStory.Item {
    init(_ judged: ExpectationResult) {
        let status: Status =
            switch judged.status {
            case .held: .held
            case .failed: .failed
            case .incomplete: .unknown
            }
        self.init(status, id: judged.rule, judged.message)
        place = judged.place
        exchanges = judged.exchanges.map { Int(clamping: $0) }
        advice = judged.advice
    }

    /// One for each thing that the client did wrong, or one that says why there is none.
    static func all(_ passed: RuleResult) -> [Self] {
        let profile = passed.profile
        switch passed.status {
        case .held: return [Self(.held, id: profile.id, "")]
        case .excused: return [Self(.excused, id: profile.id, passed.reason ?? "the story switches it off")]
        case .notJudged: return [Self(.excused, id: profile.id, passed.reason ?? "there is nothing to look at")]
        case .inconclusive:
            return [Self(.excused, id: profile.id, "inconclusive: \(passed.reason ?? "the server was late")")]
        case .failed:
            return passed.violations.map { violation in
                var item = Self(.failed, id: profile.id, violation.sentence)
                item.exchanges = violation.exchanges.map { Int(clamping: $0) }
                item.reason = profile.reason
                item.advice = profile.advice
                item.source = profile.source
                return item
            }
        }
    }
}
