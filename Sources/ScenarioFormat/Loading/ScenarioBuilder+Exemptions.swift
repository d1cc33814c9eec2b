import Basics
import JSON

extension ScenarioBuilder {
    mutating func exemptions() -> [Exemption] {
        var known: [String: String] = [:]
        return root["exceptions"].members.compactMap { member in
            guard let reason = member.value.string, let number = RuleNames.number(of: member.name) else {
                return nil
            }
            if let first = known.updateValue(member.name, forKey: number) {
                report(
                    "scenario/rival-keys",
                    "\"\(first)\" and \"\(member.name)\" are the same rule; keep one",
                    at: member.namePosition
                )
            }
            return Exemption(rule: member.name, reason: reason, position: member.namePosition)
        }
    }

    /// The numbers of the rules that a client with the story's bugs fails.
    mutating func bugClasses() -> [String] {
        guard let tree = root["bugClasses"] else { return [] }
        var known: [String: String] = [:]
        return (tree.array ?? [tree]).compactMap { written in
            guard let name = written.string, let number = RuleNames.number(of: name) else { return nil }
            guard let first = known.updateValue(name, forKey: number) else { return number }
            report(
                "scenario/rival-keys",
                "\"\(first)\" and \"\(name)\" are the same rule; keep one",
                at: written.position
            )
            return nil
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
        case .exchanges(_, let count, _, _, _): count.atLeast > 0
        case .order: true
        default: false
        }
    }
}
