import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Rules
import ScenarioFormat
import Simulation

/// The API under `/__backlot/`, with which people and commands look at sessions and steer them.
///
/// A request speaks of the session that `?session=NAME` says, else of the one that it names in any of the ways in
/// which a client's request does, else of the default one. It never makes a session by naming it.
struct AdminAPI {
    let handler: StubHandler

    init(_ handler: StubHandler) {
        self.handler = handler
    }

    /// One call, with everything that its response may depend on.
    struct Call {
        var request: HTTPRequest
        /// The path after the part's name, decoded.
        var name: String?
        var query: QueryItems
        /// The default one where the part is about the whole server.
        var session: LiveSession
        var now: MonotonicTime

        private static let mostValues = 1_000_000

        /// The body as JSON; null if missing.
        func body() throws(AdminError) -> JSONValue {
            guard !request.body.isEmpty else { return .null }
            guard !JSONParser.exceeds(Self.mostValues, in: request.body) else {
                throw AdminError(
                    "too-large",
                    status: 413,
                    title: "The request is too large",
                    detail: "The body contains more than \(Self.mostValues) JSON values."
                )
            }
            do {
                return try JSONParser(duplicateNames: .refused).parse(request.body).root
            } catch {
                throw AdminError("not-json", "The body is not JSON: \(error.position.text): \(error.sentence).")
            }
        }

        /// The body as an object that has no other members than these.
        func object(with names: [String]) throws(AdminError) -> JSONObject {
            let body = try body()
            let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
            guard let object = body.object else {
                throw AdminError("bad-body", "Send a JSON object with \(list), not \(body.kindName).")
            }
            for name in object.names where !names.contains(name) {
                throw AdminError("bad-body", "Unknown key \"\(name)\". Use \(list).")
            }
            return object
        }
    }

    /// Larger bodies are lists of thousands of events: 16 KiB.
    private static let shortBody = 16 << 10

    /// Returns whether a request is better answered in the background than on an event loop: what shows all of
    /// something that grows, reads files, or has a list to go through.
    static func isLengthy(_ request: HTTPRequest) -> Bool {
        if request.body.count > shortBody { return true }
        let name = request.path.utf8.split(separator: UInt8(ascii: "/")).dropFirst().first
        guard let part = parts.first(where: { part in name.map(part.name.utf8.elementsEqual) ?? false }) else {
            return false
        }
        return request.method == .post ? part.readsFiles : part.isLengthy
    }

    /// - Parameter promise: where the parts of a response go that is a stream.
    func response(to request: HTTPRequest, session name: String?, with promise: ResponsePromise) -> OutgoingResponse {
        let address = handler.address
        let access = AdminAccess(host: address.host, port: address.port, token: handler.configuration.adminToken)
        do throws(AdminError) {
            if LivePage.answers(request) { return try LivePage.response(to: request, access) }
            if let health = try Self.shortHealth(request, access) { return health }
            try access.check(request)
            let plain = try decoded(request)
            let path = request.path.split(separator: "/").dropFirst()
            guard let partName = path.first else { return OutgoingResponse(json: Self.index) }
            guard let part = Self.parts.first(where: { $0.name.exact == partName.exact }) else {
                throw .notFound("Unknown path /__backlot/\(partName). Use \(Self.list).")
            }
            guard path.count == 1 || path.count == 2 && part.isAboutNames else {
                throw .notFound("Unknown path below /__backlot/\(part.name).")
            }
            return try response(to: plain, part, path.dropFirst().first, session: name, with: promise)
        } catch {
            // So that the owner of the server sees that tokens are tried.
            if error.status == 401, !access.lacksToken(request) { handler.log.refused(error) }
            return OutgoingResponse(problem: error)
        }
    }

    /// The request with its body as it was before its content codings were applied.
    private func decoded(_ request: HTTPRequest) throws(AdminError) -> HTTPRequest {
        do throws(ContentCodingError) {
            return try request.decoded(limit: handler.configuration.limits.body)
        } catch {
            throw .undecodable(error)
        }
    }

