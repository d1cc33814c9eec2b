import Basics
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Simulation
import TestSupport
import Testing

@testable import StubServing

/// Listeners of a story's other servers, on ports of their own.
@Suite(.timeLimit(.minutes(15)))
struct OriginTests {
    private static let backend = """
        {"backend": "Origins", "clock": {"frozen": true},
         "tokens": {"kinds": {"access": {"lifetime": "2h", "format": "opaque"}}},
         "given": [{"signIn": "phone", "ago": "0s"}],
         "routes": {"GET /": {"json": "backend"}}}
        """

    /// A scenario's compiled with other servers, each of which answers `GET /` with its name.
    private static func compiled(_ scenario: Scenario, _ names: [String]) throws -> CompiledScenario {
        var scenario = scenario
        for name in names {
            let text = "{\"backend\": \"Other\", \"routes\": {\"GET /\": {\"json\": \"\(name)\"}}}"
            let files = MemoryFiles(scenarios: ["backend.json": text])
            let other = try ScenarioLibrary("/project/Scenarios/backend.json", files: files).load()
            scenario.origins.append(Origin(name: name, routes: other.scenario.routes))
        }
        return CompiledScenario(scenario)
    }

    /// Lets a session play a story with these other servers.
    private static func play(_ names: [String], in session: LiveSession, of stub: Stub) throws {
        let handler = stub.server.handler
        var setup = session.setup
        let played = try compiled(setup.loaded.scenario, names)
        setup.prepared = ScenarioPreparation.Prepared(loaded: setup.loaded, played: played)
        session.restart(try handler.begin(setup, named: session.name), setup: setup)
        handler.closeOrigins(of: session.name, missingIn: session.played)
    }

    private static func port(_ url: String?) throws -> UInt16 {
        let rest = try #require(url).dropFirst("http://127.0.0.1:".count)
        return try #require(UInt16(rest.prefix { $0 != "/" }))
    }

    @Test func `Each origin has a port of its own, and the journal names it`() async throws {
        try await withStub(Self.backend) { stub in
            #expect(stub.server.originURLs.isEmpty)
            try Self.play(["images", "shop"], in: stub.server.handler.sessions.main, of: stub)
            let urls = stub.server.originURLs
            #expect(urls.keys.sorted() == ["images", "shop"])
            let tokens = try stub.admin(.get, "tokens")["devices"]?[0]?["tokens"]
            let token = try #require(tokens?[0]?["value"]?.string)
            let images = try stub.client(port: Self.port(urls["images"]))
            #expect(try images.get("/", .bearer(token)).json == "images")
            #expect(try stub.client(port: Self.port(urls["shop"])).get("/").json == "shop")
            #expect(try stub.client().get("/").json == "backend")
            #expect(try images.get("/nothing").problem == "no-route")
            let exchanges = try stub.admin(.get, "journal")["exchanges"]
            #expect(exchanges?[0]?["origin"] == "images" && exchanges?[0]?["tokens"]?[0]?["id"] == "access-1")
            #expect(exchanges?[2]?["origin"] == nil)
            let listed = try stub.admin(.get, "sessions")["sessions"]?[0]?["origins"]
            #expect(listed?["images"]?.string == urls["images"] && listed?.object?.names == ["images", "shop"])
        }
    }

    @Test func `Sessions without a listener share the default one's by header or prefix`() async throws {
        try await withStub(Self.backend) { stub in
            try Self.play(["images"], in: stub.server.handler.sessions.main, of: stub)
            let images = try stub.client(port: Self.port(stub.server.originURLs["images"]))
            #expect(try images.get("/", ["Backlot-Session": "one"]).json == "images")
            #expect(try images.get("/__session/one/").json == "images")
            #expect(try stub.admin(.get, "journal?session=one")["exchanges"]?.array?.count == 2)
            let made = try stub.admin(.post, "sessions", ["name": "two"])
            #expect(
                made["origins"]?["images"]?.string == stub.server.originURLs["images"].map { "\($0)/__session/two" }
            )
        }
    }

    @Test func `A session with a listener has origins of its own, which end with it`() async throws {
        try await withStub(Self.backend) { stub in
            let handler = stub.server.handler
            try Self.play(["images"], in: handler.sessions.main, of: stub)
            let made = try stub.admin(.post, "sessions", ["name": "own", "listener": true])
            let url = try #require(made["origins"]?["images"]?.string)
            #expect(url != stub.server.originURLs["images"])
            #expect(try stub.client(port: Self.port(url)).get("/").json == "images")
            #expect(try stub.admin(.get, "journal?session=own")["exchanges"]?.array?.count == 1)
            #expect(try stub.admin(.get, "journal")["exchanges"]?.array?.isEmpty == true)
            try stub.admin(.delete, "sessions/own")
            let left = handler.listeners.withLock { $0.origins.values.compactMap(\.session) }
            #expect(left.isEmpty)
        }
    }

    @Test func `Another story opens and closes listeners, and keeps those that stay`() async throws {
        try await withStub(Self.backend) { stub in
            let main = stub.server.handler.sessions.main
            try Self.play(["images", "shop"], in: main, of: stub)
            let before = stub.server.originURLs
            try Self.play(["images", "maps"], in: main, of: stub)
            let after = stub.server.originURLs
            #expect(after["images"] == before["images"] && after["shop"] == nil && after["maps"] != nil)
            #expect(try stub.client(port: Self.port(after["maps"])).get("/").json == "maps")
            let open = stub.server.handler.listeners.withLock { $0.origins.values.map(\.name).sorted() }
            #expect(open == ["images", "maps"])
        }
    }

    @Test func `The log names the origin of an exchange`() async throws {
        var log: LogText?
        try await withStub(Self.backend) { stub in
            try Self.play(["images"], in: stub.server.handler.sessions.main, of: stub)
            _ = try stub.client(port: Self.port(stub.server.originURLs["images"])).get("/")
            log = stub.log
        }
        #expect(log?.text.contains("GET  /  at images  200") == true)
    }
}
