import JSON
import Rules
import ScenarioFormat
import Simulation

extension AdminAPI {
    // MARK: Clock

    func clock(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.clockJSON(at: now) }
    }

    /// Steers the clock: `advance`, `set`, `freeze`, `rate`, `automatic` or `skew`.
    func steerClock(_ call: Call) throws(AdminError) -> JSONValue {
        let words = ["advance", "set", "freeze", "rate", "automatic", "skew"]
        let event = try event(in: call, allowing: words)
        return try access(call) { session, now in
            session.enact(event, at: now)
            return session.clockJSON(at: now)
        }
    }

    // MARK: Tokens

    func tokens(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.tokensJSON(at: now) }
    }

    func changeTokens(_ call: Call) throws(AdminError) -> JSONValue {
        let event = try event(in: call, allowing: ["issue", "expire", "revoke", "forget", "signIn", "signOut"])
        if let device = event.namedDevice {
            let isKnown = try access(call) { session, _ in session.ledger.device(named: device) != nil }
            guard isKnown else {
                throw .notFound("No device \"\(device)\" has signed in. GET /__backlot/tokens lists them.")
            }
        }
        return try access(call) { session, now in
            session.enact(event, at: now)
            return session.tokensJSON(at: now)
        }
    }

    // MARK: States and faults

    func states(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.statesJSON }
    }

    func changeStates(_ call: Call) throws(AdminError) -> JSONValue {
        let event = try event(in: call, allowing: ["state", "counter"])
        return try access(call) { session, now in
            session.enact(event, at: now)
            return session.statesJSON
        }
    }

    func faults(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.faultsJSON }
    }

    func armFault(_ call: Call) throws(AdminError) -> JSONValue {
        let event = try event(in: call, allowing: ["fault"])
        return try access(call) { session, now in
            session.enact(event, at: now)
            return session.faultsJSON
        }
    }

    /// Lets any event of the format happen, or a list of them in their order.
    func enactEvents(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.body()
        var events: [Event] = []
        for tree in body.array ?? [body] { events.append(try event(from: tree, in: call)) }
        return try access(call) { [events] session, now in
            for event in events { session.enact(event, at: now) }
            return session.clockJSON(at: now)
        }
    }

    private func event(in call: Call, allowing verbs: [String]) throws(AdminError) -> Event {
        let body = try call.body()
        let list = verbs.map { "\"\($0)\"" }.joined(separator: ", ")
        guard let object = body.object, object.names.contains(where: verbs.contains) else {
            throw AdminError("bad-event", "Send an object with one of \(list).")
        }
        return try event(from: body, in: call)
    }

    private func event(from tree: JSONValue, in call: Call) throws(AdminError) -> Event {
        do throws(ScenarioError) {
            return try call.session.origin.loaded.event(from: tree)
        } catch {
            throw AdminError(findings: error.findings)
        }
    }

    // MARK: Journal

    func journal(_ call: Call) throws(AdminError) -> JSONValue {
        let filter = try JournalFilter(call.query)
        let (session, loaded, now) = call.session.copy(at: call.now)
        guard filter.isCanonical else {
            let recording = Recording(session, file: loaded.path, in: loaded.sources, isProvisional: true, at: now)
            return recording.json(of: filter.select(recording.evidence.exchanges))
        }
        return [
            "session": .string(session.name),
            "dropped": .number(JSONNumber(session.journal.dropped)),
            "exchanges": .array(filter.select(session.journal.exchanges).map { $0.json(canonical: true) }),
        ]
    }

    func clearJournal(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.clearJournal() }
        return ["cleared": true]
    }
}

extension Event {
    /// The device that the event is about, where it must exist already.
    fileprivate var namedDevice: String? {
        switch action {
        case .signOut(.named(let device)), .expire(_, .named(let device)), .revoke(_, .named(let device)),
            .forget(_, .named(let device)), .issue(_, .named(let device)):
            device
        default: nil
        }
    }
}
