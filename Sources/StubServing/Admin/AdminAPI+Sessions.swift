import Basics
import EventLoops
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

extension AdminAPI {
    func sessions(_ call: Call) throws(AdminError) -> JSONValue {
        var list: [JSONValue] = []
        for session in handler.sessions.all {
            let setup = session.setup
            let summary = try session.access(at: call.now) { session, now -> JSONValue in
                var object: JSONObject = [
                    "name": .string(session.name),
                    "story": setup.loaded.scenario.story.map { .string($0.id) } ?? .null,
                    "seed": .number(JSONNumber(session.seed)),
                    "time": .string(session.time(at: now).description),
                    "exchanges": .number(JSONNumber(session.journal.count)),
                ]
                object["origins"] = session.originsJSON
                return .object(object)
            }
            list.append(summary)
        }
        return ["sessions": .array(list)]
    }

    /// Makes a session, with its own story, seed, start and listener where asked for.
    func makeSession(_ call: Call) throws(AdminError) -> JSONValue {
        guard call.name == nil else {
            throw AdminError("bad-session", "Send the name in the body: {\"name\": \"\(call.name ?? "")\"}.")
        }
        let body = try call.object(with: ["name", "story", "seed", "start", "listener"])
        guard let name = body["name"]?.string, SessionAddress.isName(name) else {
            throw AdminError("bad-session", "A session requires a \"name\" of \(SessionAddress.nameRule).")
        }
        let listens = try listens(body)
        let setup = try setup(of: body)
        let made: LiveSession
        switch handler.claim(name, make: { (setup.begin(name, handler.configuration), setup) }) {
        case .made(let session): made = session
        case .existing: throw .sessionExists(name)
        case .full: throw .tooManySessions(handler.sessions.capacity)
        }
        handler.follow(setup.loaded)
        var object: JSONObject = [
            "name": .string(name), "seed": .number(JSONNumber(setup.seed ?? setup.loaded.scenario.seed)),
        ]
        do throws(SystemError) {
            let port = listens ? try handler.listen(for: name) : nil
            let shared = "\(handler.baseURL(port: handler.address.port))/__session/\(name)"
            object["url"] = .string(port.map { handler.baseURL(port: $0) } ?? shared)
            made.set(originURLs: try handler.openOrigins(of: name, playing: made.played))
        } catch {
            handler.closeListeners(of: name)
            handler.sessions.remove(name)?.endLife()
            throw .noListener(error, "so the session was not created")
        }
        object["origins"] = made.copy(at: call.now).session.originsJSON
        return .object(object)
    }

    private func listens(_ body: JSONObject) throws(AdminError) -> Bool {
        guard let value = body["listener"] else { return false }
        guard let listens = value.bool else {
            throw AdminError("bad-session", "\"listener\" requires true or false, not \(value.kindName).")
        }
        return listens
    }

    private func setup(of body: JSONObject) throws(AdminError) -> LiveSession.Setup {
        var setup = handler.defaultSetup
        if let story = body["story"] { setup = try self.setup(of: story, over: setup) }
        if let seed = body["seed"] {
            guard let number = seed.int, number >= 0 else {
                throw AdminError("bad-session", "\"seed\" requires a whole number that is not negative.")
            }
            setup.seed = UInt64(number)
        }
        if let start = body["start"] {
            guard let moment = start.string.flatMap({ VirtualTime($0) }) else {
                throw AdminError("bad-session", "\"start\" requires a timestamp such as \"2026-03-01T09:00:00Z\".")
            }
            setup.start = moment
        }
        return setup
    }

    func deleteSession(_ call: Call) throws(AdminError) -> JSONValue {
        guard let name = call.name else {
            throw AdminError("bad-session", "Name the session: DELETE /__backlot/sessions/NAME.")
        }
        guard name != Session.defaultName else {
            throw AdminError(
                "bad-session",
                "The default session cannot be deleted; POST /__backlot/scenario resets it."
            )
        }
        // Listeners first: a request that still arrives on one then gets the response that the session was deleted, and does not
        // make it again.
        handler.closeListeners(of: name)
        guard let session = handler.sessions.remove(name) else {
            throw .notFound("Unknown session \"\(name)\". GET /__backlot/sessions lists the sessions.")
        }
        session.endLife()
        return ["deleted": .string(name)]
    }
}

