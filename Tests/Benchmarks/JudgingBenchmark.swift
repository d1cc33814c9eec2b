import Basics
import HTTPCodec
import Rules
import ScenarioFormat
import Simulation
import StubServing

/// What it costs to pass all rules on long journals, and that it does not grow faster than they do.
struct JudgingBenchmark {
    private static let lengths = [12_500, 50_000]
    private static let rounds = 3
    /// What judging the longer journals may take, and how much more than the shorter ones.
    private static let milliseconds = 1_000.0
    private static let permittedGrowth = 8.0

    func run() throws -> Bool {
        say("judging: all \(AllRules.list.count) rules on a journal, one thread, ms")
        var isGood = true
        var table = Table("client", "devices", "12,500 exchanges", "50,000 exchanges", "violations", "slowest")
        for client in Client.allCases {
            for devices in [1, 1_000] {
                var times: [Double] = []
                var violations = 0
                var slowest = ""
                for length in Self.lengths {
                    let evidence = try client.play(length, devices)
                    var laps: [Double] = []
                    for _ in 0..<Self.rounds {
                        var watch = Stopwatch()
                        let history = TokenHistory(evidence)
                        var total = watch.lap()
                        var worst = ("making the history", total)
                        violations = 0
                        for rule in AllRules.list {
                            violations += rule.violations(in: history).count
                            let time = watch.lap()
                            if time > worst.1 { worst = (rule.profile.id, time) }
                            total += time
                        }
                        laps.append(total)
                        slowest = "\(worst.0) \(worst.1.text(1))"
                    }
                    times.append(Figures(laps).median)
                }
                isGood = isGood && times[1] < Self.milliseconds && times[1] < times[0] * Self.permittedGrowth + 50
                table.add(
                    client.rawValue,
                    Double(devices).text(),
                    times[0].text(1),
                    times[1].text(1),
                    Double(violations).text(),
                    slowest
                )
            }
        }
        table.print()
        return isGood
    }
}

/// How a client behaves that keeps a server busy.
private enum Client: String, CaseIterable {
    /// Refreshes when it is refused, and sends the request again.
    case good
    /// Refreshes once for each of three requests that are refused.
    case storms
    /// Sends one request with a dead token for ever.
    case hammers
    /// Refreshes and tries again for ever.
    case loops
    /// Signs in again instead of refreshing.
    case signsIn = "signs in"
    /// Goes on with refreshes that are refused.
    case offersDead = "offers dead tokens"

    private static let scenario = """
        {"backend": "Judged", "clock": {"frozen": true}, "devices": {"header": "X-Device"},
        "tokens": {"kinds": {
          "access": {"lifetime": "1h", "format": "opaque"},
          "refresh": {"lifetime": "30d", "format": "opaque", "rotate": {"grace": "0s"}, "terminal": [401]}}},
        "routes": {
          "POST /login": {"grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "GET /always": {"requires": "access", "status": 401, "json": {}},
          "GET /notes/{id}": {"requires": "access", "json": []},
          "POST /notes/{id}": {"requires": "access", "json": []}}}
        """

    /// Plays about so many exchanges by so many devices, in turn.
    func play(_ exchanges: Int, _ devices: Int) throws -> Evidence {
        let folder = try ScratchFolder()
        let path = try folder.write("backend.json", Self.scenario)
        let loaded = try ScenarioLibrary(path, root: folder.path).load()
        var client = RecordedTraffic(CompiledScenario(loaded.scenario), devices)
        for device in 0..<devices { client.send("POST /login", nil, device) }
        var round = 0
        while client.count < exchanges {
            if round % (20 * devices) == 0 { client.age() }
            perform(round, on: round % devices, &client)
            round += 1
        }
        return client.evidence
    }

    private func perform(_ round: Int, on device: Int, _ client: inout RecordedTraffic) {
        let request = "\(round % 3 == 0 ? "POST" : "GET") /notes/\(round % 50)"
        let access = client.access[device]
        switch self {
        case .good:
            guard !client.send(request, access, device) else { return }
            client.send("POST /refresh", client.refresh[device], device)
            client.send(request, client.access[device], device)
        case .storms:
            guard !client.send(request, access, device) else { return }
            for other in 1...2 { client.send("GET /notes/\(100 + other)", access, device) }
            for _ in 1...3 { client.send("POST /refresh", client.refresh[device], device) }
            client.send(request, client.access[device], device)
        case .hammers: client.send("GET /notes/1", client.first[device], device)
        case .loops:
            client.send("GET /always", access, device)
            client.send("POST /refresh", client.refresh[device], device)
        case .signsIn: if !client.send(request, access, device) { client.send("POST /login", nil, device) }
        case .offersDead:
            client.send(request, client.first[device], device)
            client.send("POST /refresh", "refresh-1", device)
        }
    }
}

/// A session with what its clients have stored.
private struct RecordedTraffic {
    private var session: Session
    private var now = MonotonicTime(nanoseconds: 1_000_000_000)
    private(set) var count = 0
    /// The first access token of each device, its newest one, and its refresh token.
    private(set) var first: [String]
    private(set) var access: [String]
    private(set) var refresh: [String]

    init(_ scenario: CompiledScenario, _ devices: Int) {
        session = Session(scenario, start: VirtualTime(seconds: 1_700_000_000), at: now, journal: .unlimited)
        first = Array(repeating: "", count: devices)
        (access, refresh) = (first, first)
    }

    /// Lets access tokens expire.
    mutating func age() { session.advance(by: .seconds(3_601), at: now) }

    /// Sends a request, and says whether it was let in.
    @discardableResult
    mutating func send(_ line: String, _ token: String?, _ device: Int) -> Bool {
        let words = line.split(separator: " ")
        var fields: HTTPFields = ["X-Device": "phone-\(device)"]
        if let value = token.flatMap({ session.ledger.token(id: $0)?.value }) {
            fields.append("Authorization", "Bearer \(value)")
        }
        let request = HTTPRequest(
            method: HTTPMethod(rawValue: String(words[0])),
            target: String(words[1]),
            fields: fields,
            body: words[0] == "POST" ? Array("{\"text\": \"\(line)\"}".utf8) : []
        )
        let decision = session.decide(IncomingRequest(request, connection: UInt64(device + 1)), at: now)
        now.nanoseconds += 3_000_000
        session.end(decision.exchange, .sent, at: now)
        now.nanoseconds += 1_000_000
        count += 1
        for granted in session.journal.exchange(decision.exchange)?.granted ?? [] {
            guard let id = granted.id else { continue }
            if granted.kind == "refresh" { refresh[device] = id } else { access[device] = id }
            if granted.kind == "access", first[device].isEmpty { first[device] = id }
        }
        return decision.response.status.code < 400
    }

    var evidence: Evidence { Evidence(session, at: now) }
}
