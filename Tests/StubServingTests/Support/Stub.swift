import Basics
import Checking
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// A stub server on a free port whose time stands still until the test moves it.
struct Stub: Sendable {
    let server: StubServer
    let port: UInt16
    let time: ManualTime
    let log: LogText

    /// The moment with which every scenario begins here.
    static let start = "2026-03-01T09:00:00Z"

    func client(port: UInt16? = nil) throws -> HTTPClient {
        try HTTPClient(port: port ?? self.port)
    }

    /// Calls the admin API on a connection of its own.
    @discardableResult
    func admin(_ method: HTTPMethod, _ part: String, _ body: JSONValue? = nil) throws -> JSONValue {
        try client().admin(method, part, body)
    }

    func advance(_ duration: String, session: String? = nil) throws {
        try admin(.post, session.map { "clock?session=\($0)" } ?? "clock", ["advance": .string(duration)])
    }

    /// Asks again and again until the journal of a session holds so many exchanges.
    ///
    /// For requests that get no response for now: that they were decided shows nowhere else.
    func untilDecided(_ count: Int, session: String? = nil) throws {
        let target = session.map { "journal?session=\($0)" } ?? "journal"
        let client = try client()
        try until("\(count) exchanges") { try client.admin(.get, target)["exchanges"]?.array?.count ?? 0 >= count }
    }

    /// Asks again and again, with an end to it.
    func until(_ what: Comment, _ holds: () throws -> Bool) throws {
        for _ in 0..<5_000 where try holds() { return }
        try #require(Bool(false), what)
    }

    /// Moves the machine's time, and waits until everything that is due by then has happened.
    func pass(_ duration: Duration) async {
        // A timer that a loop has yet to set would begin after the time that passes.
        await time.untilLoopsRest()
        time.advance(by: duration)
        await time.untilLoopsRest()
    }
}

/// Plays a scenario of one file, or of several of which `backend.json` is played.
func withStub(
    _ text: String,
    files: [String: String] = [:],
    _ configure: (inout StubServer.Configuration) -> Void = { _ in },
    _ body: (Stub) async throws -> Void
) async throws {
    let files = MemoryFiles(scenarios: files.merging(["backend.json": text]) { given, _ in given })
    let library = try ScenarioLibrary("/project/Scenarios/backend.json", files: files)
    try await withStub(library, configure, body)
}

func withStub(
    _ library: ScenarioLibrary,
    _ configure: (inout StubServer.Configuration) -> Void = { _ in },
    _ body: (Stub) async throws -> Void
) async throws {
    let (time, log) = (ManualTime(), LogText())
    var configuration = StubServer.Configuration(contractReader: OpenAPIReader())
    configuration.port = 0
    configuration.time = time
    configuration.watchesFiles = false
    configuration.calendar = { VirtualTime(Stub.start) ?? VirtualTime(seconds: 0) }
    configure(&configuration)
    let server = try StubServer(library, configuration, log: ServerLog(isColoured: false, sink: log.take))
    let stub = Stub(server: server, port: try await server.start(), time: time, log: log)
    // Time that passes before a loop has begun is nothing that it would wait for.
    if configuration.time is ManualTime { await time.untilLoopsRest(atLeast: configuration.loops) }
    do {
        try await body(stub)
    } catch {
        await server.stop(within: .zero)
        throw error
    }
    await server.stop(within: .zero)
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
    /// Sends a request and takes the response.
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

    /// Calls the admin API, which must agree.
    @discardableResult
    func admin(_ method: HTTPMethod, _ part: String, _ body: JSONValue? = nil) throws -> JSONValue {
        let fields: HTTPFields = body == nil ? [:] : ["Content-Type": "application/json"]
        let response = try call(method, "/__backlot/\(part)", fields, body?.text(.compact) ?? "")
        try #require(response.status == .ok, "\(method) \(part): \(response.text)")
        return try response.json
    }
}

extension HTTPReceivedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
    var code: Int { status.code }

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

    func adding(_ name: String, _ value: String) -> HTTPFields {
        var fields = self
        fields.append(name, value)
        return fields
    }
}
