import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Plays one block of a script in a session of its own.
struct ScriptPlayer {
    /// How long a client takes from one line to the next.
    private static let pause = Duration.milliseconds(5)
    /// More events than this mean that a line never comes to an end.
    private static let mostEvents = 10_000

    let script: Script
    private(set) var wire: Wire
    /// What was not as the script says; nothing is played after the line with the first of these.
    private(set) var complaints: [ScriptError] = []
    /// The line of each exchange, by its number.
    private(set) var asked: [UInt64: ScriptedRequest] = [:]
    private var store: ClientStore
    private var taken: [String: JSONValue] = [:]
    private var exits: [Int: Int] = [:]
    private let servers: [String: String]

    init(_ script: Script, on run: StoryRun) {
        self.script = script
        let began = MonotonicTime(nanoseconds: 1_000_000_000)
        let start = run.loaded.scenario.clock.start ?? VirtualTime(seconds: 1_772_355_600)
        // As much as a run keeps: some stories send megabytes.
        let journal = Journal.Capacity(bytes: 256 * 1024 * 1024)
        var session = Session(run.compiled, start: start, at: began, journal: journal)
        var servers = ["": "http://backlot.test"]
        for origin in run.loaded.scenario.origins { servers[origin.name] = "http://\(origin.name).test" }
        self.servers = servers
        session.backend.originURLs = servers.filter { !$0.key.isEmpty }
        session.begin(launch: 1, at: began)
        store = ClientStore(session.ledger)
        wire = Wire(session, at: began)
    }

    var session: Session { wire.session }

    /// How the launches have ended; nothing where the script does not say it of any.
    var exitCodes: [Int] {
        exits.isEmpty ? [] : session.played.scenario.launches.map { exits[$0] ?? 0 }
    }

    mutating func play(_ block: ScriptBlock) {
        for step in block.steps where complaints.isEmpty {
            wire.pass(Self.pause)
            perform(step)
        }
    }

    private mutating func complain(_ line: Int, _ sentence: String) {
        complaints.append(ScriptError(file: script.file, line: line, sentence: sentence))
    }

    // MARK: Steps

    private mutating func perform(_ step: ScriptStep) {
        switch step.content {
        case .requests(let rows): send(rows)
        case .advance(let duration): wire.access { $0.advance(by: duration, at: $1) }
        case .wait(let duration): wire.pass(duration)
        case .launch(let number): launch(number, step.line)
        case .report(let facts): wire.access { $0.note(clientFacts: facts, at: $1) }
        case .exit(let code): exits[session.client.launch] = code
        case .device(let name): store.change(to: name, session.ledger)
        case .remember(let name, let kind):
            guard let token = store[kind] else {
                return complain(step.line, "\(store.device) has no \(kind) token stored that could be remembered")
            }
            taken[name] = .string(token)
        }
    }

    private mutating func launch(_ number: Int, _ line: Int) {
        guard session.played.scenario.launches.contains(number) else {
            let known = session.played.scenario.launches.map(String.init).joined(separator: ", ")
            return complain(line, "the story has no launch \(number); its timeline knows \(known)")
        }
        guard session.client.launch != number else { return }
        wire.access { $0.begin(launch: number, at: $1) }
    }

    // MARK: Requests

    /// Sends the first of each row at this moment, and every other one when the response before it has come.
    private mutating func send(_ rows: [[ScriptedRequest]]) {
        let requests = rows.flatMap { $0 }
        var followers: [Int: Int] = [:]
        var number = 0
        for row in rows {
            wire.plan(number, after: row[0].delay)
            for offset in row.indices.dropLast() { followers[number + offset] = number + offset + 1 }
            number += row.count
        }
        var left = requests.count
        var events = 0
        while left > 0, let event = wire.step() {
            events += 1
            guard events < Self.mostEvents else { break }
            switch event {
            case .other: break
            case .due(let number):
                if !send(requests[number], as: number) { left -= 1 + followersLeft(after: number, followers) }
            case .came(let number, let response):
                left -= 1
                take(response, for: requests[number])
                if let next = followers[number] { wire.plan(next, after: Self.pause + requests[next].delay) }
            }
        }
        if left > 0 { complain(requests[0].line, "\(left) of \(requests.count) requests never got an answer") }
    }

    private func followersLeft(after number: Int, _ followers: [Int: Int]) -> Int {
        var count = 0
        var next = followers[number]
        while let follower = next {
            count += 1
            next = followers[follower]
        }
        return count
    }

    /// Sends one; false where it cannot be made.
    private mutating func send(_ scripted: ScriptedRequest, as number: Int) -> Bool {
        let maker = RequestMaker(
            scenario: session.played.scenario,
            always: script.always,
            store: store,
            substitution: Substitution(values: taken),
            servers: servers
        )
        do {
            let (request, origin) = try maker.make(scripted)
            wire.send(request, to: origin, as: number, timeout: scripted.timeout)
            return true
        } catch {
            complain(scripted.line, "\(scripted.words): \(error.sentence)")
            return false
        }
    }

    // MARK: Responses

    private mutating func take(_ response: ReceivedResponse, for scripted: ScriptedRequest) {
        if let exchange = response.exchange { asked[exchange] = scripted }
        guard scripted.expected.fits(response) else {
            return complain(
                scripted.line,
                "\(scripted.words): wanted \(scripted.expected.words), but \(response.words)"
            )
        }
        guard let message = response.response else { return }
        for (name, source) in scripted.takes {
            guard let value = source.value(in: message) else {
                complain(scripted.line, "\(scripted.words): there is nothing to take as \(name); \(response.words)")
                continue
            }
            taken[name] = value
        }
        for check in scripted.checks {
            guard let wrong = check.complaint(about: message, Substitution(values: taken)) else { continue }
            complain(check.line, "\(scripted.words): \(wrong); \(response.words)")
        }
        keep(scripted, of: response)
    }

    private mutating func keep(_ scripted: ScriptedRequest, of response: ReceivedResponse) {
        let granted = response.exchange.flatMap { session.journal.exchange($0) }?.granted ?? []
        for keeping in scripted.kept {
            guard let grant = granted.last(where: { $0.kind == keeping.granted }) else {
                let kinds = granted.map(\.kind).joined(separator: " and ")
                complain(
                    scripted.line,
                    "\(scripted.words): no \(keeping.granted) token was granted, but \(kinds.isEmpty ? "none at all" : kinds)"
                )
                continue
            }
            // Where null was handed out the client has none any more.
            store[keeping.place] = grant.id.flatMap { session.ledger.token(id: $0) }?.value
        }
    }
}

extension TakenSource {
    fileprivate func value(in response: HTTPResponse) -> JSONValue? {
        switch self {
        case .header(let name): response.fields[name].map { .string($0) }
        case .body(let pointer): (try? JSONParser().parse(response.body).root).flatMap { pointer.value(in: $0) }
        }
    }
}
