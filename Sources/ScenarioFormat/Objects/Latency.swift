import Basics
import JSON

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The latency of a response, with its clock.
package struct Latency: Sendable, Hashable {
    /// The distribution of the wait.
    package enum Distribution: Sendable, Hashable {
        case fixed(Duration)
        case uniform(Duration, Duration)
        /// The logarithm of the wait is normal; a draw beyond the maximum is drawn again.
        case logNormal(median: Duration, sigma: Double, maximum: Duration?)
    }

    package var distribution = Distribution.fixed(.zero)
    /// A Boolean value that indicates whether the wait passes on the virtual clock.
    package var isVirtual = false
}

extension Latency: KeyedModel {
    private enum Clock: String, CaseIterable {
        case real
        case virtual
    }

    static let variants = [
        variant(
            "fixedLatency",
            "a constant latency",
            Key("fixed", \.distribution, .of(.duration, Distribution.fixed), "The constant latency.")
        ),
        variant(
            "uniformLatency",
            "a uniformly distributed latency",
            Key("uniform", \.distribution, .of(.list(of: .duration, count: 2...2), uniform))
                .summary("The minimum and the maximum latency.").example(["50ms", "200ms"])
        ),
        variant(
            "logNormalLatency",
            "a latency with a long tail, as in real networks",
            Key(
                "logNormal",
                \.distribution,
                .of(.object) { (parameters: LogNormal, tree, builder) in parameters.distribution(tree, &builder) },
                "The latency's distribution."
            )
            .example(["median": "80ms", "p99": "900ms"])
        ),
    ]

    private static func variant(_ name: String, _ summary: String, _ key: Key) -> ObjectVariant<Latency> {
        let keys = Keys(name, "\"latency\"", summary) {
            key.required
            Key("clock", \.isVirtual, .of(.word) { (clock: Clock) in clock == .virtual })
                .summary("The clock that measures the latency.").otherwise("`\"real\"`")
        }
        return ObjectVariant(keys)
    }

    private static func uniform(_ bounds: [Duration], _ tree: JSONValue, _ builder: inout ScenarioBuilder)
        -> Distribution?
    {
        guard bounds.count == 2 else { return nil }
        guard bounds[0] <= bounds[1] else {
            builder.report(
                "scenario/bad-range",
                "\"uniform\" requires the minimum and the maximum latency, in this order",
                at: tree.position,
                advice: "write [\"50ms\", \"200ms\"]"
            )
            return nil
        }
        return .uniform(bounds[0], bounds[1])
    }
}

extension ValueType<Latency> {
    static var latency: Self {
        choice(.of(.duration) { Latency(distribution: .fixed($0)) }, .variants(Latency.variants)).shared("latency")
    }
}

/// The log-normal distribution, as latency has it: most waits are short, and some are very long.
package struct LogNormal: ModelObject {
    var median = Duration.zero
    var p99: Duration?
    var sigma: Double?
    var maximum: Duration?

    static let keys = Keys(
        "logNormal",
        "\"logNormal\"",
        "a log-normal distribution, defined by its median and either p99 or sigma",
        exclusive: [["p99", "sigma"]],
        rules: [
            ObjectRule(
                .hasAny(["p99", "sigma"]),
                "scenario/missing-key",
                "\"logNormal\" requires \"p99\" or \"sigma\""
            )
        ]
    ) {
        Key("median", \.median, .longDuration, "The median latency.").required
        Key("p99", \.p99, .duration, "The 99th percentile of the latency.")
        Key("sigma", \.sigma, .number(0...10))
            .summary("The standard deviation of the latency's logarithm, instead of \"p99\".").example(1.4)
        Key("maximum", \.maximum, .duration, "The maximum latency. Longer random values are drawn again.")
    }

    /// The distribution with these parameters; `nil` if one is missing or out of range, which is reported.
    fileprivate func distribution(_ tree: JSONValue, _ builder: inout ScenarioBuilder) -> Latency.Distribution? {
        guard median > .zero else { return nil }
        if let maximum, maximum <= median {
            builder.report(
                "scenario/bad-range",
                "the maximum must be longer than the median, because otherwise almost every draw would be rejected",
                at: tree["maximum"]?.position ?? tree.position
            )
            return nil
        }
        if let sigma { return .logNormal(median: median, sigma: sigma, maximum: maximum) }
        guard let p99 else { return nil }
        guard p99 >= median else {
            builder.report(
                "scenario/bad-range",
                "p99 is shorter than the median",
                at: tree["p99"]?.position ?? tree.position
            )
            return nil
        }
        return .logNormal(median: median, sigma: Self.sigma(median: median, p99: p99), maximum: maximum)
    }
}

extension LogNormal {
    /// The quantile of the standard normal distribution at 0.99.
    private static let quantile99 = 2.326_347_874_040_841

    /// The standard deviation of the logarithm that puts one wait in a hundred beyond `p99`.
    package static func sigma(median: Duration, p99: Duration) -> Double {
        log(Double(p99.wholeMicroseconds) / Double(median.wholeMicroseconds)) / quantile99
    }

    /// Turns two evenly drawn numbers into one wait (Box and Muller, 1958).
    ///
    /// The result is rounded to whole microseconds, so that the last bit of a platform's logarithm does not show.
    ///
    /// - Parameters:
    ///   - first: a number above 0 and at most 1.
    ///   - second: a number from 0 to 1.
    package static func sample(median: Duration, sigma: Double, _ first: Double, _ second: Double) -> Duration {
        let normal = (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
        let wait = Double(median.wholeMicroseconds) * exp(sigma * normal)
        return .microseconds(Int64(min(wait, 1e15).rounded()))
    }
}
