import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// The story of the captured session.
extension BackendMaker {
    static let mostEvents = 200

    /// The session that was captured: what the client had, when its tokens ended, and which requests failed.
    mutating func story(schemaPath: String?, rules: [String]) -> DraftScenario {
        let evidence = session.evidence
        let count = entries.count
        let about =
            "\(count) \(count == 1 ? "request was" : "requests were") captured. The server's tokens expire and its responses fail "
            + "at the same points as in the capture."
        var object: DraftScenario = [
            .schema: schemaPath.map(JSONValue.string),
            .extends: "backend.json", .id: "captured-session", .title: "The captured session",
            .about: .string(about),
            .bugClasses: rules.isEmpty ? nil : .strings(rules),
        ]
        let initial = evidence.ledger.tokens.filter { $0.issued <= evidence.start }
        var timeline: [JSONValue] = []
        if !initial.isEmpty {
            let access = initial.first { $0.kind != "refresh" }
            let isDead = access.map { $0.expires <= evidence.start || isRefusedAtOnce($0.id) } ?? false
            let signIn: JSONValue = .event([.signIn: "phone", .ago: .string(age(of: initial))])
            let end: JSONValue = .event([.expire: .string(access?.kind ?? "access")])
            object[.given] = isDead ? [signIn, end] : [signIn]
        }
        timeline += launches
        for token in evidence.ledger.tokens where token.kind != "refresh" && timeline.count < Self.mostEvents {
            if let event = end(of: token.id, token.kind) { timeline.append(event) }
        }
        if !timeline.isEmpty { object[.timeline] = .array(Array(timeline.prefix(Self.mostEvents))) }
        let failures = self.failures()
        if !failures.isEmpty { object[.routes] = .object(failures) }
        let asked =
            session.routes.routes.indices.first { number in
                session.hosts.contains(session.routes.routes[number].host) && tokens.purposes[number] == .resource
            } ?? session.routes.routes.indices.first { session.hosts.contains(session.routes.routes[$0].host) } ?? 0
        object[.expect] = [.expectation([.request: .string(session.routes.routes[asked].key)])]
        return object
    }

    /// The time between the sign-in and the capture, as the tokens say.
    func age(of tokens: [Token]) -> String {
        let ages = tokens.map { session.evidence.start - $0.issued }.filter { $0 > .seconds(1) }
        return DurationText.text(.seconds((ages.min() ?? .seconds(1)).components.seconds))
    }

    /// The times at which the client was restarted, as far as the capture shows them.
    var launches: [JSONValue] {
        var last = 1
        return session.evidence.exchanges.compactMap { exchange in
            guard exchange.launch > last else { return nil }
            last = exchange.launch
            let passed = max(.seconds(1), exchange.time - session.evidence.start)
            let time = DurationText.text(.seconds(passed.components.seconds))
            return .event([.at: .string(time), .launch: .number(exchange.launch)])
        }
    }

    func uses(_ id: String) -> [Exchange] { exchangesByToken[id] ?? [] }

    func isAccepted(_ exchange: Exchange, _ id: String) -> Bool {
        exchange.offered.contains { $0.id == id && $0.isAccepted == true }
    }

    func isRefusedAtOnce(_ id: String) -> Bool {
        uses(id).first.map { !isAccepted($0, id) } ?? false
    }

    /// The event that ends a token after the last exchange that accepted it; `nil` where it did not end while it was used.
    func end(of id: String, _ kind: String) -> JSONValue? {
        let uses = uses(id)
        guard let refused = uses.firstIndex(where: { !isAccepted($0, id) }), refused > 0 else { return nil }
        let last = uses[refused - 1]
        let number = session.routes.numbers[Int(last.number) - 1]
        let route = session.routes.routes[number]
        let count = entries(like: route).count {
            $0 < Int(last.number) && entries[$0].response?.status == last.response.status
        }
        return .event([
            .after: .expectation([
                .request: .string(route.key), .count: .number(max(1, count)),
                .status: .number(last.response.status.code),
            ]),
            .expire: .string(kind),
            // A client may do without what it did then.
            .optional: true,
        ])
    }

    /// The routes that failed for another reason than a token, with all that they answered up to the last failure.
    mutating func failures() -> JSONObject {
        var routes = JSONObject()
        for route in session.routes.routes where session.hosts.contains(route.host) && routes[route.key] == nil {
            let played = entries(like: route).filter { !isTokenRefusal($0) }
            guard let last = played.lastIndex(where: isFailure), played.count <= 100 else { continue }
            var responses: [JSONValue] = []
            for index in played[...last] {
                let entry = entries[index]
                guard entry.error != nil || entry.response != nil else { continue }
                var object: DraftRoute = [.empty: true]
                if let response = entry.response {
                    object = message(response, index, as: .ordinary(tokens.purposes[session.routes.numbers[index]]))
                }
                if let error = entry.error?.lowercased() {
                    let kind = entry.response != nil ? "lost" : error.contains("time") ? "never" : "reset"
                    object[.fault] = .string(kind)
                }
                object[.optional] = true
                responses.append(object.json)
            }
            routes[route.key] = .route([.responses: .array(responses), .afterLast: "own"])
        }
        return routes
    }

    func isFailure(_ index: Int) -> Bool {
        let entry = entries[index]
        if let error = entry.error {
            return !error.lowercased().contains("cancel") && !error.lowercased().contains("abort")
        }
        return entry.response.map { $0.status.code >= 500 || $0.status == 429 || $0.status == 408 } ?? false
    }
}
