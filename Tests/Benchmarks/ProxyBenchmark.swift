import EventLoops
import HTTPCodec
import HTTPServing

/// `backlot proxy` in front of another server: the added latency, requests a second, and memory over many requests and
/// long bodies.
struct ProxyBenchmark {
    private let settings: Settings

    private static let mostAddedMilliseconds = 1.0
    private static let fewestPerSecond = 5_000.0
    /// The growth of the memory that is within its noise, in megabytes.
    private static let mostGrowth = 32.0
    private static let samples = 5_000
    private static let turns = 10

    init(_ settings: Settings) { self.settings = settings }

    func run() throws -> Bool {
        let backend = LongBodies()
        let server = HTTPServer(configuration: HTTPServer.Configuration(), handler: backend)
        try server.start()
        let port = try server.addListener(port: 0)
        let proxy = try BacklotServer(inFrontOf: "http://127.0.0.1:\(port)", ["--quiet", "--loops", "2"])
        defer { proxy.stop() }
        say("proxy: in front of a server of \(LongBodies.short.count) and \(LongBodies.long.count >> 20) MB")
        var isGood = try addsLittle(port, proxy)
        isGood = try servesMany(proxy) && isGood
        isGood = try passesLongBodies(proxy) && isGood
        return isGood
    }

    /// One request after the other on one connection, in turns with the server behind.
    private func addsLittle(_ port: UInt16, _ proxy: BacklotServer) throws -> Bool {
        let request = HTTPRequest(target: "/short")
        let (direct, proxied) = (try Crowd(1, port: port), try Crowd(1, port: proxy.port))
        var times: (direct: [Double], proxied: [Double]) = ([], [])
        for _ in 0..<Self.turns {
            times.direct += try direct.exchange(request, each: Self.samples, within: .seconds(60)).milliseconds
            times.proxied += try proxied.exchange(request, each: Self.samples, within: .seconds(60)).milliseconds
        }
        var table = Table("latency", "median ms", "p99 ms")
        for (name, figures) in [("direct", Figures(times.direct)), ("by the proxy", Figures(times.proxied))] {
            table.add(name, figures.median.text(3), figures.percentile(0.99).text(3))
        }
        table.print()
        return Figures(times.proxied).median - Figures(times.direct).median <= Self.mostAddedMilliseconds
    }

    private func servesMany(_ proxy: BacklotServer) throws -> Bool {
        var table = Table("requests", "a second", "median ms", "failed", "proxy MB")
        var memory: [Double] = []
        var isGood = true
        let crowd = try Crowd(settings.connections, port: proxy.port)
        let each = max(1, (settings.requests ?? 1_000_000) / Self.turns / settings.connections)
        for turn in 1...Self.turns {
            var watch = Stopwatch()
            let outcome = try crowd.exchange(HTTPRequest(target: "/short"), each: each, within: .seconds(600))
            let perSecond = Double(outcome.milliseconds.count) / watch.lap() * 1_000
            memory.append(proxy.memory?.resident ?? 0)
            isGood = isGood && outcome.failures == 0 && perSecond >= Self.fewestPerSecond
            table.add(
                Double(turn * each * settings.connections).text(),
                perSecond.text(),
                Figures(outcome.milliseconds).median.text(3),
                Double(outcome.failures).text(),
                (memory.last ?? 0).text(1)
            )
        }
        table.print()
        return isGood && (memory.last ?? 0) - memory[memory.count / 2] <= Self.mostGrowth
    }

    private func passesLongBodies(_ proxy: BacklotServer) throws -> Bool {
        var table = Table("downloaded MB", "MB a second", "proxy MB")
        let before = proxy.memory?.resident ?? 0
        var isGood = true
        let client = try HTTPClient(host: "127.0.0.1", port: proxy.port, limits: HTTPLimits(body: .max))
        for turn in 1...LongBodies.turns {
            var watch = Stopwatch()
            let response = try client.exchange(HTTPRequest(target: "/long"))
            let seconds = watch.lap() / 1_000
            let megabytes = LongBodies.long.count >> 20
            let memory = proxy.memory?.resident ?? 0
            isGood = isGood && response.body.count == LongBodies.long.count && memory - before <= Self.mostGrowth
            table.add(Double(turn * megabytes).text(), (Double(megabytes) / seconds).text(), memory.text(1))
        }
        table.print()
        return isGood
    }
}

/// A server of short and long bodies.
private final class LongBodies: HTTPHandler {
    static let short = Array(#"{"id":1,"name":"Ada Lovelace","items":["a","b","c"],"next":null}"#.utf8)
    static let long = [UInt8](repeating: 0x61, count: 256 << 20)
    /// As many as a gigabyte needs.
    static let turns = 4

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        let isLong = request.path == "/long"
        let type = isLong ? "application/octet-stream" : "application/json"
        let body = isLong ? Self.long : Self.short
        return .now(OutgoingResponse(HTTPResponse(status: .ok, fields: ["Content-Type": type], body: body)))
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status))
    }
}
