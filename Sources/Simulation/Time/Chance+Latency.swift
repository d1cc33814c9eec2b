package import ScenarioFormat

extension Chance {
    /// How often a draw beyond a maximum is drawn again before the maximum itself is taken.
    private static let attempts = 1_000

    /// Draws a wait from a distribution.
    package mutating func wait(_ distribution: Latency.Distribution) -> Duration {
        switch distribution {
        case .fixed(let wait): return wait
        case .uniform(let shortest, let longest):
            let range = shortest.wholeMicroseconds...longest.wholeMicroseconds
            return .microseconds(Int64(integer(in: Int(range.lowerBound)...Int(range.upperBound))))
        case .logNormal(let median, let sigma, let maximum):
            for _ in 0..<Self.attempts {
                let wait = LogNormal.sample(median: median, sigma: sigma, 1 - unit(), unit())
                if wait <= maximum ?? DurationText.maximum { return wait }
            }
            return maximum ?? DurationText.maximum
        }
    }
}
