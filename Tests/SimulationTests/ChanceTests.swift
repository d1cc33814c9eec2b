import ScenarioFormat
import Testing

@testable import Simulation

/// Randomness that is even, that comes from the seed, and that has the distributions it says.
struct ChanceTests {
    @Test func `The generator is SplitMix64`() {
        // The first draws of seed 1 and stream 1, as another implementation gives them.
        var chance = Chance(seed: 1, stream: 1)
        #expect(
            (1...4).map { _ in chance.next() } == [
                0x5C8B1BF3EB4E95EB, 0xE56AB0EC658E9E04, 0xCC313350DAF1937, 0x26326C7AB669186,
            ]
        )
    }

    @Test func `One seed and stream give one sequence, another of either gives another`() {
        func draws(_ seed: UInt64, _ stream: UInt64) -> [UInt64] {
            var chance = Chance(seed: seed, stream: stream)
            return (1...50).map { _ in chance.next() }
        }
        #expect(draws(7, 3) == draws(7, 3))
        let firsts = (0...30 as ClosedRange<UInt64>).flatMap { seed in
            (0...30 as ClosedRange<UInt64>).map { draws(seed, $0)[0] }
        }
        #expect(Set(firsts).count == firsts.count)
    }

    @Test(arguments: [1...6, 0...1, -3...3, 0...999])
    func `Whole numbers are drawn evenly`(range: ClosedRange<Int>) {
        var chance = Chance(seed: 42, stream: 1)
        var counts: [Int: Int] = [:]
        let draws = range.count * 1_000
        for _ in 0..<draws { counts[chance.integer(in: range), default: 0] += 1 }
        #expect(counts.keys.min() == range.lowerBound && counts.keys.max() == range.upperBound)
        let squares = range.reduce(0.0) { sum, value in
            let off = Double((counts[value] ?? 0) - 1_000)
            return sum + off * off / 1_000
        }
        // Chi-square with n - 1 degrees of freedom: its mean, and four standard deviations above.
        let freedom = Double(range.count - 1)
        #expect(squares < freedom + 4 * (2 * freedom).squareRoot())
    }

    @Test func `The first draws of neighbouring exchanges are as even as the draws of one`() {
        var counts = [Int](repeating: 0, count: 16)
        for stream in 1...16_000 as ClosedRange<UInt64> {
            var chance = Chance(seed: 1, stream: stream)
            counts[Int(chance.unit() * 16)] += 1
        }
        let squares = counts.reduce(0.0) { $0 + Double(($1 - 1_000) * ($1 - 1_000)) / 1_000 }
        #expect(squares < 15 + 4 * 30.0.squareRoot())
    }

    @Test(arguments: [Int.min...Int.max, Int.min...0, (Int.max - 1)...Int.max, 5...5])
    func `The widest and the narrowest ranges are drawn from`(range: ClosedRange<Int>) {
        var chance = Chance(seed: 9, stream: 9)
        for _ in 1...200 { #expect(range.contains(chance.integer(in: range))) }
    }

    @Test func `Numbers below one, hexadecimal digits and UUIDs have their forms`() {
        var chance = Chance(seed: 3, stream: 4)
        for _ in 1...1_000 {
            let unit = chance.unit()
            #expect(unit >= 0 && unit < 1)
        }
        for digits in [1, 15, 16, 17, 1_024] { #expect(chance.hex(digits: digits).utf8.count == digits) }
        for _ in 1...100 {
            let uuid = chance.uuid()
            let groups = uuid.split(separator: "-").map(\.utf8.count)
            #expect(groups == [8, 4, 4, 4, 12])
            let letters = Array(uuid)
            #expect(letters[14] == "4" && "89ab".contains(letters[19]))
        }
    }

    // MARK: Waits

    private func waits(_ distribution: Latency.Distribution, _ count: Int = 100_000) -> [Int64] {
        (1...UInt64(count)).map { stream in
            var chance = Chance(seed: 5, stream: stream)
            return chance.wait(distribution).wholeMicroseconds
        }.sorted()
    }

    @Test func `A log-normal wait has its median and its 99th percentile`() {
        let (median, p99) = (Duration.milliseconds(80), Duration.milliseconds(900))
        let sigma = LogNormal.sigma(median: median, p99: p99)
        let waits = waits(.logNormal(median: median, sigma: sigma, maximum: nil))
        #expect(abs(Double(waits[50_000]) / 80_000 - 1) < 0.02)
        #expect(abs(Double(waits[99_000]) / 900_000 - 1) < 0.02)
        #expect(waits[0] > 0)
    }

    @Test func `A maximum is kept by drawing again and not by cutting off`() {
        let distribution = Latency.Distribution.logNormal(
            median: .milliseconds(80),
            sigma: 1,
            maximum: .milliseconds(200)
        )
        let waits = waits(distribution)
        #expect(waits[waits.count - 1] <= 200_000)
        // Cutting off would leave 18 in 100 waits at the very maximum.
        #expect(waits.count { $0 > 199_900 } < 100)
        // The median of what is left lies where a median of the whole's lower 82 in 100 lies.
        #expect(abs(Double(waits[50_000]) / 63_739 - 1) < 0.02)
    }

    @Test func `A maximum that no draw keeps is taken itself in the end`() {
        let hopeless = Latency.Distribution.logNormal(median: .seconds(1_000), sigma: 0.001, maximum: .milliseconds(1))
        #expect(waits(hopeless, 3) == [1_000, 1_000, 1_000])
    }

    @Test func `A uniform wait lies between its bounds, evenly`() {
        let waits = waits(.uniform(.milliseconds(50), .milliseconds(150)))
        #expect(waits[0] >= 50_000 && waits[99_999] <= 150_000)
        for (place, expected) in [(10_000, 60_000.0), (50_000, 100_000), (90_000, 140_000)] {
            #expect(abs(Double(waits[place]) / expected - 1) < 0.02)
        }
        #expect(self.waits(.uniform(.milliseconds(5), .milliseconds(5)), 3) == [5_000, 5_000, 5_000])
        #expect(self.waits(.fixed(.milliseconds(5)), 3) == [5_000, 5_000, 5_000])
    }
}
