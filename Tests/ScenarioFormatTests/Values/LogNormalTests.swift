import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `Log-normal waits` {
    @Test
    func `have the median and the p99 that were asked for`() {
        let median = Duration.milliseconds(80)
        let sigma = LogNormal.sigma(median: median, p99: .seconds(2))
        var generator = SeededGenerator(seed: 1)
        let waits = (0..<20_000).map { _ in
            LogNormal.sample(
                median: median,
                sigma: sigma,
                Double.random(in: Double.leastNonzeroMagnitude...1, using: &generator),
                Double.random(in: 0...1, using: &generator)
            )
        }.sorted()
        let (half, most) = (waits[10_000].wholeMicroseconds, waits[19_800].wholeMicroseconds)
        #expect((76_000...84_000).contains(half))
        #expect((1_800_000...2_200_000).contains(most))
    }

    @Test(arguments: [(0.0, 80_000), (10.0, 80_000)])
    func `are the median where chance is even`(sigma: Double, microseconds: Int64) {
        #expect(LogNormal.sample(median: .milliseconds(80), sigma: sigma, 1, 0.5) == .microseconds(microseconds))
    }

    @Test
    func `stay finite at the ends of chance`() {
        for second in [0, 0.25, 0.5, 1] {
            let wait = LogNormal.sample(median: DurationText.maximum, sigma: 10, .leastNonzeroMagnitude, second)
            #expect(wait >= .zero && wait <= .seconds(1_000_000_000))
        }
    }
}
