import Basics
import JSON

/// How the line is, for every response that does not say otherwise: the file's defaults, then the route's.
struct LineDefaults {
    var headers: [HeaderTemplate] = []
    var latency: Latency?
    var pacing: Pacing?
    var uploadRate: Int?

    init() {}

    /// Lays what an object of the file says over what held before.
    init(_ tree: JSONValue?, over base: LineDefaults, builder: inout ScenarioBuilder) {
        self = base
        guard let tree else { return }
        latency = builder.latency(tree["latency"]) ?? latency
        pacing = builder.pacing(tree) ?? pacing
        uploadRate = tree["bandwidth"]?["up"]?.string.flatMap(RateText.parse) ?? uploadRate
    }
}

// How long responses take, how they trickle, and how they break.
extension ScenarioBuilder {
    mutating func latency(_ tree: JSONValue?) -> Latency? {
        guard let tree else { return nil }
        if let text = tree.string {
            return DurationText.parse(text).map { Latency(distribution: .fixed($0), isVirtual: false) }
        }
        let isVirtual = tree["clock"]?.string == "virtual"
        return distribution(tree).map { Latency(distribution: $0, isVirtual: isVirtual) }
    }

    private mutating func distribution(_ tree: JSONValue) -> Latency.Distribution? {
        if let fixed = tree["fixed"] { return duration(fixed).map(Latency.Distribution.fixed) }
        if let bounds = tree["uniform"] {
            let durations = (bounds.array ?? []).compactMap { duration($0) }
            guard durations.count == 2 else { return nil }
            guard durations[0] <= durations[1] else {
                report(
                    "scenario/bad-range",
                    "\"uniform\" wants the shortest and the longest wait, in this order",
                    at: bounds.position,
                    advice: "write [\"50ms\", \"200ms\"]"
                )
                return nil
            }
            return .uniform(durations[0], durations[1])
        }
        return tree["logNormal"].flatMap { logNormal($0) }
    }

    private mutating func logNormal(_ tree: JSONValue) -> Latency.Distribution? {
        guard let median = duration(tree["median"]) else { return nil }
        let maximum = duration(tree["maximum"])
        guard median > .zero else {
            report("scenario/bad-range", "the median of \"logNormal\" must be longer than 0s", at: tree.position)
            return nil
        }
        if let maximum, maximum <= median {
            report(
                "scenario/bad-range",
                "the maximum must be longer than the median, or hardly any draw would do",
                at: tree["maximum"]?.position ?? tree.position
            )
            return nil
        }
        if let sigma = tree["sigma"]?.number?.double {
            return .logNormal(median: median, sigma: sigma, maximum: maximum)
        }
        guard let p99 = duration(tree["p99"]) else {
            report("scenario/missing-key", "\"logNormal\" needs \"p99\" or \"sigma\"", at: tree.position)
            return nil
        }
        guard p99 >= median else {
            report(
                "scenario/bad-range",
                "p99 is shorter than the median",
                at: tree["p99"]?.position ?? tree.position
            )
            return nil
        }
        return .logNormal(median: median, sigma: LogNormal.sigma(median: median, p99: p99), maximum: maximum)
    }

    private func duration(_ tree: JSONValue?) -> Duration? {
        tree?.string.flatMap(DurationText.parse)
    }

    mutating func pacing(_ tree: JSONValue) -> Pacing? {
        let rate = tree["bandwidth"]?["down"]?.string.flatMap(RateText.parse)
        guard let dribble = tree["dribble"] else { return rate.map(Pacing.bandwidth) }
        if rate != nil {
            report(
                "scenario/rival-keys",
                "\"dribble\" and \"bandwidth\" both say how the body is sent; keep one",
                at: dribble.position
            )
        }
        guard let chunks = dribble["chunks"]?.number?.int, let over = duration(dribble["over"]) else { return nil }
        return .dribble(chunks: chunks, over: over)
    }

    mutating func fault(_ tree: JSONValue) -> Fault? {
        guard let kind = (tree.string ?? tree["kind"]?.string).flatMap(Fault.Kind.init) else { return nil }
        if let keep = tree["keep"], kind != .truncated {
            report(
                "scenario/idle-key",
                "\"keep\" means nothing for \"\(kind.rawValue)\", only for \"truncated\"",
                at: keep.position
            )
        }
        return Fault(
            kind: kind,
            probability: tree["probability"]?.number?.double ?? 1,
            keep: tree["keep"]?.number?.double ?? 0.5,
            commits: tree["commits"]?.bool ?? kind.commitsByNature
        )
    }
}
