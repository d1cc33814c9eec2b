import JSON

/// The start and the rate of a scenario's clock.
package struct ClockSettings: Sendable, Hashable {
    /// `nil`: the real now.
    package var start: VirtualTime?
    package var mode = ClockMode.running(rate: 1)
    /// The offset of the `Date` header.
    package var skew = Duration.zero
}

/// The mode of virtual time.
package enum ClockMode: Sendable, Hashable {
    /// The clock runs at a rate in virtual seconds per real second.
    case running(rate: Double)
    /// Only commands move it.
    case frozen
    /// It stands still, and jumps to the next due event when every open request waits for one.
    case automatic
}

extension ClockSettings: ModelObject {
    static let keys = Keys(
        "clock",
        "\"clock\"",
        "the start and the rate of the scenario's clock",
        rules: [
            ObjectRule(
                .not(.all([.member("frozen", .oneOf([true])), .member("automatic", .oneOf([true]))])),
                "scenario/rival-keys",
                at: "automatic",
                "a clock cannot be both frozen and automatic; keep one"
            )
        ]
    ) {
        Key("start", \.start, .moment(.start), "The time at which the scenario starts.")
            .otherwise("`\"now\"`").example("2026-03-01T09:00:00Z")
        Key("rate", ValueType<Double>.number(0...1_000_000), "The number of virtual seconds per real second.") {
            $0.mode = .running(rate: $1)
        }
        .otherwise("`1`")
        Key("frozen", ValueType<Bool>.boolean, "If true, the clock is stopped until it is advanced.") {
            if $1 { $0.mode = .frozen }
        }
        .otherwise("`false`")
        Key("automatic", ValueType<Bool>.boolean) {
            if $1 { $0.mode = .automatic }
        }
        .summary(
            "If true, the clock stands still until every open request is waiting for it, and then jumps to the next event."
        )
        .otherwise("`false`")
        Key("skew", \.skew, .signedDuration, "The offset of the Date header field from the virtual clock.")
    }
}
