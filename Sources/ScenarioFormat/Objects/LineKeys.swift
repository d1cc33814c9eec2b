import Basics
import JSON

// How long responses take, how their bodies trickle, and how connections break.

/// The keys that say how the line is, of a response and of what every response has.
enum LineKeys {
    static let latency = Key("latency", .json(.latency), "The response latency.", example: "80ms")
    static let dribble = Key("dribble", .object(DribbleKeys.self), "Delivery of the body in delayed pieces.")
    static let bandwidth = Key("bandwidth", .object(BandwidthKeys.self), "The connection bandwidth.")
    static let all: [any FormatKey] = [latency, dribble, bandwidth]

    static let rules = ObjectRules(
        "lineRules",
        [
            ObjectRule(
                .not(.all([.has(dribble), .member(bandwidth, .has(BandwidthKeys.down))])),
                "scenario/rival-keys",
                at: dribble,
                "\"dribble\" and \"bandwidth\" exclude each other; keep one"
            )
        ]
    )

    /// The rule of single responses: the body is read before it is known which case or guard responds.
    static let noUploadRate = ObjectRules(
        "noUploadRate",
        [
            ObjectRule(
                .not(.member(bandwidth, .has(BandwidthKeys.up))),
                "scenario/idle-key",
                at: bandwidth,
                "\"up\" has no effect here, because the body is read before the response is chosen",
                advice: "set it for the whole route or in \"defaults\""
            )
        ]
    )
}

enum DefaultsKeys: FormatObject {
    static let headers = Key(
        "headers",
        list: .headers,
        "Header fields to add to every response.",
        example: ["Cache-Control": "no-store"]
    )

    static let shape = ObjectShape(
        "defaults",
        "\"defaults\"",
        "defaults for every response",
        [headers] + NegotiationKeys.all + LineKeys.all,
        rules: LineKeys.rules
    )
}

enum FixedLatencyKeys: FormatObject {
    static let fixed = Key("fixed", .duration, "The constant latency.", required: true)

    static let shape = ObjectShape("fixedLatency", "\"latency\"", "a constant latency", [fixed, Latency.clock])
}

enum UniformLatencyKeys: FormatObject {
    static let uniform = Key(
        "uniform",
        .json(.list(of: .text(.duration), count: 2...2)),
        "The minimum and the maximum latency.",
        required: true,
        example: ["50ms", "200ms"]
    )

    static let shape = ObjectShape(
        "uniformLatency",
        "\"latency\"",
        "a uniformly distributed latency",
        [uniform, Latency.clock]
    )
}

enum LogNormalLatencyKeys: FormatObject {
    static let logNormal = Key(
        "logNormal",
        .object(LogNormalKeys.self),
        "The latency's distribution.",
        required: true,
        example: ["median": "80ms", "p99": "900ms"]
    )

    static let shape = ObjectShape(
        "logNormalLatency",
        "\"latency\"",
        "a latency with a long tail, as in real networks",
        [logNormal, Latency.clock]
    )
}

extension Latency {
    enum Clock: String, CaseIterable {
        case real
        case virtual
    }

    fileprivate static let clock = Key(
        "clock",
        .word(Clock.self),
        default: .real,
        "The clock that measures the latency."
    )
}

enum LogNormalKeys: FormatObject {
    static let median = Key("median", .longDuration, "The median latency.", required: true)
    static let p99 = Key("p99", .duration, "The 99th percentile of the latency.")
    static let sigma = Key(
        "sigma",
        .number(0...10),
        "The standard deviation of the latency's logarithm, instead of \"p99\".",
        example: 1.4
    )
    static let maximum = Key("maximum", .duration, "The maximum latency. Longer random values are drawn again.")

    static let shape = ObjectShape(
        "logNormal",
        "\"logNormal\"",
        "a log-normal distribution, defined by its median and either p99 or sigma",
        [median, p99, sigma, maximum],
        exclusive: [[p99, sigma]],
        rules: [
            ObjectRule(.hasAny([p99, sigma]), "scenario/missing-key", "\"logNormal\" requires \"p99\" or \"sigma\"")
        ]
    )
}