    /// The short health report for a supervisor that has no token; `nil` for every other request.
    private static func shortHealth(
        _ request: HTTPRequest,
        _ access: AdminAccess
    ) throws(AdminError) -> OutgoingResponse? {
        var open = access
        open.token = nil
        guard request.path == "/__backlot/health", request.method == .get, access.lacksToken(request) else {
            return nil
        }
        try open.check(request)
        return OutgoingResponse(json: ["status": "ok"])
    }

    private func response(
        to request: HTTPRequest,
        _ part: Part,
        _ encodedName: Substring?,
        session name: String?,
        with promise: ResponsePromise
    ) throws(AdminError) -> OutgoingResponse {
        // HEAD is GET without the body, which the server leaves out (RFC 9110, section 9.3.2).
        let method = request.method == .head ? "GET" : request.method.rawValue
        if request.method == .options { return OutgoingResponse(HTTPResponse(status: .noContent, fields: part.allow)) }
        guard let answer = part.answers.first(where: { $0.method == method })?.answer else {
            throw .wrongMethod(request.method, part)
        }
        let query = QueryItems(parsing: request.query ?? "")
        let call = Call(
            request: request,
            name: encodedName.map { PercentEncoding.decode($0) ?? String($0) },
            query: query,
            session: part.isAboutServer ? handler.sessions.main : try session(query.first(named: "session") ?? name),
            now: handler.now
        )
        if part.name == "documents", call.name != nil { return try document(call) }
        if part.name == "events", method == "GET" { return try handler.listen(call, with: promise) }
        var response = OutgoingResponse(json: try answer(self, call))
        if part.name == "shutdown" {
            response.exchange = ExchangeHandle.shutdown.rawValue
            response.delivery.closesConnection = true
        }
        return response
    }

    private func session(_ name: String?) throws(AdminError) -> LiveSession {
        guard let name else { return handler.sessions.main }
        guard let session = handler.sessions.session(named: name) else {
            throw .notFound("Unknown session \"\(name)\". GET /__backlot/sessions lists the sessions.")
        }
        return session
    }

    /// The server stops when the response to this has left.
    func shutDown(_ call: Call) -> JSONValue { ["stopping": true] }

    /// Looks at or changes the session of a call, and sees to what that has set in motion.
    func access<Result: Sendable>(
        _ call: Call,
        _ body: (inout Session, MonotonicTime) throws(AdminError) -> Result
    ) throws(AdminError) -> Result {
        try call.session.access(at: call.now, body)
    }
}

extension OutgoingResponse {
    fileprivate init(json: JSONValue) {
        let fields: HTTPFields = [
            "Content-Type": "application/json", "Cache-Control": "no-store", "Server": "Backlot",
        ]
        self.init(HTTPResponse(status: .ok, fields: fields, body: json.utf8(.pretty) + [0x0A]))
    }
}

extension AdminAPI {
    // MARK: The client

    /// Names the process of the client that tells something, where several share the session.
    static let processField = "Backlot-Process"

    func clientFacts(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in ["client": .object(session.client.facts)] }
    }

    /// Stores the facts that a client reports: all of them, or none if one is not valid.
    func noteClientFacts(_ call: Call) throws(AdminError) -> JSONValue {
        let facts = try ClientReport(call.body()).facts
        return try access(call) { (session, now) throws(AdminError) in
            let new = facts.names.count { !session.client.facts.contains($0) }
            guard session.client.facts.count + new <= ClientReport.mostFacts else {
                throw AdminError("bad-fact", "A session stores up to \(ClientReport.mostFacts) facts.")
            }
            session.note(clientFacts: facts, by: call.request.fields[AdminAPI.processField], at: now)
            return ["client": .object(session.client.facts)]
        }
    }

    // MARK: Verdict

    /// The current verdict about the client; it can be read at any time, and changes nothing.
    func verdict(_ call: Call) -> JSONValue {
        SessionVerdict(call.session, at: call.now).json
    }
}

