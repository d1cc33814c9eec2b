import BacklotTestServer
import Foundation
import HTTPCodec
import HTTPServing
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a server does that a test starts by itself.
@Suite struct ServerTests {
    static let pets = BacklotServer.Story.file("Guide/Scenarios/pets/backend.json").with([
        .signedIn("phone", ago: .days(0))
    ])

    static let documentedPets = pets.with([.contract("openapi.json")])

    @Test(arguments: Way.allCases) func `time, tokens and journal are those of the session`(way: Way) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: way.transport)
        let session = way.session(to: server)
        #expect(try await session.get("pets", of: server).status == 200)
        let before = server.now
        server.advance(by: .minutes(15))
        #expect(server.now.timeIntervalSince(before) >= 900)
        #expect(try await session.get("pets", of: server) == (401, #"{"error":"not signed in"}"#))
        #expect(server.tokens.map(\.kind) == ["access", "refresh"])
        #expect(server.tokens.map(\.state) == ["expired", "valid"])
        let journal = server.journal
        #expect(
            journal.map(\.description) == ["1 GET /pets 200 (access-1 valid)", "2 GET /pets 401 (access-1 expired)"]
        )
        #expect(journal[0].route == "GET /pets")
        #expect(journal[0].requestFields.contains { $0.name.lowercased() == "authorization" })
        #expect(String(decoding: journal[1].responseBody, as: UTF8.self) == #"{"error":"not signed in"}"#)
    }

    @Test(arguments: Way.allCases) func `a checkpoint restores tokens and journal`(way: Way) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: way.transport, refusalHold: .zero)
        let session = way.session(to: server)
        #expect(try await session.get("pets", of: server).status == 200)
        let checkpoint = server.checkpoint()
        try server.change(["revoke": "access"])
        #expect(try await session.get("pets", of: server).status == 401)
        #expect(server.changes(since: checkpoint).contains("\"now\": \"revoked\""))
        #expect(try server.restore(checkpoint).isEmpty)
        #expect(server.tokens.map(\.state) == ["valid", "valid"] && server.journal.count == 1)
        #expect(try await session.get("pets", of: server).status == 200)
    }

    @Test(arguments: Way.allCases) func `a revoked token is refused`(way: Way) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: way.transport, refusalHold: .zero)
        try server.change(["revoke": "access"])
        #expect(try await way.session(to: server).get("pets", of: server).status == 401)
        #expect(throws: StoryProblem.self) { try server.change(["revoke": "acess"]) }
    }

    @Test(arguments: [BacklotServer.Fault.reset, .empty, .truncated, .malformedChunk, .garbage])
    func `a fault is an error of the loading system in this process`(fault: BacklotServer.Fault) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: .inProcess)
        try server.arm(fault, on: "GET /pets")
        let session = Way.inProcess.session(to: server)
        let code: URLError.Code =
            switch fault {
            case .malformedChunk, .garbage: .badServerResponse
            default: .networkConnectionLost
            }
        await #expect {
            try await session.get("pets", of: server)
        } throws: { error in
            (error as? URLError)?.code == code
        }
        #expect(server.journal.map(\.fault) == [fault.rawValue])
        #expect(try await session.get("pets", of: server).status == 200)
    }

    @Test(arguments: Way.allCases) func `a route fails as often or as long as it should`(way: Way) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: way.transport, refusalHold: .zero)
        let session = way.session(to: server)
        try server.fail(with: 503, on: "GET /pets", body: ["error": "busy"], headers: ["Retry-After": "5"], times: 2)
        for _ in 0..<2 { #expect(try await session.get("pets", of: server) == (503, #"{"error":"busy"}"#)) }
        #expect(try await session.get("pets", of: server).status == 200)
        try server.fail(with: 500, on: "GET /pets", for: .seconds(30))
        #expect(try await session.get("pets", of: server).status == 500)
        server.advance(by: .seconds(30))
        #expect(try await session.get("pets", of: server).status == 200)
        try server.delay(by: .seconds(3_600), on: "GET /pets", clock: .virtual)
        server.clearFaults()
        #expect(try await session.get("pets", of: server).status == 200)
        #expect(throws: StoryProblem.self) { try server.fail(with: 500, on: "GET /pet") }
    }

    @Test(arguments: Way.allCases) func `a connection that is reset is an error on both ways`(way: Way) async throws {
        let server = try await BacklotServer(story: Self.pets, transport: way.transport)
        // Foundation on Linux repeats a GET once.
        try server.arm(.reset, on: "GET /pets", times: 2)
        await #expect(throws: URLError.self) { try await way.session(to: server).get("pets", of: server) }
    }

    @Test func `a time-out in this process counts on the server's clock`() async throws {
        let server = try await BacklotServer(story: Self.pets, transport: .inProcess)
        try server.arm(.never, on: "GET /pets")
        let answer = Task { try await Way.inProcess.session(to: server).get("pets", of: server, timeout: 3_000) }
        try await server.waitForRequest(to: "GET /pets")
        server.advance(by: .hours(1))
        await #expect {
            try await answer.value
        } throws: { error in
            (error as? URLError)?.code == .timedOut
        }
    }

    @Test func `a request is waited for by its route, and once it has come it is there at once`() async throws {
        let server = try await BacklotServer(story: Self.pets, transport: .inProcess)
        let session = Way.inProcess.session(to: server)
        async let second = server.waitForRequest(to: "GET /pets", after: 1)
        _ = try await session.get("pets", of: server)
        #expect(try await server.waitForRequest(to: "GET /pets").number == 1)
        _ = try await session.get("pets", of: server)
        #expect(try await second.number == 2)
    }

    @Test func `a request is waited for where the journal was cleared`() async throws {
        let server = try await BacklotServer(story: Self.pets)
        let session = URLSession.patient
        _ = try await session.get("pets", of: server)
        var clearing = URLRequest(url: server.url.appendingPathComponent("__backlot/journal"))
        clearing.httpMethod = "DELETE"
        let (_, cleared) = try await session.data(for: clearing)
        try #require((cleared as? HTTPURLResponse)?.statusCode == 200 && server.journal.isEmpty)
        async let next = server.waitForRequest(to: "GET /pets")
        _ = try await session.get("pets", of: server)
        #expect(try await next.number == 2)
    }

    @Test func `a wait for a request ends with its task and with the server`() async throws {
        let server = try await BacklotServer(story: Self.pets, transport: .inProcess)
        let cancelled = Task { try await server.waitForRequest(to: "GET /pets") }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let stopped = Task { try await server.waitForRequest(to: "GET /pets") }
        await server.stop()
        await #expect(throws: CancellationError.self) { try await stopped.value }
        let error = await #expect(throws: StoryProblem.self) { try await server.waitForRequest(to: "GET /pet") }
        #expect(error?.description.contains(#"did you mean "GET /pets"?"#) == true, "\(String(describing: error))")
    }

    @Test func `an armed fault names its route`() async throws {
        let server = try await BacklotServer(story: Self.pets, transport: .inProcess)
        let error = #expect(throws: StoryProblem.self) { try server.arm(.reset, on: "GET /pet") }
        #expect(error?.description.contains(#"did you mean "GET /pets"?"#) == true, "\(String(describing: error))")
    }

    @Test func `a server that has stopped takes no requests and remembers those before`() async throws {
        let server = try await BacklotServer(story: Self.pets)
        let port = try #require(server.url.port.flatMap { UInt16($0) })
        let connection = try HTTPClient(host: "127.0.0.1", port: port)
        _ = try connection.exchange(HTTPRequest(target: "/pets"))
        await server.stop()
        await server.stop()
        // Another connection may reach another test's server by now.
        let failure = #expect(throws: HTTPClientFailure.self) {
            try connection.exchange(HTTPRequest(target: "/pets"))
        }
        #expect(failure != .timedOut)
        #expect(server.journal.count == 1)
    }

    @Test func `a server that nothing refers to stops by itself`() async throws {
        var server: BacklotServer? = try await BacklotServer(story: Self.pets, transport: .inProcess)
        let url = try #require(server?.url)
        let session = try #require(server.map { Way.inProcess.session(to: $0) })
        server = nil
        await #expect(throws: URLError.self) { try await session.data(from: url) }
    }

    @Test func `a port that is taken is said in a sentence`() async throws {
        let first = try await BacklotServer(story: Self.pets)
        let port = UInt16(try #require(first.url.port))
        let error = await #expect(throws: ServerProblem.self) {
            try await BacklotServer(story: Self.pets, transport: .port(port))
        }
        #expect(
            error?.description
                == "port \(port) is in use, perhaps by another test; remove the port to use a free port"
        )
    }

    @Test func `the environment tells an app where the server is and what it has stored`() async throws {
        let server = try await BacklotServer(
            story: .scenario(
                "Shop",
                [
                    .token("access", lifetime: .hours(1)),
                    .route("GET /cart", requires: "access", .json([])),
                    .signedIn("phone", ago: .minutes(1)),
                    .json(["origins": ["images": ["routes": ["GET /a": ["text": "a picture"]]]]]),
                ]
            )
        )
        let environment = server.environment
        #expect(environment["BACKLOT_URL"] == server.url.absoluteString)
        #expect(environment["BACKLOT_ORIGIN_IMAGES"] == server.origins["images"]?.absoluteString)
        let token = try #require(server.token("access"))
        #expect(environment["BACKLOT_TOKENS"]?.contains(token) == true)
        #expect(environment["BACKLOT_DEVICES"]?.contains("phone") == true)
        #expect(environment["BACKLOT_NOW"] != nil)
    }

    @Test(arguments: Way.allCases) func `another server of the story is reached on both ways`(way: Way) async throws {
        let server = try await BacklotServer(
            story: .text(
                """
                backend: Shop
                routes: { GET /cart: { json: [] } }
                origins: { images: { routes: { GET /a: { text: a picture } } } }
                """
            ),
            transport: way.transport
        )
        let images = try #require(server.origins["images"])
        let (data, _) = try await way.session(to: server).data(from: images.appendingPathComponent("a"))
        #expect(String(decoding: data, as: UTF8.self) == "a picture")
    }
}