enum DribbleKeys: FormatObject {
    static let chunks = Key("chunks", .integer(1...100_000), "The number of pieces.", required: true)
    static let over = Key("over", .duration, "The time between the first and the last piece.", required: true)

    static let shape = ObjectShape("dribble", "\"dribble\"", "a body in delayed pieces", [chunks, over])
}

enum BandwidthKeys: FormatObject {
    static let down = Key("down", .rate, "The rate at which the response body is sent.")
    static let up = Key(
        "up",
        .rate,
        "The rate at which the request body is read; allowed only for a whole route or in \"defaults\"."
    )

    static let shape = ObjectShape("bandwidth", "\"bandwidth\"", "a slow connection", [down, up])
}

enum FaultKeys: FormatObject {
    static let kind = Key("kind", .word(Fault.Kind.self), "The kind of fault.", required: true)
    static let probability = Key(
        "probability",
        .number(0...1),
        default: 1,
        "The probability that the fault occurs, drawn from the seed."
    )
    static let keep = Key(
        "keep",
        .number(0...1),
        default: 0.5,
        "The fraction of the body that arrives if the fault is \"truncated\".",
        example: 0.25
    )
    static let commits = Key(
        "commits",
        .boolean,
        "If true, grants and changes take effect before the failure.",
        otherwise: "depends on the kind"
    )

    static let shape = ObjectShape(
        "fault",
        "\"fault\"",
        "a connection failure",
        [kind, probability, keep, commits],
        rules: [
            ObjectRule(
                .not(.all([.has(keep), .member(kind, .oneOf(whole.map { .string($0.rawValue) }))])),
                "scenario/idle-key",
                at: keep,
                message: {
                    "\"keep\" has no effect for \"\($0[kind]?.rawValue ?? "")\"; it applies only to \"truncated\""
                }
            )
        ],
        discussion: """
            | kind | the client sees | changes take effect |
            |---|---|---|
            \(Fault.Kind.allCases.map { "| `\($0.rawValue)` | \($0.effect) | \($0.commitsByNature ? "yes" : "no") |" }
                .joined(separator: "\n"))

            `commits` overrides the last column. A `lost` response needs no body, even if the contract requires a body.
            """
    )
}

extension FaultKeys {
    /// The kinds after which no fraction of the body arrives.
    private static let whole = Fault.Kind.allCases.filter { $0 != .truncated }
}

extension Fault.Kind {
    /// Its effect for the client, for the reference.
    fileprivate var effect: String {
        switch self {
        case .reset: "a TCP reset before any byte"
        case .empty: "the connection closes before any byte"
        case .truncated: "the response head and part of the body (`keep`); then the connection closes"
        case .malformedChunk: "a chunk size that is not a number"
        case .garbage: "bytes that are not HTTP"
        case .never: "nothing, on an open connection"
        case .lost: "the same as `empty`"
        }
    }
}

extension Shape {
    static let headers = Shape.shared(
        "headers",
        .map(of: .choice([.text(.fieldValue), .list(of: .text(.fieldValue))]), names: .responseField)
    )
    static let latency = Shape.shared(
        "latency",
        .choice([
            .text(.duration),
            .variants([FixedLatencyKeys.self, UniformLatencyKeys.self, LogNormalLatencyKeys.self]),
        ])
    )
    static let fault = Shape.shared(
        "faultOrKind",
        .choice([.words(Fault.Kind.self), .object(FaultKeys.self)])
    )
}

extension ValueType<[JSONObject.Member]> {
    static var headers: Self { Self(shape: .headers) { Optional($0).members } }
}

// MARK: - Reading

/// The default line of every response: the file's defaults, then the route's.
struct LineDefaults {
    var headers: [HeaderTemplate] = []
    var latency: Latency?
    var pacing: Pacing?
    var negotiation = Negotiation()
    var uploadRate: Int?

    init() {}

