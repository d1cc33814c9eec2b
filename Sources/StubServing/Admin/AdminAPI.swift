import HTTPServing
import HTTPWire
import JSONText
import ScenarioFormat
import Simulation
import Synchronization

/// The API under `/__backlot/`, with which people and commands look at sessions and steer them.
///
/// A request speaks of the session that it names, in any of the ways in which a client's request does, or as
/// `?session=NAME`; otherwise of the default one.
struct AdminAPI {
    let handler: StubHandler

    init(_ handler: StubHandler) {
        self.handler = handler
    }

    /// One call, with everything that its answer may depend on.
    struct Call {
        var request: HTTPRequest
        /// The path below `/__backlot/`, in its parts.
        var path: [String]
        var query: QueryItems
        var session: LiveSession
        var now: RealTime

        /// The body as JSON; null when there is none.
        func body() throws(AdminError) -> JSONValue {
            guard !request.body.isEmpty else { return .null }
            do {
                return try JSONParser(duplicateNames: .refused).parse(request.body).root
            } catch {
                throw AdminError("not-json", "The body is not JSON: \(error.position.text): \(error.sentence).")
            }
        }
    }

    func reply(to request: HTTPRequest, session: LiveSession?) -> HTTPReply {
        do throws(AdminError) {
            let address = handler.address
            try AdminAccess(host: address.host, port: address.port, token: handler.configuration.adminToken)
                .check(request)
            let query = QueryItems(parsing: request.query ?? "")
            let path = request.path.split(separator: "/").dropFirst().map(String.init)
            let addressed = if let session { session } else { try self.session(of: request, query) }
            let call = Call(request: request, path: path, query: query, session: addressed, now: handler.now)
            return HTTPReply(json: try answer(call))
        } catch {
            return HTTPReply(problem: error.problem)
        }
    }

    private func session(of request: HTTPRequest, _ query: QueryItems) throws(AdminError) -> LiveSession {
        guard let name = query.first(named: "session") ?? request.fields[SessionAddress.header] else {
            return handler.sessions.main
        }
        guard let session = handler.sessions.session(named: name) else {
            throw .notFound("There is no session \"\(name)\". GET /__backlot/sessions lists them.")
        }
        return session
    }

    private static let parts = [
        "health", "scenario", "routes", "clock", "tokens", "states", "faults", "events", "journal", "sessions",
        "shutdown",
    ]

    private func answer(_ call: Call) throws(AdminError) -> JSONValue {
        switch (call.request.method.rawValue, call.path.first ?? "") {
        case ("GET", ""): return ["parts": .array(Self.parts.map { .string("/__backlot/\($0)") })]
        case ("GET", "health"): return health(call)
        case ("GET", "scenario"): return scenario(call)
        case ("POST", "scenario"): return try changeScenario(call)
        case ("GET", "routes"): return routes(call)
        case ("GET", "clock"): return try clock(call)
        case ("POST", "clock"): return try steerClock(call)
        case ("GET", "tokens"): return try tokens(call)
        case ("POST", "tokens"): return try tokens(after: call)
        case ("GET", "states"): return try states(call)
        case ("POST", "states"): return try changeStates(call)
        case ("GET", "faults"): return try faults(call)
        case ("POST", "faults"): return try armFault(call)
        case ("POST", "events"): return try enactEvents(call)
        case ("GET", "journal"): return try journal(call)
        case ("DELETE", "journal"): return try clearJournal(call)
        case ("GET", "sessions"): return try sessions(call)
        case ("POST", "sessions"): return try makeSession(call)
        case ("DELETE", "sessions"): return try deleteSession(call)
        case ("POST", "shutdown"): return shutDown()
        case (_, let part) where Self.parts.contains(part):
            throw AdminError(
                Problem(
                    "wrong-method",
                    status: 405,
                    title: "The admin API has this, but not with this method",
                    detail: "/__backlot/\(part) does not answer \(call.request.method.rawValue)."
                )
            )
        case (_, let part):
            throw .notFound(
                "There is no /__backlot/\(part). There are \(Self.parts.joined(separator: ", "))."
            )
        }
    }

    /// Looks at or changes the session of a call, and sees to what that has set in motion.
    func access<Result: Sendable>(
        _ call: Call,
        _ body: (inout Session) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        let (result, alarm) = try call.session.access(at: call.now, body)
        handler.set(alarm, for: call.session)
        return result
    }

    private func shutDown() -> JSONValue {
        handler.shutdownRequest.withLock { $0 }?()
        return ["stopping": true]
    }
}

extension HTTPReply {
    fileprivate init(json: JSONValue) {
        let fields: HTTPFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store", "Server": "Backlot",
        ]
        self.init(HTTPResponse(status: .ok, fields: fields, body: json.utf8(.pretty) + [0x0A]))
    }
}
