import Basics
package import Checking

extension Baseline {
    /// The checks of a story with those marked that were known to fail, and one more for each rule that no longer fails.
    func applied(to checks: [Judgement], of story: String) -> [Judgement] {
        guard !takesAll else { return checks.map { $0.isOpen ? $0.known : $0 } }
        let open = checks.indices.filter { checks[$0].isOpen }
        var checks = checks
        for rule in rules(of: story) {
            let failing = open.filter { Self.isMeant(checks[$0].id, by: rule) }
            // What follows from a known failure is known, too.
            let following = open.filter { checks[$0].explainedBy.map { Self.isMeant($0.id, by: rule) } ?? false }
            for index in failing + following { checks[index] = checks[index].known }
            guard failing.isEmpty else { continue }
            checks.append(Judgement(fixed(rule, of: story), subject: "\(rule) to fail, as listed in the baseline"))
        }
        return checks
    }

    /// A rule may be named by its number, its name, or both.
    private static func isMeant(_ id: String, by rule: String) -> Bool {
        ([id] + id.split(separator: " ").map(String.init)).contains(rule.exact)
    }

    /// The baseline that would let stories pass with these results; what it says of other stories stays.
    package func updated(by results: [StoryResult]) -> Baseline {
        let failures = results.map { Entry($0.story.id, $0.play.checks.filter(\.isCause).map(\.number).unique) }
        return updated(by: failures, judged: failures.map(\.subject))
    }
}

extension Judgement {
    /// The same, but it no longer fails the run.
    fileprivate var known: Judgement {
        var judgement = self
        (judgement.status, judgement.severity) = (.known, severity.map { _ in .note })
        return judgement
    }
}
