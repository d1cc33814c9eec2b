import Basics

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
    init(_ story: String, named: String?, before: [ProofRun], after: [ProofRun]) {
        let common = before.dropFirst().reduce(before.first?.failed ?? []) { common, run in
            common.filter(run.failed.containsExactly)
        }
        rule = common.first { id in
            named.map { id.hasSameUTF8(as: $0) || id.utf8.starts(with: "\($0) ".utf8) } ?? true
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
        if let run = after.first(where: { run in rule.map(run.undecided.containsExactly) ?? false }) {
            refuse("prove/undecided", "after the change, \(rule ?? "") could not be decided with seed \(run.seed)")
        }
        let worse = after.flatMap(\.contract).unique.filter { id in !before.contains { $0.contract.contains(id) } }
        if !worse.isEmpty {
            refuse("prove/worse", "the change adds findings of the contract: \(worse.joined(lastBy: "and"))")
        }
        let lost = (before.map(\.served).reduce([], +)).unique.filter { route in
            after.contains { !$0.served.containsExactly(route) }
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
        // A busy machine delays single runs; a client that sleeps pauses in all of them. Real time does not show whether
        // the client sleeps or works, and a run that ended at the bug does not show the pauses after it.
        let paused = (before.map(\.longestPause).max() ?? .zero, after.map(\.longestPause).min() ?? .zero)
        if paused.1 > max(paused.0 * 2, Self.shortestPause) {
            let sentence =
                "\(story): after the change, the client pauses \(paused.1.milliseconds) ms between two requests for no "
                + "reason in a response, and at most \(paused.0.milliseconds) ms before; the proof cannot distinguish "
                + "waiting from working"
            let advice = "read the change; a wait hides the bug only in this schedule"
            findings.append(Finding(.warning, id: "prove/waits", sentence, advice: advice))
        }
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
