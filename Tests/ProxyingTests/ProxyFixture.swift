import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Proxying
import ScenarioFormat
import Simulation
import StubServing
import TLS
import TestSupport
import Testing

/// A server in front of another one; the time of both stands still until the test moves it.
struct Proxied: Sendable {
    let port: UInt16
    /// The base URL of the other server.
    let upstream: String
    let time: ManualTime
    let log: LogText

    func client() throws -> HTTPClient { try HTTPClient(port: port) }

    /// Calls the admin API of the proxy.
    @discardableResult
    func admin(_ method: HTTPMethod, _ part: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let fields: HTTPFields = body == nil ? [:] : ["Content-Type": "application/json"]
        let response = try client().call(method, "/__backlot/\(part)", fields, body?.text(.compact) ?? "")
        try #require(response.status == .ok, "\(method) \(part): \(response.text)")
        return try response.json
    }

    /// Moves the time that no clock of a scenario shows, after every timer was set that begins before it.
    func pass(_ duration: Duration) async {
        await time.untilLoopsRest()
        time.advance(by: duration)
    }

    func advance(_ duration: String) throws { try admin(.post, "clock", ["advance": .string(duration)]) }

    /// The journal as the page and the commands get it.
    func journal() throws -> [JSONValue] { try admin(.get, "journal")["exchanges"]?.array ?? [] }
}

/// Runs a proxy in front of a URL.
///
/// - Parameters:
///   - scenario: The scenario of the proxy; one without routes by default.
///   - files: further files next to the scenario.
///   - given: A scenario on disk, in front of the URL; an empty URL is none.
///   - replays: Whether the scenario is a recording.
func withProxy(
    to upstream: String,
    scenario: String? = nil,
    files: [String: String] = [:],
    library given: ScenarioLibrary? = nil,
    trust: ServerTrust = ServerTrust(),
    timeout: Duration = .seconds(30),
    kinds: [CapturedTokens.DeclaredKind] = [],
    recorder: TrafficRecorder? = nil,
    keepsTokens: Bool = false,
    replays: Bool = false,
    comparison: MockComparison? = nil,
    _ configure: (inout StubServer.Configuration) -> Void = { _ in },
    _ body: (Proxied) async throws -> Void
) async throws {
    let (time, log) = (ManualTime(), LogText())
    var configuration = StubServer.Configuration(contractReader: OpenAPIReader())
    configuration.port = 0
    configuration.time = time
    configuration.watchesFiles = false
    configuration.clock = ClockOption("frozen") ?? ClockOption()
    configuration.forwarder = Forwarder(
        trust: trust,
        timeout: timeout,
        kinds: kinds,
        recorder: recorder,
        keepsTokens: keepsTokens,
        comparison: comparison
    )
    configuration.replays = replays
    let library: ScenarioLibrary
    if let given {
        configuration.upstream = upstream.isEmpty ? nil : upstream
        library = given
    } else if let scenario {
        var all = ["/project/Scenarios/backend.json": scenario, "/project/.git/HEAD": ""]
        for (name, text) in files { all["/project/Scenarios/\(name)"] = text }
        library = try ScenarioLibrary("/project/Scenarios/backend.json", files: MemoryFiles(all))
    } else {
        configuration.upstream = upstream
        library = try ScenarioLibrary.made(["backend": "Upstream"], named: "upstream")
    }
    configure(&configuration)
    let server = try StubServer(library, configuration, log: ServerLog(isColoured: false, sink: log.take))
    let port = try await server.start()
    await time.untilLoopsRest(atLeast: configuration.loops)
    do {
        try await body(Proxied(port: port, upstream: upstream, time: time, log: log))
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .zero)
}

/// Runs a mock backend as the other server.
func withBackend(_ scenario: String, _ body: (StubServer, String) async throws -> Void) async throws {
    let files = MemoryFiles(["/project/Scenarios/backend.json": scenario, "/project/.git/HEAD": ""])
    try await withBackend(at: ScenarioLibrary("/project/Scenarios/backend.json", files: files), body)
}

/// Runs a scenario as the other server.
func withBackend(
    at library: ScenarioLibrary,
    clock: String = "frozen",
    _ body: (StubServer, String) async throws -> Void
) async throws {
    var configuration = StubServer.Configuration()
    configuration.port = 0
    configuration.watchesFiles = false
    configuration.clock = ClockOption(clock) ?? ClockOption()
    let server = try StubServer(library, configuration, log: ServerLog(isColoured: false, sink: { $0.count }))
    let port = try await server.start()
    do {
        try await body(server, "http://127.0.0.1:\(port)")
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .zero)
}

