import Findings
import JSONText

extension ScenarioBuilder {
    mutating func exemptions() -> [Exemption] {
        var known: [String: String] = [:]
        return root["unjudged"].members.compactMap { member in
            guard let reason = member.value.string, let number = JudgementNames.number(of: member.name) else {
                return nil
            }
            if let first = known.updateValue(member.name, forKey: number) {
                report(
                    "scenario/rival-keys",
                    "\"\(first)\" and \"\(member.name)\" are the same judgement; keep one",
                    at: member.namePosition
                )
            }
            return Exemption(judgement: member.name, reason: reason, position: member.namePosition)
        }
    }

    /// Finds what a story wants to be sent by a client that it wants to send nothing.
    mutating func checkSilence(of expectations: [Expectation]) {
        guard root["silent"]?.bool == true else { return }
        for expectation in expectations where expectation.content.wantsRequests {
            report(
                "scenario/broken-silence",
                "this wants a request, but the story is silent",
                at: expectation.position,
                advice: "expect \"count\": 0, or leave out \"silent\""
            )
        }
    }
}

extension Expectation.Content {
    fileprivate var wantsRequests: Bool {
        switch self {
        case .exchanges(_, let count, _, _): count.atLeast > 0
        case .order: true
        default: false
        }
    }
}
