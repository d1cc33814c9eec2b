import ScenarioFormat
import Simulation

extension Evidence {
    /// Judges how much real time lies between each exchange and the next; `nil` when all is well.
    func judge(
        _ gap: GapRange,
        of pattern: ExchangePattern,
        between exchanges: [Exchange]
    ) -> ExpectationResult? {
        // Those that a gate has held are numbered by when they were let go.
        let ordered = exchanges.sorted { ($0.arrival, $0.number) < ($1.arrival, $1.number) }
        for (earlier, later) in zip(ordered, ordered.dropFirst()) {
            let time = later.arrival.since(earlier.arrival)
            guard let shown = gap.excess(of: time) else { continue }
            let judged = ExpectationResult.failed(
                "expect/gap",
                "every \(pattern.words) \(gap.words) after the one before",
                but: "exchange \(later.number) came \(DurationText.text(shown)) after exchange \(earlier.number)",
                [later.number, earlier.number]
            )
            // A lost one could lie between two that are far apart.
            return time < gap.atLeast ? judged : judged.uncertain()
        }
        return nil
    }
}

extension GapRange {
    /// What goes before "after": `at least 300ms`.
    var words: String {
        let least = DurationText.text(atLeast)
        guard let atMost else { return "at least \(least)" }
        let most = DurationText.text(atMost)
        return atLeast == .zero ? "at most \(most)" : "\(least) to \(most)"
    }

    /// A time that is too short or too long, in milliseconds that are it, too.
    fileprivate func excess(of time: Duration) -> Duration? {
        let milliseconds = time.wholeMicroseconds / 1_000
        if time < atLeast { return .milliseconds(milliseconds) }
        guard let atMost, time > atMost else { return nil }
        return .milliseconds(time == .milliseconds(milliseconds) ? milliseconds : milliseconds + 1)
    }
}
