import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

extension Evidence {
    /// The exchange that comes nearest to a pattern that none fits, and what is different in it.
    ///
    /// One of the same route with the fewest differences, else one whose path was probably meant for the route.
    func nearest(to pattern: ExchangePattern) -> (number: UInt64, words: String)? {
        var best: (exchange: Exchange, mismatches: [ExpectationMismatch])?
        for exchange in exchanges where pattern.isRoute(of: exchange) {
            let mismatches = pattern.mismatches(of: exchange)
            guard !mismatches.isEmpty, mismatches.count < best?.mismatches.count ?? .max else { continue }
            best = (exchange, mismatches)
        }
        if let best {
            let differences = Sentences.list(best.mismatches.map(\.words), "and")
            return (best.exchange.number, "the nearest is exchange \(best.exchange.number), which \(differences)")
        }
        guard
            let stray = exchanges.first(where: { $0.nearest?.route.utf8.elementsEqual(pattern.route.utf8) ?? false }),
            let difference = stray.nearest?.difference
        else { return nil }
        return (stray.number, "the nearest is exchange \(stray.number), \(stray.line): \(difference)")
    }
}