extension AdminAPI {
    /// The session's stored items: all collections, or the one of `collections/NAME` or `?name=NAME`.
    func collections(_ call: Call) throws(AdminError) -> JSONValue {
        let name = call.name ?? call.query.first(named: "name")
        let (session, _, _) = call.session.copy(at: call.now)
        let names = session.played.scenario.collections.map(\.name)
        if let name, !names.contains(name.exact) {
            let nearest = Suggestion.nearest(to: name, among: names).map { "Did you mean \"\($0)\"? " } ?? ""
            throw .notFound(
                "Unknown collection \"\(name.printable)\". \(nearest)GET /__backlot/collections lists the collections."
            )
        }
        let wanted = session.items.filter { stored in
            name.map { stored.collection.exact == $0.exact } ?? true
        }
        return [
            "collections": .array(
                wanted.map { stored in
                    var object = JSONObject()
                    object["name"] = .string(stored.collection)
                    if let account = stored.account { object["account"] = .string(account) }
                    object["count"] = .number(JSONNumber(stored.items.count))
                    object["items"] = .array(stored.items)
                    return .object(object)
                }
            )
        ]
    }
}

extension AdminAPI {
    func gates(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, now in session.gatesJSON(at: now) }
    }

    /// Lets the requests go that a gate holds, or those of every gate.
    func releaseGates(_ call: Call) throws(AdminError) -> JSONValue {
        let body = call.request.body.isEmpty ? [:] : try call.object(with: ["gate"])
        let name = try body["gate"].map { (value) throws(AdminError) -> String in
            guard let name = value.string else {
                let found = value.text().printable.shortened
                throw AdminError("bad-gate", "\"gate\" requires a gate's name as a string, not \(found).")
            }
            return name
        }
        return try access(call) { (session, now) throws(AdminError) -> JSONValue in
            if let name { try Self.check(name, of: session) }
            let count = session.releaseGates(named: name, at: now)
            return ["released": .number(JSONNumber(count))]
        }
    }

    private static func check(_ name: String, of session: Session) throws(AdminError) {
        let names = session.gateStatistics.map(\.gate)
        guard !names.contains(where: { $0.exact == name.exact }) else { return }
        let nearest = Suggestion.nearest(to: name, among: names).map { "Did you mean \"\($0)\"? " } ?? ""
        let list = names.isEmpty ? "The story defines no gates." : "GET /__backlot/gates lists the gates."
        throw .notFound("Unknown gate \"\(name.printable)\". \(nearest)\(list)")
    }
}

extension AdminAPI {
    /// The handler of one method of a part.
    struct Handler: Sendable {
        // Not a function with typed throws: to store one takes the runtime of macOS 15 and iOS 18.
        private let result: @Sendable (AdminAPI, Call) -> Result<JSONValue, AdminError>

        init(_ method: @escaping @Sendable (AdminAPI) -> (Call) throws(AdminError) -> JSONValue) {
            result = { api, call in Result { () throws(AdminError) in try method(api)(call) } }
        }

        func callAsFunction(_ api: AdminAPI, _ call: Call) throws(AdminError) -> JSONValue {
            try result(api, call).get()
        }
    }

    /// A name below `/__backlot/` with the methods that it answers.
    struct Part: Sendable {
        var name: String
        /// A Boolean value that indicates whether it is about the server as a whole, so that it does not matter which
        /// session a call names.
        var isAboutServer = false
        /// A Boolean value that indicates whether looking at it may take so long that it is not done on an event loop.
        var isLengthy = false
        /// A Boolean value that indicates whether a change of it reads files.
        var readsFiles = false
        /// A Boolean value that indicates whether a name may follow, as in `sessions/NAME`.
        var isAboutNames = false
        var answers: [(method: String, answer: Handler)]