extension Session {
    /// The base URLs of the story's other servers, in their order; `nil` where it has none.
    fileprivate var originsJSON: JSONValue? {
        let names = played.scenario.origins.map(\.name).filter { backend.originURLs[$0] != nil }
        guard !names.isEmpty else { return nil }
        return .object(JSONObject(names.map { ($0, .string(backend.originURLs[$0] ?? "")) }))
    }
}

extension AdminError {
    fileprivate static var tooManyFaults: AdminError {
        AdminError("too-many-faults", "Up to \(Session.mostFaults) faults can be armed at once.")
    }

    static func noListener(_ error: SystemError, _ consequence: String) -> AdminError {
        AdminError(
            "no-listener",
            status: 503,
            title: "A listener could not be created for the session",
            detail: "The system reported an error (\(error)), \(consequence)."
        )
    }

    fileprivate static func sessionExists(_ name: String) -> AdminError {
        AdminError(
            "session-exists",
            status: 409,
            title: "The session already exists",
            detail: "Delete \"\(name)\" first, or reset the session with POST /__backlot/scenario?session=\(name)."
        )
    }
}

extension AdminAPI {
    // MARK: Clock

    func clock(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.clockJSON(at: now) }
    }

    /// Steers the clock: `advance`, `set`, `freeze`, `rate`, `automatic` or `skew`.
    func steerClock(_ call: Call) throws(AdminError) -> JSONValue {
        let words = ["advance", "set", "freeze", "rate", "automatic", "skew"]
        return try enact([command(in: call, allowing: words)], in: call) { $0.clockJSON(at: $1) }
    }

    // MARK: Tokens

    func tokens(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.tokensJSON(at: now) }
    }

    func changeTokens(_ call: Call) throws(AdminError) -> JSONValue {
        let command = try command(in: call, allowing: ["issue", "expire", "revoke", "forget", "signIn", "signOut"])
        if let device = command.event.namedDevice {
            let isKnown = try access(call) { session, _ in session.ledger.device(named: device) != nil }
            guard isKnown else {
                throw .notFound("No device \"\(device)\" has signed in. GET /__backlot/tokens lists the devices.")
            }
        }
        return try enact([command], in: call) { $0.tokensJSON(at: $1) }
    }

    // MARK: States and faults

    func states(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.statesJSON }
    }

    func changeStates(_ call: Call) throws(AdminError) -> JSONValue {
        try enact([command(in: call, allowing: ["state", "counter"])], in: call) { session, _ in session.statesJSON }
    }

    func faults(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.faultsJSON }
    }

    /// Arms a fault for the next requests of a route: a response, a latency or a broken connection.
    func armFault(_ call: Call) throws(AdminError) -> JSONValue {
        guard call.name == nil else {
            throw AdminError("bad-fault", "Send the fault in the body of POST /__backlot/faults.")
        }
        let body = try call.body()
        guard body.object != nil else {
            throw AdminError("bad-fault", "Send an object with \"route\" and a fault, not \(body.kindName).")
        }
        let isArmed: Bool
        do throws(ScenarioError) {
            isArmed = try call.session.arm(body, at: call.now)
        } catch {
            throw AdminError(findings: error.findings)
        }
        guard isArmed else { throw .tooManyFaults }
        return try faults(call)
    }

    /// Clears the fault of `faults/NUMBER`, or all of them.
    func clearFaults(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { (session, _) throws(AdminError) in
            guard let name = call.name else {
                session.clearFaults()
                return session.faultsJSON
            }
            guard let number = Int(name), session.clearFaults(number: number) > 0 else {
                throw .notFound("No fault \(name.printable) is armed. GET /__backlot/faults lists them.")
            }
            return session.faultsJSON
        }
    }

    /// The session answers no request while events happen, so a list of them has an end: half a second.
    private static let mostEvents = 10_000

    /// Lets any event of the format happen, or a list of them in their order.
    func enactEvents(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.body()
        let trees = body.array ?? [body]
        guard trees.count <= Self.mostEvents else {
            throw AdminError("too-many-events", "Send at most \(Self.mostEvents) events at once, not \(trees.count).")
        }
        var commands: [AdminCommand] = []
        for tree in trees { commands.append(try command(from: tree, in: call)) }
        return try enact(commands, in: call) { $0.clockJSON(at: $1) }
    }

    /// The maximum number of tokens that a list of events goes through: the number of events that do, times that of
    /// the session's tokens.
    private static let mostLookedAt = 10_000_000

    /// The maximum number of parts of open streams that one call sends.
    private static let mostStreamParts = 100_000

    private func checkWork(of commands: [AdminCommand], in call: Call) throws(AdminError) {
        let events = commands.map(\.event)
        let faults = events.count(where: \.armsFault)
        let (ledger, kinds, allowsFaults, sendsTooMuch) = try access(call) { session, now in
            (
                session.ledger, session.played.scenario.tokens.signInGrants.count, session.allowsFaults(faults),
                session.sends(moreStreamPartsThan: Self.mostStreamParts, in: events, at: now)
            )
        }
        guard !sendsTooMuch else {
            throw AdminError(
                "too-many-events",
                "Send fewer events or advance the clock in smaller steps, because open streams would receive more than "
                    + "\(Self.mostStreamParts) parts at once."
            )
        }
        guard faults == 0 || allowsFaults else { throw .tooManyFaults }
        let behaviors: [TLSBehavior] = commands.compactMap { command in
            if case .tls(let behavior) = command.event.action { behavior } else { nil }
        }
        for behavior in Set(behaviors) {
            guard let obstacle = handler.configuration.certificates?()?.obstacle(to: behavior) else { continue }
            let reason = "\(obstacle.sentence); \(obstacle.advice)"
            throw AdminError("impossible-tls", "The event cannot be played: \(reason).")
        }
        let tokens = ledger.tokens.count
        let new = events.newTokens(in: ledger, kinds: kinds)
        guard new == 0 || tokens + new <= TokenLedger.mostTokens else {
            throw AdminError(
                "too-many-tokens",
                "The session has \(tokens) of at most \(TokenLedger.mostTokens) tokens. Reset the session first."
            )
        }
        let searches = events.count(where: \.searchesTokens)
        guard searches * (tokens + new) <= Self.mostLookedAt else {
            let most = max(1, Self.mostLookedAt / (tokens + new))
            throw AdminError(
                "too-many-events",
                "Send at most \(most) events about tokens at once, because the session has \(tokens) tokens."
            )
        }
    }

    /// Performs events, and returns the changed part of the session.
    private func enact(
        _ commands: [AdminCommand],
        in call: Call,
        showing part: (Session, MonotonicTime) -> JSONValue
    ) throws(AdminError) -> JSONValue {
        try checkWork(of: commands, in: call)
        return try access(call) { session, now in
            for command in commands { session.enact(command, at: now) }
            return part(session, now)
        }
    }

    private func command(in call: Call, allowing verbs: [String]) throws(AdminError) -> AdminCommand {
        let body = try call.body()
        let list = verbs.map { "\"\($0)\"" }.joined(separator: ", ")
        guard let object = body.object, object.names.contains(where: verbs.contains) else {
            throw AdminError("bad-event", "Send an object that contains one of \(list).")
        }
        return try command(from: body, in: call)
    }

    private func command(from tree: JSONValue, in call: Call) throws(AdminError) -> AdminCommand {
        do throws(ScenarioError) {
            return AdminCommand(try call.session.setup.loaded.event(from: tree), tree: tree)
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
            "exchanges": .array(
                filter.select(session.journal.exchanges).map { session.shown($0).json(canonical: true) }
            ),
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

    fileprivate var armsFault: Bool {
        if case .armFault = action { true } else { false }
    }

    /// A Boolean value that indicates whether it looks at all tokens of the session.
    fileprivate var searchesTokens: Bool {
        switch action {
        case .signOut, .expire, .revoke, .forget, .issue: true
        default: false
        }
    }
}

extension [Event] {
    /// The maximum number of tokens that they make, one after another.
    ///
    /// - Parameters:
    ///   - ledger: the devices before.
    ///   - kinds: the number of kinds that a sign-in grants by default.
    fileprivate func newTokens(in ledger: TokenLedger, kinds: Int) -> Int {
        var (devices, tokens) = (ledger.devices.count, 0)
        var new: Set<[UInt8]> = []
        for event in self {
            switch event.action {
            case .signIn(let device, _, let grants):
                tokens += grants?.count ?? kinds
                if ledger.device(named: device) == nil, new.insert([UInt8](device.utf8)).inserted { devices += 1 }
            case .issue(_, .named): tokens += 1
            case .issue: tokens += devices
            default: break
            }
        }
        return tokens
    }
}
