import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// A session as it is at a moment, for those that follow what changes in it.
struct SessionView: Sendable {
    /// The number of exchanges that one document lists; a client that has fewer than there are asks again.
    static let pageLength = 500
    /// The number of listed devices, and of the newest tokens of each.
    private static let (devicesShown, tokensShown) = (100, 60)
    /// The number of states that are listed.
    private static let statesShown = 200
    /// The number of listed failed handshakes, the last ones.
    private static let handshakesShown = 20
    /// The number of listed due events, the next ones.
    private static let agendaShown = 20

    let session: Session
    let loaded: LoadedScenario
    let now: MonotonicTime

    init(_ session: LiveSession, at now: MonotonicTime) {
        (self.session, loaded, self.now) = session.copy(at: now)
    }

    /// The identifier of this start of the session.
    var life: String { session.firstArrival.map { String($0.nanoseconds) } ?? "new" }

    /// The document of `GET /__backlot/changes`.
    func changes(since number: UInt64, life: String?, again: [UInt64]) -> JSONObject {
        let goesOn = self.life == life
        let first = goesOn ? number : 0
        let listed = session.journal.exchanges(after: first, atMost: Self.pageLength + 1)
        let again = goesOn ? again.compactMap { session.journal.exchange($0) } : []
        var clock = session.clockJSON(at: now).object ?? [:]
        if let due = session.nextDue { clock["due"] = .string(due.description) }
        let states = session.statesJSON
        let stateMembers = states["states"]?.object?.members ?? []
        return [
            "session": .string(session.name),
            "life": .string(self.life),
            "backend": .string(loaded.scenario.backend),
            "story": loaded.scenario.story.map { .string($0.id) } ?? .null,
            "file": .string(loaded.path),
            "clock": .object(clock),
            "agenda": .array(session.upcoming(atMost: Self.agendaShown).map(agendaEntry)),
            "devices": session.tokensJSON(at: now, devices: Self.devicesShown, tokens: Self.tokensShown)["devices"]
                ?? [],
            "devicesOmitted": .number(JSONNumber(max(0, session.ledger.devices.count - Self.devicesShown))),
            "states": .object(JSONObject(stateMembers.prefix(Self.statesShown))),
            "statesOmitted": .number(JSONNumber(max(0, stateMembers.count - Self.statesShown))),
            "counters": states["counters"] ?? [:],
            "armed": session.faultsJSON["armed"] ?? [],
            "failedHandshakes": .array(
                session.failedHandshakes.suffix(Self.handshakesShown).reversed().map { failed in
                    ["time": .string(failed.time.description), "what": .string(failed.words)]
                }
            ),
            "gates": session.gatesJSON(at: now)["gates"] ?? [],
            "count": .number(JSONNumber(session.journal.count)),
            "dropped": .number(JSONNumber(session.journal.dropped)),
            "more": .bool(listed.count > Self.pageLength),
            "exchanges": .array((again + listed.prefix(Self.pageLength)).map(outline(of:))),
        ]
    }

    private func outline(of exchange: Exchange) -> JSONValue {
        exchange.outline(target: session.shown(target: exchange.request.target))
    }

    private func agendaEntry(_ entry: (due: VirtualTime, what: String, position: JSONPosition?)) -> JSONValue {
        var object: JSONObject = ["due": .string(entry.due.description), "what": .string(entry.what)]
        if let position = entry.position { object["place"] = .string(loaded.sources.place(of: position).description) }
        return .object(object)
    }
}

extension Journal {
    /// The oldest exchanges with a higher number, which rise by one as long as nothing is deleted.
    func exchanges(after number: UInt64, atMost limit: Int) -> [Exchange] {
        guard let oldest, number < UInt64.max - UInt64(limit) else { return [] }
        var found: [Exchange] = []
        var next = max(number + 1, oldest)
        while found.count < limit, let exchange = exchange(next) {
            found.append(exchange)
            next += 1
        }
        return found
    }

    /// The number of the oldest exchange that is kept.
    var oldest: UInt64? { last.map { $0.number - UInt64(count - 1) } }
}

extension Exchange {
    /// The data for a list: neither fields nor bodies, so that the response need not be rendered.
    fileprivate func outline(target: String) -> JSONValue {
        let details = details?.content
        var object: JSONObject = [
            "number": .number(JSONNumber(Int(clamping: number))),
            "time": .string(time.description),
            "method": .string(request.method.rawValue),
            "target": .string(String(target.prefix(1_000))),
            "route": route.map(JSONValue.string) ?? .null,
            "status": .number(JSONNumber(message.status.code)),
            "outcome": .string(outcome.rawValue),
            "tokens": .array(
                (details?.offered ?? []).map {
                    ["id": .string($0.id ?? $0.kind ?? $0.wanted), "state": .string($0.standing.rawValue)]
                }
            ),
        ]
        if let end { object["milliseconds"] = .number(.milliseconds(end.since(arrival))) }
        if launch != 1 { object["launch"] = .number(JSONNumber(launch)) }
        guard let details else { return .object(object) }
        if let origin = details.origin { object["origin"] = .string(origin) }
        if let device = details.device { object["device"] = .string(device) }
        if let answeredBy = details.answeredBy { object["answeredBy"] = .string(answeredBy) }
        if let fault = details.fault { object["fault"] = .string(fault.rawValue) }
        if let number = details.armedFault { object["armedFault"] = .number(JSONNumber(number)) }
        let granted = details.granted.compactMap(\.id)
        if !granted.isEmpty { object["granted"] = .array(granted.map(JSONValue.string)) }
        let findings = details.violations.count + details.findings.count
        if findings > 0 { object["findings"] = .number(JSONNumber(findings)) }
        return .object(object)
    }
}