        /// The methods in the form of the Allow field (RFC 9110, section 10.2.1).
        var methods: String {
            answers.flatMap { $0.method == "GET" ? ["GET", "HEAD"] : [$0.method] }.joined(separator: ", ") + ", OPTIONS"
        }

        var allow: HTTPFields { ["Allow": methods] }
    }

    static let parts: [Part] = [
        Part(name: "health", isAboutServer: true, answers: [("GET", Handler(AdminAPI.health))]),
        Part(
            name: "scenario",
            readsFiles: true,
            answers: [("GET", Handler(AdminAPI.scenario)), ("POST", Handler(AdminAPI.changeScenario))]
        ),
        Part(name: "routes", answers: [("GET", Handler(AdminAPI.routes))]),
        Part(name: "clock", answers: [("GET", Handler(AdminAPI.clock)), ("POST", Handler(AdminAPI.steerClock))]),
        Part(
            name: "tokens",
            isLengthy: true,
            answers: [("GET", Handler(AdminAPI.tokens)), ("POST", Handler(AdminAPI.changeTokens))]
        ),
        Part(name: "states", answers: [("GET", Handler(AdminAPI.states)), ("POST", Handler(AdminAPI.changeStates))]),
        Part(
            name: "collections",
            isLengthy: true,
            isAboutNames: true,
            answers: [("GET", Handler(AdminAPI.collections))]
        ),
        Part(
            name: "faults",
            isAboutNames: true,
            answers: [
                ("GET", Handler(AdminAPI.faults)), ("POST", Handler(AdminAPI.armFault)),
                ("DELETE", Handler(AdminAPI.clearFaults)),
            ]
        ),
        Part(name: "gates", answers: [("GET", Handler(AdminAPI.gates))]),
        Part(name: "release", answers: [("POST", Handler(AdminAPI.releaseGates))]),
        Part(
            name: "events",
            isLengthy: true,
            answers: [("GET", Handler(AdminAPI.changes)), ("POST", Handler(AdminAPI.enactEvents))]
        ),
        Part(
            name: "journal",
            isLengthy: true,
            answers: [("GET", Handler(AdminAPI.journal)), ("DELETE", Handler(AdminAPI.clearJournal))]
        ),
        Part(
            name: "client",
            answers: [("GET", Handler(AdminAPI.clientFacts)), ("POST", Handler(AdminAPI.noteClientFacts))]
        ),
        Part(name: "changes", isLengthy: true, answers: [("GET", Handler(AdminAPI.changes))]),
        Part(name: "exchanges", isLengthy: true, isAboutNames: true, answers: [("GET", Handler(AdminAPI.exchange))]),
        Part(name: "documents", isLengthy: true, isAboutNames: true, answers: [("GET", Handler(AdminAPI.documents))]),
        Part(name: "verdict", isLengthy: true, answers: [("GET", Handler(AdminAPI.verdict))]),
        Part(
            name: "checkpoints",
            isLengthy: true,
            isAboutNames: true,
            answers: [
                ("GET", Handler(AdminAPI.checkpoints)), ("POST", Handler(AdminAPI.changeCheckpoints)),
                ("DELETE", Handler(AdminAPI.deleteCheckpoint)),
            ]
        ),
        Part(
            name: "sessions",
            isAboutServer: true,
            readsFiles: true,
            isAboutNames: true,
            answers: [
                ("GET", Handler(AdminAPI.sessions)),
                ("POST", Handler(AdminAPI.makeSession)),
                ("DELETE", Handler(AdminAPI.deleteSession)),
            ]
        ),
        Part(name: "shutdown", isAboutServer: true, answers: [("POST", Handler(AdminAPI.shutDown))]),
    ]

    static let list = parts.map(\.name).joined(separator: ", ")

