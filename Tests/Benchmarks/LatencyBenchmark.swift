import Foundation
import HTTPCodec

/// The waits that a scenario asks for, compared with those that clients see on loopback.
struct LatencyBenchmark {
    private static let connections = 50
    private static let samplesEach = 40
    /// What a loopback and two timers may add, in milliseconds.
    private static let overhead = 3.0

    /// One figure of a distribution: which part of all waits lies below it, its value, and its standard error.
    private struct Quantile {
        var name: String
        var part: Double
        var milliseconds: Double
        /// Of a sample of this size; chance alone.
        var error: Double
    }

    private struct Wanted {
        var name: String
        var latency: String
        var quantiles: [Quantile]
    }

    func run() throws -> Bool {
        let count = Double(Self.connections * Self.samplesEach)
        let wanted = Self.distributions(samples: count)
        let scenario = try BenchmarkScenario(latencies: wanted.map(\.latency))
        let server = try BacklotServer(scenario.path, ["--quiet"])
        defer { server.stop() }
        say("latency: \(count.text()) waits each on \(Self.connections) connections, ms; a deviation may be")
        say("  \(Self.overhead.text()) ms and four standard errors of the sample")
        var table = Table("wait", "figure", "wanted", "measured", "off", "may be off")
        var isGood = true
        for (number, distribution) in wanted.enumerated() {
            let crowd = try Crowd(Self.connections, port: server.port)
            let request = HTTPRequest(target: BenchmarkScenario.waitTarget(number))
            let outcome = try crowd.exchange(request, each: Self.samplesEach, within: .seconds(120))
            let figures = Figures(outcome.milliseconds)
            isGood = isGood && outcome.failures == 0 && Double(figures.count) == count
            for quantile in distribution.quantiles {
                let measured = figures.percentile(quantile.part)
                let off = measured - quantile.milliseconds
                let permitted = Self.overhead + 4 * quantile.error
                isGood = isGood && abs(off) <= permitted
                table.add(
                    distribution.name,
                    quantile.name,
                    quantile.milliseconds.text(1),
                    measured.text(1),
                    off.text(1),
                    permitted.text(1)
                )
            }
        }
        table.print()
        return isGood
    }

    private static func distributions(samples count: Double) -> [Wanted] {
        let fixed = 50.0
        let (shortest, longest) = (20.0, 220.0)
        let (median, p99) = (80.0, 500.0)
        // The 99th percentile of the standard normal distribution, and its density there and in the middle.
        let (z99, density99, density50) = (2.326347874, 0.026652142, 0.398942280)
        let sigma = log(p99 / median) / z99
        func uniform(_ name: String, _ part: Double) -> Quantile {
            let width = longest - shortest
            let error = (part * (1 - part) / count).squareRoot() * width
            return Quantile(name: name, part: part, milliseconds: shortest + part * width, error: error)
        }
        func logNormal(_ name: String, _ part: Double, _ value: Double, _ density: Double) -> Quantile {
            let error = (part * (1 - part) / count).squareRoot() / density * sigma * value
            return Quantile(name: name, part: part, milliseconds: value, error: error)
        }
        return [
            Wanted(
                name: "fixed 50 ms",
                latency: "\"50ms\"",
                quantiles: [
                    Quantile(name: "min", part: 0, milliseconds: fixed, error: 0),
                    Quantile(name: "median", part: 0.5, milliseconds: fixed, error: 0),
                    Quantile(name: "p99", part: 0.99, milliseconds: fixed, error: 0),
                ]
            ),
            Wanted(
                name: "uniform 20…220 ms",
                latency: "{\"uniform\": [\"20ms\", \"220ms\"]}",
                quantiles: [
                    uniform("min", 0), uniform("median", 0.5), uniform("p99", 0.99), uniform("max", 1),
                ]
            ),
            Wanted(
                name: "log-normal 80 ms, p99 500 ms",
                latency: "{\"logNormal\": {\"median\": \"80ms\", \"p99\": \"500ms\"}}",
                quantiles: [
                    logNormal("median", 0.5, median, density50), logNormal("p99", 0.99, p99, density99),
                ]
            ),
        ]
    }
}
