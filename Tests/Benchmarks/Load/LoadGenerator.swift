import HTTPCodec

/// Keep-alive load on a server: from wrk where it is installed, else from a thread of this program.
struct LoadGenerator {
    private let wrk: String?
    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
        wrk = settings.prefersOwnLoad ? nil : ChildProcess.find("wrk")
    }

    var description: String {
        let source = wrk == nil ? "the own load generator (wrk is not used)" : "wrk"
        return "\(source), one thread, \(settings.connections) connections, \(settings.seconds) s a turn"
    }

    func load(_ port: UInt16, _ target: String, fields: HTTPFields) throws -> LoadResult {
        guard let wrk else { return try ownLoad(port, target, fields) }
        var arguments = ["-t1", "-c\(settings.connections)", "-d\(settings.seconds)s", "--latency"]
        for (name, value) in fields { arguments += ["-H", "\(name): \(value)"] }
        arguments.append("http://127.0.0.1:\(port)\(target)")
        let report = try ChildProcess(wrk, arguments, readsOutput: true).wholeOutput()
        guard let result = LoadResult(wrk: report) else { throw Obstacle("wrk said:\n\(report)") }
        return result
    }

    private func ownLoad(_ port: UInt16, _ target: String, _ fields: HTTPFields) throws -> LoadResult {
        let crowd = try Crowd(settings.connections, port: port)
        let outcome = try crowd.exchange(
            HTTPRequest(target: target, fields: fields),
            each: .max,
            within: .seconds(settings.seconds)
        )
        let figures = Figures(outcome.milliseconds)
        return LoadResult(
            perSecond: Double(figures.count) / Double(settings.seconds),
            median: figures.median,
            p99: figures.percentile(0.99),
            failures: outcome.failures
        )
    }
}

extension LoadResult {
    /// Reads wrk's report; nil when it holds no result.
    init?(wrk report: String) {
        func value(after name: String) -> Substring? {
            let line = report.split(separator: "\n").first { $0.drop(while: \.isWhitespace).hasPrefix(name) }
            return line?.split(whereSeparator: \.isWhitespace).last
        }
        guard let perSecond = value(after: "Requests/sec:").flatMap({ Double($0) }),
            let median = value(after: "50%").flatMap(Self.milliseconds),
            let p99 = value(after: "99%").flatMap(Self.milliseconds)
        else { return nil }
        let failures = value(after: "Non-2xx or 3xx responses:").flatMap { Int($0) } ?? 0
        self.init(perSecond: perSecond, median: median, p99: p99, failures: failures)
    }

    private static func milliseconds(_ text: Substring) -> Double? {
        if text.hasSuffix("us") { return Double(text.dropLast(2)).map { $0 / 1000 } }
        if text.hasSuffix("ms") { return Double(text.dropLast(2)) }
        return text.hasSuffix("s") ? Double(text.dropLast()).map { $0 * 1000 } : nil
    }
}
