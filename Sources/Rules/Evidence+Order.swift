import ScenarioFormat
import Simulation

extension Evidence {
    /// Judges whether exchanges happened in an order; others may lie between them.
    func judge(order patterns: [ExchangePattern]) -> ExpectationResult {
        let wanted = patterns.map(\.words).joined(separator: ", then ")
        var found: [UInt64] = []
        var rest = exchanges[...]
        for (step, pattern) in patterns.enumerated() {
            guard let index = rest.firstIndex(where: pattern.fits) else {
                return broken(at: step, patterns, wanted, found).uncertain()
            }
            found.append(rest[index].number)
            rest = rest[(index + 1)...]
        }
        return .held("expect/order", wanted, found)
    }

    private func broken(
        at step: Int,
        _ patterns: [ExchangePattern],
        _ wanted: String,
        _ found: [UInt64]
    ) -> ExpectationResult {
        guard !isSilent else { return .failed("expect/order", wanted, but: "no request arrived at all") }
        let pattern = patterns[step]
        var happened = "no \(pattern.words) came"
        var told = found
        if let last = found.last { happened += " after exchange \(last), the \(patterns[step - 1].words)" }
        if let early = exchanges.first(where: pattern.fits)?.number {
            happened += "; it came before, as exchange \(early)"
            if !told.contains(early) { told.append(early) }
        } else if let nearest = nearest(to: pattern) {
            happened += "; \(nearest.words)"
            if !told.contains(nearest.number) { told.append(nearest.number) }
        }
        return .failed("expect/order", wanted, but: happened, told)
    }
}
