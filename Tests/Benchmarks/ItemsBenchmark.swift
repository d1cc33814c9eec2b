import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import ScenarioFormat
import Simulation
import StubServing

/// What it costs to find, to show and to change stored items, in process and over HTTP.
struct ItemsBenchmark {
    private static let batches = 9
    /// More than so many microseconds for any of them would mean that all items are looked at one by one.
    private static let permittedMicroseconds = 20_000.0

    private let settings: Settings

    init(_ settings: Settings) {
        self.settings = settings
    }

    func run() throws -> Bool {
        let size = Double(StoredScenario.count).text()
        say("items: \(size) notes, posts and comments each, one thread, medians of \(Self.batches) batches")
        let scenario = try StoredScenario()
        let start = SystemTime().now()
        let loaded = try ScenarioLibrary(scenario.path, root: scenario.folder.path).load()
        let loading = start.milliseconds(to: SystemTime().now())
        var stored = StoredSession(CompiledScenario(loaded.scenario))
        let filling = start.milliseconds(to: SystemTime().now()) - loading
        say("  loaded in \(loading.text(1)) ms, stored in \(filling.text(1)) ms")
        var table = Table("request", "µs", "min", "max", "first µs")
        var slowest = 0.0
        for (name, target, batch) in [
            ("one by its id", StoredScenario.oneTarget, 2_000),
            ("first page of 20 by time", StoredScenario.pageTarget, 20),
            ("page of 20 from the middle", StoredScenario.innerPageTarget, 20),
            ("page with author and comments", StoredScenario.feedTarget, 20),
        ] {
            let first = try stored.microseconds(1) { try $0.send(.get, target, .ok) }
            let figures = Figures(
                try (0..<Self.batches).map { _ in
                    try stored.microseconds(batch) { try $0.send(.get, target, .ok) }
                }
            )
            add(name, figures, first: first, to: &table)
            slowest = max(slowest, figures.median)
        }
        let first = try stored.microseconds(1) { try $0.createAndDelete() }
        let changes = Figures(
            try (0..<Self.batches).map { _ in try stored.microseconds(200) { try $0.createAndDelete() } }
        )
        add("create and delete", changes, first: first, to: &table)
        table.print()
        let isFast = max(slowest, changes.median) < Self.permittedMicroseconds
        return try serveFeed() && isFast
    }

    private func add(_ name: String, _ figures: Figures, first: Double, to table: inout Table) {
        table.add(name, figures.median.text(1), figures.minimum.text(1), figures.maximum.text(1), first.text(1))
    }

    /// The feed of an app as it is: five posts, with their authors and comments, behind a token.
    private func serveFeed() throws -> Bool {
        let generator = LoadGenerator(settings)
        say("WhipIt's feed over HTTP: \(generator.description), \(settings.rounds) rounds, medians")
        var race = Race(settings, generator)
        let servers = try ["1", "2"].map { loops in
            (loops, try BacklotServer(ScenarioFolder.project + "/whipit/backend.json", ["--loops", loops, "--quiet"]))
        }
        defer { for (_, server) in servers { server.stop() } }
        for (loops, server) in servers {
            var contestant = Race.Contestant(
                name: "backlot --loops \(loops) --quiet",
                port: server.port,
                process: server.process
            )
            contestant.fields = try fields(for: server)
            race.contestants.append(contestant)
        }
        return try race.run("GET /post, five posts", "/post?product_id=whipit_style").allSatisfy { $0.failures == 0 }
    }

    /// Signs in, and lets the token live as long as the measurement.
    private func fields(for server: BacklotServer) throws -> HTTPFields {
        var fields: HTTPFields = ["SesacKey": "whipit-key", "Content-Type": "application/json"]
        let client = try HTTPClient(host: "127.0.0.1", port: server.port)
        let freeze = HTTPRequest(
            method: .post,
            target: "/__backlot/clock",
            fields: fields,
            body: Array(#"{"freeze": true}"#.utf8)
        )
        _ = try client.exchange(freeze)
        let body = Array(#"{"email": "mina@example.com", "password": "whip1234"}"#.utf8)
        let response = try client.exchange(HTTPRequest(method: .post, target: "/login", fields: fields, body: body))
            .response
        guard let token = try JSONParser().parse(response.body).root["token"]?.string else {
            throw Obstacle("WhipIt's backend answered a login with \(response.status.code)")
        }
        fields.append("Authorization", token)
        return fields
    }
}

/// A session that stores items, and the time that passes in it.
private struct StoredSession {
    private var session: Session
    private var now = MonotonicTime(nanoseconds: 0)
    private var created = 0

    init(_ scenario: CompiledScenario) {
        session = Session(scenario, start: VirtualTime(seconds: 1_772_355_600), at: now)
    }

    mutating func send(_ method: HTTPMethod, _ target: String, _ status: HTTPStatus) throws {
        now.nanoseconds += 10_000
        let request = HTTPRequest(method: method, target: target, fields: ["Host": "127.0.0.1:9847"])
        let decision = session.decide(IncomingRequest(request), at: now)
        session.end(decision.exchange, .sent, at: now)
        guard decision.response.status == status else {
            throw Obstacle("\(method.rawValue) \(target) is answered with \(decision.response.status.code)")
        }
    }

    mutating func createAndDelete() throws {
        created += 1
        try send(.post, "/notes", .ok)
        try send(.delete, "/notes/new-\(created)", .noContent)
    }

    /// Microseconds for each of so many times.
    mutating func microseconds(_ count: Int, _ work: (inout StoredSession) throws -> Void) rethrows -> Double {
        let start = SystemTime().now()
        for _ in 0..<count { try work(&self) }
        return Double(start.nanoseconds(until: SystemTime().now())) / 1_000 / Double(count)
    }
}