/// Asks again and again, until the test is cancelled, as it is when its time is over.
func until(_ holds: () throws -> Bool) async throws {
    while try !holds() {
        try Task.checkCancellation()
        await Task.yield()
    }
}

/// A server that answers as the test says, and keeps the requests that it received.
///
/// A class, because the server's loops and the test share it.
final class RawUpstream: HTTPHandler {
    typealias Answer = @Sendable (HTTPRequest, ResponsePromise) -> Served

    private let answer: Answer
    private let seen = Lock<[HTTPRequest]>([])
    private let sent = Lock<[UInt8]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var requests: [HTTPRequest] { seen.withLock { $0 } }
    private let peers = Lock<Set<UInt64>>([])
    /// The number of connections on which requests have come.
    var connections: Int { peers.withLock { $0.count } }
    /// What clients sent after an upgrade.
    var received: [UInt8] { sent.withLock { $0 } }

    func respond(to request: HTTPRequest, from peer: Peer, with promise: ResponsePromise) -> Served {
        seen.withLock { $0.append(request) }
        peers.withLock { _ = $0.insert(peer.connection) }
        return answer(request, promise)
    }

    func response(to refusal: HTTPRefusal, from peer: Peer) -> OutgoingResponse {
        OutgoingResponse(HTTPResponse(status: refusal.status))
    }

    func received(_ bytes: [UInt8], exchange: UInt64) { sent.withLock { $0 += bytes } }

    /// Runs the server on a free port for the length of the body.
    static func run(
        tls: (any TLSContext)? = nil,
        limits: HTTPLimits = HTTPLimits(body: 64 << 20),
        _ answer: @escaping Answer,
        _ body: (RawUpstream, String) async throws -> Void
    ) async throws {
        let upstream = RawUpstream(answer)
        var configuration = HTTPServer.Configuration()
        configuration.limits = limits
        if let tls { configuration.tls = { _ in .handshake(tls) } }
        let server = HTTPServer(configuration: configuration, handler: upstream)
        try server.start()
        do {
            let port = try server.addListener(port: 0)
            try await body(upstream, "\(tls == nil ? "http" : "https")://127.0.0.1:\(port)")
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}

extension Served {
    /// A response with a text.
    static func text(_ text: String, status: HTTPStatus = .ok, _ fields: HTTPFields = [:]) -> Served {
        var response = HTTPResponse(status: status, contentType: "text/plain", body: text)
        for (name, value) in fields { response.fields.append(name, value) }
        return .now(OutgoingResponse(response))
    }

    /// Bytes that this server would not send, after which the connection ends.
    static func raw(_ bytes: String) -> Served {
        .now(OutgoingResponse(HTTPResponse(status: .ok), delivery: Delivery(fault: .garbage(Array(bytes.utf8)))))
    }
}

/// What a server logs; a class, because the server and the test mean the same one.
final class LogText: Sendable {
    private let bytes = Lock<[UInt8]>([])

    @Sendable func take(_ more: [UInt8]) -> Int {
        bytes.withLock { $0 += more }
        return more.count
    }

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}

extension HTTPClient {
    func call(
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPFields = [:],
        _ body: String = ""
    ) throws -> HTTPReceivedResponse {
        try exchange(HTTPRequest(method: method, target: target, fields: fields, body: Array(body.utf8)))
    }

    func get(_ target: String, _ fields: HTTPFields = [:]) throws -> HTTPReceivedResponse {
        try call(.get, target, fields)
    }
}

extension HTTPReceivedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }

    var json: JSONValue {
        get throws { try JSONParser().parse(body).root }
    }

    /// The last part of a problem document's type.
    var problem: String? {
        guard fields["Content-Type"] == "application/problem+json" else { return nil }
        return (try? json)?["type"]?.string?.split(separator: ":").last.map(String.init)
    }
}

extension HTTPFields {
    static func bearer(_ token: String) -> HTTPFields { ["Authorization": "Bearer \(token)"] }
}

extension Capture.Entry {
    /// An exchange of a recording, at a second of its beginning.
    static func recorded(
        _ second: Int64,
        _ method: HTTPMethod,
        _ target: String,
        token: String? = nil,
        sent: String = "",
        type: String = "application/json",
        status: HTTPStatus = .ok,
        _ body: String
    ) -> Capture.Entry {
        var fields: HTTPFields = sent.isEmpty ? [:] : ["Content-Type": "application/json"]
        if let token { fields.append("Authorization", "Bearer \(token)") }
        return Capture.Entry(
            at: VirtualTime(seconds: 1_767_225_600 + second),
            scheme: "https",
            host: "staging.example.com",
            request: HTTPRequest(method: method, target: target, fields: fields, body: Array(sent.utf8)),
            response: HTTPResponse(status: status, contentType: type, body: body)
        )
    }
}