/// The clock that is handed to clients.
@Suite struct ServerClockTests {
    private let story = BacklotServer.Story.scenario("Clock", [.clock(.frozen), .route("GET /", .empty())])

    @Test func `a sleep ends when the clock gets there and not before`() async throws {
        let server = try await BacklotServer(story: story, transport: .inProcess)
        let deadline = server.clock.now.advanced(by: .hours(2))
        let sleeper = Task { try await server.clock.sleep(until: deadline) }
        server.advance(by: .hours(1))
        #expect(server.clock.now < deadline)
        server.advance(by: .hours(1))
        try await sleeper.value
        #expect(server.clock.now == deadline)
    }

    @Test func `a sleep that is cancelled ends`() async throws {
        let server = try await BacklotServer(story: story, transport: .inProcess)
        let sleeper = Task { try await server.clock.sleep(for: .hours(1)) }
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `a sleep ends when the server stops`() async throws {
        let server = try await BacklotServer(story: story, transport: .inProcess)
        let sleeper = Task { try await server.clock.sleep(for: .hours(1)) }
        await server.stop()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
    }

    @Test func `a client that sleeps moves an automatic clock`() async throws {
        let server = try await BacklotServer(
            story: .scenario("Clock", [.clock(.automatic), .route("GET /", .empty())]),
            transport: .inProcess
        )
        let start = server.clock.now
        try await server.clock.sleep(for: .days(30))
        #expect(start.duration(to: server.clock.now) == .days(30))
    }

    @Test(arguments: Way.allCases)
    func `a client that pauses between requests moves an automatic clock by its pauses`(way: Way) async throws {
        let server = try await BacklotServer(
            story: .scenario(
                "Clock",
                [.clock(.automatic), .route("GET /a", .text("b").after(.seconds(7), on: .virtual))]
            ),
            transport: way.transport
        )
        let session = way.session(to: server)
        let start = server.clock.now
        for _ in 1...3 {
            #expect(try await session.get("a", of: server).text == "b")
            try await server.clock.sleep(for: .seconds(100))
        }
        #expect(start.duration(to: server.clock.now) == .seconds(321))
    }

    @Test func `thirty days of a client use hundreds of access tokens`() async throws {
        let server = try await BacklotServer(story: ServerTests.pets, transport: .inProcess, refusalHold: .zero)
        let client = try PetsClient(of: server, session: Way.inProcess.session(to: server))
        for _ in 1...360 {
            server.advance(by: .hours(2))
            #expect(try await client.pets().count == 2)
        }
        #expect(server.tokens.filter { $0.kind == "access" }.count == 361)
        let verdict = await server.verdict()
        #expect(verdict.failures == [])
    }
}
