import Basics
package import Rules
import Simulation

extension PlayedStory {
    /// Makes a recording ready to be drawn.
    package init(_ recording: Recording) {
        let verdict = recording.verdict
        let heading = recording.heading
        self.init(
            id: heading?.id ?? recording.backend,
            title: heading?.title ?? recording.backend,
            outcome: verdict.outcome,
            summary: verdict.summary
        )
        about = heading?.about ?? ""
        reproduces = heading?.reproduces ?? []
        file = heading?.file
        expectations = verdict.expectations
        rules = verdict.rules
        contract = recording.contractFindings.map { Judgement($0) }
        notes = recording.notes
        diagram = StoryDiagram(recording)
        duration = recording.evidence.duration
        command = heading.map { "backlot run \($0.file) --seed \(recording.seed) -- COMMAND" }
    }
}

extension Recording {
    /// Further notes, as sentences.
    fileprivate var notes: [String] {
        var notes = evidence.gates.map { account in
            let held = account.openings.reduce(0) { $0 + $1.exchanges.count }
            let end = account.isReached ? "" : ", but its condition was not reached"
            return "the gate \(account.gate) waited for \(account.waitsFor) and held \(plural(held, "request"))\(end)"
        }
        if seed != 0 { notes.append("the seed was \(seed)") }
        for (launch, code) in evidence.exits.enumerated() where code != 0 {
            notes.append("launch \(launch + 1) of the client ended with the exit code \(code)")
        }
        if let offset = evidence.dateOffset {
            notes.append("the server's Date was off by up to \(offset.largest.components.seconds) s")
        }
        return notes
    }
}

extension Evidence {
    /// The real time from the first request to the last response; `nil` without any.
    fileprivate var duration: Duration? {
        guard let first = exchanges.map(\.arrival).min(), let last = exchanges.map({ $0.end ?? $0.arrival }).max()
        else {
            return nil
        }
        return first.duration(to: last)
    }
}
