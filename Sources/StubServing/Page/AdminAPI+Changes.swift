import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// What a page that is open asks for again and again.
extension AdminAPI {
    /// How many exchanges one response lists; a client that has fewer than there are asks again.
    private static let pageLength = 500
    /// How many tokens of a device are listed, the newest.
    private static let tokensShown = 60

    /// The clock, the tokens, and an outline of each exchange that has come since the number that the query says.
    ///
    /// `?since=N&life=L&again=3,7`: `life` is what the last response said. Where it is another one by now, the session
    /// has begun again and its exchanges are counted from one, so all are listed. `again` names exchanges that had not
    /// ended, which are listed once more.
    func changes(_ call: Call) throws(AdminError) -> JSONValue {
        let query = try ChangesQuery(call.query)
        let (session, loaded, now) = call.session.copy(at: call.now)
        let life = session.firstArrival.map { String($0.nanoseconds) } ?? "new"
        let listed = session.journal.exchanges(after: life == query.life ? query.since : 0, atMost: Self.pageLength + 1)
        let again = life == query.life ? query.again.compactMap { session.journal.exchange($0) } : []
        var clock = session.clockJSON(at: now).object ?? [:]
        if let due = session.nextDue { clock["due"] = .string(due.description) }
        return [
            "session": .string(session.name),
            "life": .string(life),
            "backend": .string(loaded.scenario.backend),
            "story": loaded.scenario.story.map { .string($0.id) } ?? .null,
            "file": .string(loaded.path),
            "clock": .object(clock),
            "devices": .array((session.tokensJSON(at: now)["devices"]?.array ?? []).map(Self.newestTokens)),
            "states": session.statesJSON["states"] ?? [:],
            "counters": session.statesJSON["counters"] ?? [:],
            "armed": session.faultsJSON["armed"] ?? [],
            "count": .number(JSONNumber(session.journal.count)),
            "dropped": .number(JSONNumber(session.journal.dropped)),
            "more": .bool(listed.count > Self.pageLength),
            "exchanges": .array((again + listed.prefix(Self.pageLength)).map(\.outline)),
        ]
    }

    private static func newestTokens(of device: JSONValue) -> JSONValue {
        guard var object = device.object, let tokens = object["tokens"]?.array, tokens.count > tokensShown else {
            return device
        }
        object["tokens"] = .array(Array(tokens.suffix(tokensShown)))
        object["omitted"] = .number(JSONNumber(tokens.count - tokensShown))
        return .object(object)
    }

    /// One exchange, with its bodies as they were sent.
    func exchange(_ call: Call) throws(AdminError) -> JSONValue {
        guard let number = call.name.flatMap({ UInt64($0) }) else {
            throw AdminError("bad-exchange", "Say the number of an exchange: GET /__backlot/exchanges/NUMBER.")
        }
        let (session, _, _) = call.session.copy(at: call.now)
        guard let exchange = session.journal.exchange(number) else {
            throw .notFound("The journal of \(session.name) keeps no exchange \(number).")
        }
        return exchange.whole(since: session.firstArrival)
    }
}

/// The query of ``AdminAPI/changes(_:)``.
private struct ChangesQuery {
    var life: String?
    var since: UInt64 = 0
    var again: [UInt64] = []

    /// - Throws: ``AdminError`` for a name that is not known, and for what is not a number.
    init(_ query: QueryItems) throws(AdminError) {
        for item in query.items where !["life", "since", "again", "session"].contains(item.name) {
            throw AdminError("bad-query", "There is no \"\(item.name)\" here. There are since, life, again, session.")
        }
        life = query.first(named: "life")
        since = try Self.number(query.first(named: "since") ?? "0")
        for text in (query.first(named: "again") ?? "").split(separator: ",").prefix(100) {
            again.append(try Self.number(String(text)))
        }
    }

    private static func number(_ text: String) throws(AdminError) -> UInt64 {
        guard let number = UInt64(text) else {
            throw AdminError("bad-query", "An exchange has a whole number, not \"\(text.printable.shortened)\".")
        }
        return number
    }
}

extension Journal {
    /// The oldest exchanges with a higher number, which rise by one as long as nothing is deleted.
    fileprivate func exchanges(after number: UInt64, atMost limit: Int) -> [Exchange] {
        guard number > 0, number < UInt64.max - UInt64(limit), exchange(number) != nil else {
            return Array(exchanges.lazy.filter { $0.number > number }.prefix(limit))
        }
        var found: [Exchange] = []
        while found.count < limit, let next = exchange(number + UInt64(found.count) + 1) { found.append(next) }
        return found
    }
}

extension Exchange {
    /// What a list shows: neither fields nor bodies.
    fileprivate var outline: JSONValue {
        var object: JSONObject = [
            "number": .number(JSONNumber(Int(clamping: number))),
            "time": .string(time.description),
            "method": .string(request.method.rawValue),
            "target": .string(String(request.target.prefix(1_000))),
            "route": route.map(JSONValue.string) ?? .null,
            "status": .number(JSONNumber(response.status.code)),
            "outcome": .string(outcome.rawValue),
            "tokens": .array(
                offered.map {
                    ["id": .string($0.id ?? $0.kind ?? $0.wanted), "state": .string($0.standing.rawValue)]
                }
            ),
        ]
        if let end { object["milliseconds"] = .number(.milliseconds(end.since(arrival))) }
        if launch != 1 { object["launch"] = .number(JSONNumber(launch)) }
        if let origin { object["origin"] = .string(origin) }
        if let device { object["device"] = .string(device) }
        if let answeredBy { object["answeredBy"] = .string(answeredBy) }
        if let fault { object["fault"] = .string(fault.rawValue) }
        let granted = granted.compactMap(\.id)
        if !granted.isEmpty { object["granted"] = .array(granted.map(JSONValue.string)) }
        let findings = violations.count + findings.count
        if findings > 0 { object["findings"] = .number(JSONNumber(findings)) }
        return .object(object)
    }

    /// As in the journal, but with bodies byte for byte: what is read as JSON loses spaces and digits.
    fileprivate func whole(since epoch: RealTime?) -> JSONValue {
        var bare = self
        (bare.request.body, bare.response.body) = ([], [])
        var object = bare.json(since: epoch).object ?? [:]
        object["request"] = Self.message(object["request"], request.body)
        object["response"] = Self.message(object["response"], response.body)
        return .object(object)
    }

    private static func message(_ message: JSONValue?, _ body: [UInt8]) -> JSONValue {
        var object = message?.object ?? [:]
        object["size"] = .number(JSONNumber(body.count))
        if let text = String(validUTF8: body) {
            object["text"] = .string(text)
        } else {
            object["base64"] = .string(Base64.encode(body))
        }
        return .object(object)
    }
}