    static let index: JSONValue = ["parts": .array(parts.map { .string("/__backlot/\($0.name)") })]
}

extension AdminAPI {
    func health(_ call: Call) -> JSONValue {
        let loaded = call.session.setup.loaded
        return [
            "status": "ok",
            "backend": .string(loaded.scenario.backend),
            "story": loaded.scenario.story.map { .string($0.id) } ?? .null,
            "sessions": .number(JSONNumber(handler.sessions.count)),
        ]
    }

    func scenario(_ call: Call) -> JSONValue {
        let setup = call.session.setup
        let scenario = setup.loaded.scenario
        return [
            "session": .string(call.session.name),
            "file": .string(setup.loaded.path),
            "backend": .string(scenario.backend),
            "story": scenario.story.map { story in
                [
                    "id": .string(story.id),
                    "title": .string(story.title),
                    "about": .string(story.about),
                    "reproduces": .array(story.reproduces.map(JSONValue.string)),
                ]
            } ?? .null,
            "contract": setup.contract.map { enforcer in
                [
                    "file": .string(enforcer.source.path),
                    "title": .string(enforcer.source.title),
                    "mode": .string(enforcer.terms.mode.rawValue),
                    "fill": .string(enforcer.terms.fill.rawValue),
                    "operations": .number(JSONNumber(enforcer.source.operationCount)),
                ]
            } ?? .null,
            "stories": .array(
                handler.library.stories().map { entry in
                    ["id": .string(entry.id), "title": .string(entry.title), "file": .string(entry.file)]
                }
            ),
        ]
    }

    /// Switches the session to another story, or begins the same one again.
    func changeScenario(_ call: Call) throws(AdminError) -> JSONValue {
        let body = try call.object(with: ["story", "reset"])
        var setup = call.session.setup
        switch (body["story"], body["reset"]?.bool) {
        case (let story?, nil), (let story?, true): setup = try self.setup(of: story, over: setup)
        case (nil, true): break
        default: throw AdminError("bad-body", "Send {\"story\": \"ID\"} or {\"reset\": true}.")
        }
        handler.follow(setup.loaded)
        do throws(SystemError) {
            call.session.restart(try handler.begin(setup, named: call.session.name), setup: setup)
        } catch {
            throw .noListener(error, "so the session is unchanged")
        }
        handler.closeOrigins(of: call.session.name, missingIn: call.session.played)
        return scenario(call)
    }

    /// The same beginning with another story.
    func setup(of story: JSONValue, over base: LiveSession.Setup) throws(AdminError) -> LiveSession.Setup {
        guard let id = story.string else {
            throw AdminError("bad-body", "\"story\" requires a story's ID as a string, not \(story.kindName).")
        }
        do throws(ScenarioError) {
            // Its files are watched, so what the session has of the contract is as new as the file.
            var contracts: [String: any ServedContract] = [:]
            if let contract = base.contract?.source { contracts[contract.path] = contract }
            let prepared = try handler.preparation.prepare(handler.library.load(story: id), contracts: &contracts)
            return LiveSession.Setup(prepared: prepared, story: id, seed: base.seed, start: base.start)
        } catch {
            throw AdminError(findings: error.findings, name: "invalid-scenario")
        }
    }

    func routes(_ call: Call) -> JSONValue {
        let setup = call.session.setup
        let loaded = setup.loaded
        let keys = Set(loaded.scenario.routes.map(\.key.text))
        let operations = (setup.contract?.filledOperations ?? []).filter { !keys.contains($0) }
        var document: JSONObject = [
            "routes": .array(
                loaded.scenario.routes.map { route in
                    [
                        "route": .string(route.key.text),
                        "requires": .array(route.requiredKinds.map(JSONValue.string)),
                        "place": .string(loaded.sources.place(of: route.position).description),
                    ]
                }
            )
        ]
        if !operations.isEmpty { document["operations"] = .strings(operations) }
        return .object(document)
    }
}