    /// Lays what an object of the file says over what held before.
    ///
    /// - Parameter tree: the file's defaults, a route or a part of one: all have the same keys.
    init(_ tree: JSONValue?, over base: LineDefaults, builder: inout ScenarioBuilder) {
        self = base
        guard let tree else { return }
        latency = builder.latency(tree[LineKeys.latency]) ?? latency
        pacing = builder.pacing(tree) ?? pacing
        negotiation = builder.negotiation(tree, over: negotiation, isFoundKnown: false)
        uploadRate = tree[LineKeys.bandwidth][BandwidthKeys.up] ?? uploadRate
    }
}

extension ScenarioBuilder {
    mutating func latency(_ tree: JSONValue?) -> Latency? {
        guard let tree else { return nil }
        guard tree.string == nil else {
            return ValueType.duration.read(tree).map { Latency(distribution: .fixed($0), isVirtual: false) }
        }
        let isVirtual = tree[Latency.clock] == .virtual
        return distribution(tree).map { Latency(distribution: $0, isVirtual: isVirtual) }
    }

    private mutating func distribution(_ tree: JSONValue) -> Latency.Distribution? {
        if tree.has(FixedLatencyKeys.fixed) { return tree[FixedLatencyKeys.fixed].map(Latency.Distribution.fixed) }
        if let bounds = tree[UniformLatencyKeys.uniform] {
            let durations = (bounds.array ?? []).compactMap(ValueType.duration.read)
            guard durations.count == 2 else { return nil }
            guard durations[0] <= durations[1] else {
                report(
                    "scenario/bad-range",
                    "\"uniform\" requires the minimum and the maximum latency, in this order",
                    at: bounds.position,
                    advice: "write [\"50ms\", \"200ms\"]"
                )
                return nil
            }
            return .uniform(durations[0], durations[1])
        }
        return tree[LogNormalLatencyKeys.logNormal].flatMap { logNormal($0) }
    }

    private mutating func logNormal(_ tree: JSONValue) -> Latency.Distribution? {
        guard let median = tree[LogNormalKeys.median], median > .zero else { return nil }
        let maximum = tree[LogNormalKeys.maximum]
        if let maximum, maximum <= median {
            report(
                "scenario/bad-range",
                "the maximum must be longer than the median, because otherwise almost every draw would be rejected",
                at: tree.written(LogNormalKeys.maximum)?.position ?? tree.position
            )
            return nil
        }
        if let sigma = tree[LogNormalKeys.sigma] {
            return .logNormal(median: median, sigma: sigma, maximum: maximum)
        }
        guard let p99 = tree[LogNormalKeys.p99] else { return nil }
        guard p99 >= median else {
            report(
                "scenario/bad-range",
                "p99 is shorter than the median",
                at: tree.written(LogNormalKeys.p99)?.position ?? tree.position
            )
            return nil
        }
        return .logNormal(median: median, sigma: LogNormal.sigma(median: median, p99: p99), maximum: maximum)
    }

    mutating func pacing(_ tree: JSONValue) -> Pacing? {
        let rate = tree[LineKeys.bandwidth][BandwidthKeys.down]
        guard let dribble = tree[LineKeys.dribble] else { return rate.map(Pacing.bandwidth) }
        guard let chunks = dribble[DribbleKeys.chunks], let over = dribble[DribbleKeys.over] else { return nil }
        return .dribble(chunks: chunks, over: over)
    }

    mutating func fault(_ tree: JSONValue) -> Fault? {
        guard let kind = ValueType.word(Fault.Kind.self).read(tree) ?? tree[FaultKeys.kind] else { return nil }
        if let written = tree.written(FaultKeys.probability), tree[FaultKeys.probability] == 0 {
            report(
                "scenario/idle-fault",
                "a fault with the probability 0 never occurs",
                at: written.position,
                advice: "set a probability above 0, or remove the fault",
                severity: .warning
            )
        }
        return Fault(
            kind: kind,
            probability: tree[FaultKeys.probability],
            keep: tree[FaultKeys.keep],
            commits: tree[FaultKeys.commits] ?? kind.commitsByNature
        )
    }
}
