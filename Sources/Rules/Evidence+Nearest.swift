import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

extension Evidence {
    /// The exchange that comes nearest to a pattern that none fits, and what is different in it.
    ///
    /// One of the same route with the fewest differences, else one whose path was probably meant for the route.
    func nearest(to pattern: ExchangePattern) -> (number: UInt64, words: String)? {
        var best: (exchange: Exchange, misfits: [Misfit])?
        for exchange in exchanges where pattern.isRoute(of: exchange) {
            let misfits = pattern.misfits(of: exchange)
            guard !misfits.isEmpty, misfits.count < best?.misfits.count ?? .max else { continue }
            best = (exchange, misfits)
        }
        if let best {
            let differences = Words.list(best.misfits.map(\.words), "and")
            return (best.exchange.number, "the nearest is exchange \(best.exchange.number), which \(differences)")
        }
        guard
            let stray = exchanges.first(where: { $0.nearest?.route.utf8.elementsEqual(pattern.route.utf8) ?? false }),
            let difference = stray.nearest?.difference
        else { return nil }
        return (stray.number, "the nearest is exchange \(stray.number), \(stray.line): \(difference)")
    }
}
