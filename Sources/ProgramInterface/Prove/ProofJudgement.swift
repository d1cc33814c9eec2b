import Basics
import ScenarioFormat

/// Decides from the runs of one story before and after a change whether the change is a fix.
struct ProofJudgement: Sendable {
    /// The rule or expectation that the client violated in every run before the change; `nil` if there was no such rule.
    private(set) var rule: String?
    /// The reasons against the fix, which are errors, and warnings about what a reader must decide.
    private(set) var findings: [Finding] = []

    /// The shortest real pause that is reported, where the client did not pause before: above the time that a client
    /// takes to start a thread, and below any sleep that would separate concurrent requests.
    static let shortestPause = Duration.milliseconds(100)

    /// - Parameters:
    ///   - story: the story's id.
    ///   - named: the rule that the user named, as a number or an id; `nil` for the one that failed.
    ///   - slowed: runs after the change in which the responses that concern tokens took longer than the client pauses.
    init(_ story: String, named: String?, before: [ProofRun], after: [ProofRun], slowed: [ProofRun] = []) {
        let common = before.dropFirst().reduce(before.first?.failed ?? []) { common, run in
            common.filter { run.failed.contains($0.exact) }
        }
        rule = common.first { id in
            named.map { id.exact == $0.exact || id.utf8.starts(with: "\($0) ".utf8) } ?? true
        }
        func refuse(_ id: String, _ sentence: String, advice: String? = nil) {
            findings.append(Finding(.error, id: id, "\(story): \(sentence)", advice: advice))
        }
        if let passing = before.first(where: { $0.outcome == "passed" }) {
            refuse("prove/not-reproduced", "the client passes before the change, with seed \(passing.seed)")
        } else if rule == nil {
            let found =
                common.isEmpty
                ? "no rule is violated in every run" : "the client violates \(common.joined(lastBy: "and"))"
            let wanted = named.map { " instead of \($0)" } ?? ""
            refuse("prove/not-reproduced", "before the change, \(found)\(wanted)")
        }
        for run in after where run.outcome != "passed" {
            let reasons = run.failed.isEmpty ? run.outcome : run.failed.joined(lastBy: "and")
            refuse("prove/still-fails", "after the change, the run with seed \(run.seed) does not pass: \(reasons)")
            break
        }
        guard findings.isEmpty else { return }
        if let run = after.first(where: { run in rule.map { run.undecided.contains($0.exact) } ?? false }) {
            refuse("prove/undecided", "after the change, \(rule ?? "") could not be decided with seed \(run.seed)")
        }
        let worse = after.flatMap(\.contract).unique.filter { id in !before.contains { $0.contract.contains(id) } }
        if !worse.isEmpty {
            refuse("prove/worse", "the change adds findings of the contract: \(worse.joined(lastBy: "and"))")
        }
        let lost = (before.map(\.served).reduce([], +)).unique.filter { route in
            after.contains { !$0.served.contains(route.exact) }
        }
        if !lost.isEmpty {
            refuse(
                "prove/skips",
                "after the change, \(lost.joined(lastBy: "and")) no longer responds with success, so the fix skips a part of the story",
                advice: "send every request of the story"
            )
        }
        if after.contains(where: \.signsOut), !before.contains(where: \.signsOut), !endsSession(common) {
            refuse(
                "prove/signs-out",
                "after the change, the client signs the user out instead of continuing the session",
                advice: "keep the session as long as the refresh token is valid"
            )
        }
        guard let pause = Self.pause(before: before, after: after) else { return }
        // A change that passes although the responses take longer than the pause does not depend on it.
        guard slowed.isEmpty || slowed.contains(where: { $0.outcome != "passed" }) else { return }
        let sentence =
            "after the change, the client pauses \(pause.after.milliseconds) ms between two requests for no reason in a "
            + "response, and at most \(pause.before.milliseconds) ms before"
        if let rule, RuleName(rule) != nil, slowed.contains(where: { $0.failed.contains(rule.exact) }) {
            refuse(
                "prove/waits",
                sentence + "; when the responses take longer than the pause, the client violates \(rule) again",
                advice: "make the client's requests wait for each other instead of for a time"
            )
        } else {
            let advice = "read the change; a wait hides the bug only in some schedules"
            let whole = "\(story): \(sentence); the proof cannot distinguish waiting from working"
            findings.append(Finding(.warning, id: "prove/waits", whole, advice: advice))
        }
    }

    /// The longest pauses for no reason, if the change adds one; `nil` otherwise.
    ///
    /// A busy machine delays single runs; a client that sleeps pauses in all of them. Real time does not show whether the
    /// client sleeps or works, and a run that ended at the bug does not show the pauses after it.
    static func pause(before: [ProofRun], after: [ProofRun]) -> (before: Duration, after: Duration)? {
        let former = before.map(\.longestPause).max() ?? .zero
        let latter = after.map(\.longestPause).min() ?? .zero
        return latter > max(former * 2, shortestPause) ? (former, latter) : nil
    }

    /// Returns whether the violations require that the session ends.
    private func endsSession(_ violated: [String]) -> Bool {
        violated.contains { id in
            ["expect/client", "B10 calls-after-invalid-refresh", "B21 account-switched-without-user"].contains(id)
        }
    }
}

extension Duration {
    fileprivate var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
