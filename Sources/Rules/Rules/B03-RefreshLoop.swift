import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// A request is refused repeatedly, with or without refreshes in between.
///
/// - Evidence: one request is refused three times with a refresh before each repetition, or five times with the same
///   token and no refresh.
/// - Excuses: the repetition came so late that the user may have caused it, the same request succeeded in between, or
///   the requests were sent at the same time.
/// - Undecided: whether a repetition follows from the refusal before it, where the server noticed it late.
package enum RefreshLoop: Rule {
    package static let profile = RuleProfile(
        rule: .refreshLoop,
        reason: "the app freezes, drains the battery, and sends requests until the user closes the app",
        advice: "refresh once per request; if the new token is also refused, show the error",
        source: "RFC 9110, section 15.5.2"
    )

    package static func violations(in episode: Episode) -> [RuleViolation] {
        let certain = episode.loops()
        let known = Set(certain.flatMap { $0.tries.map(\.number) })
        // Where the server was late itself, some of these may not be the client's response to a refusal.
        let doubtful = episode.loops(countingUnclear: true).filter { loop in
            !loop.tries.contains { known.contains($0.number) }
        }
        return certain.map { RuleViolation($0.sentence, $0.tries) }
            + doubtful.map { RuleViolation($0.sentence, $0.tries, isUnclear: true) }
    }
}

/// A request that was tried again and again.
private struct Loop {
    var tries: [Step] = []
    /// The numbers of the refreshes between them.
    var refreshes: [UInt64] = []

    var sentence: String {
        let request = tries[0].exchange.line
        let numbers = Sentences.exchanges(tries.map(\.number))
        guard !refreshes.isEmpty else {
            let id = tries[0].access?.id ?? "the same token"
            return "\(numbers) all sent \(request) with \(id), and each request was refused"
        }
        return "\(numbers) all sent \(request), and each request was refused, although the client refreshed in between "
            + "(\(Sentences.exchanges(refreshes)))"
    }
}

extension Episode {
    /// This number of refusals with a refresh between each two is a loop.
    private static let mostTries = 3
    /// The limit of refreshes between two tries that are looked at.
    private static let mostRefreshes = 8
    /// This number of refusals of one token is a loop.
    private static let mostRepetitions = 5

    /// - Parameter isUnclearCounted: whether a try counts too that would be one, had the server not been late itself.
    fileprivate func loops(countingUnclear isUnclearCounted: Bool = false) -> [Loop] {
        let refused = Set(complaints.map(\.essence))
        let tries = steps.filter { [.resource, .open, .signOut].contains($0.purpose) && refused.contains($0.essence) }
        return Dictionary(grouping: tries, by: \.essence).values
            .flatMap { loops(among: $0, countingUnclear: isUnclearCounted) }
            .sorted { $0.tries[0].number < $1.tries[0].number }
    }

    /// The loops among the steps that send one request.
    private func loops(among steps: [Step], countingUnclear isUnclearCounted: Bool) -> [Loop] {
        var loops: [Loop] = []
        var (loop, repetitions) = (Loop(), Loop())
        func close() {
            if loop.tries.count >= Self.mostTries {
                loops.append(loop)
            } else if repetitions.tries.count >= Self.mostRepetitions {
                loops.append(repetitions)
            }
            (loop, repetitions) = (Loop(), Loop())
        }
        for step in steps {
            guard step.isComplaint else {
                close()
                continue
            }
            guard let last = repetitions.tries.last else {
                (loop, repetitions) = (Loop(tries: [step]), Loop(tries: [step]))
                continue
            }
            let between = refreshes.between(last, step)
            let isSoon = isSoon(step, after: last, between.suffix(Self.mostRefreshes))
            if isSoon, let refresh = between.last,
                isCaused(step, after: last, refresh, countingUnclear: isUnclearCounted)
            {
                loop.tries.append(step)
                loop.refreshes.append(refresh.number)
            } else if !(isSoon && step.arrival <= last.end ?? last.arrival) {
                if loop.tries.count >= Self.mostTries { loops.append(loop) }
                loop = Loop(tries: [step])
            }
            if isSoon, between.isEmpty, step.access?.id == last.access?.id,
                step.isAfter(last, countingUnclear: isUnclearCounted)
            {
                repetitions.tries.append(step)
            } else if repetitions.tries.count < Self.mostRepetitions || !between.isEmpty {
                repetitions = Loop(tries: [step])
            }
        }
        close()
        return loops
    }

    /// Returns whether it came too soon for a decision by the user.
    private func isSoon(_ step: Step, after last: Step, _ refreshes: ArraySlice<Step>) -> Bool {
        let end = refreshes.reduce(last.end ?? last.arrival) { max($0, $1.end ?? $0) }
        return step.arrival.since(end) < TimeLimit.loopGap.value
            && step.time - last.time < TimeLimit.loopGapVirtual.value
    }

    /// Returns whether a try follows from the refresh before it, and is not a request next to it.
    private func isCaused(
        _ step: Step,
        after last: Step,
        _ refresh: Step,
        countingUnclear isUnclearCounted: Bool
    ) -> Bool {
        if let id = step.access?.id, id != last.access?.id { return true }
        return step.isAfter(last, countingUnclear: isUnclearCounted)
            && step.isAfter(refresh, countingUnclear: isUnclearCounted)
    }
}
