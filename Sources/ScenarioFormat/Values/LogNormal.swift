#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The log-normal distribution, as latency has it: most waits are short, and some are very long.
package enum LogNormal {
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
