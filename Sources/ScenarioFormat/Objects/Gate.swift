import Basics
package import JSON

/// A place where requests wait for each other, so that a race is a fact and not luck.
package struct Gate: Sendable {
    /// The condition that releases the held requests.
    package enum Opening: Sendable {
        /// The number of requests that are held at once.
        case inFlight(Int)
        /// An exchange of another route has been answered, with one of these statuses where any is named.
        case answered(route: String, statuses: [Int])
        /// A call of the admin API.
        case released
    }

    /// The order in which held requests go on.
    package enum Order: String, Sendable, CaseIterable {
        case arrival
        case reversed
        /// Drawn from the session's seed; another seed is another schedule.
        case seeded
    }

    /// The time at which a held request is decided.
    package enum Moment: String, Sendable, CaseIterable {
        /// At once; only its response is held.
        case arrival
        /// At its release, based on the state of the session at that time.
        case release
    }

    /// Its display name: its own name, or `gate 1`.
    package var name: String
    /// The keys of the routes that it holds; empty for every route.
    package var routes: [String]
    /// The condition for a request to be held.
    package var condition: Condition?
    package var opening: Opening
    package var order: Order
    package var moment: Moment
    /// It opens by itself when so much real time has passed without a request coming to it.
    package var quiet: Duration
    /// The number of times that it closes; afterwards everything passes.
    package var times: Int
    /// A Boolean value that indicates whether the story is judged even if its race was not reached.
    package var isOptional: Bool
    package var position: JSONPosition

    /// The default time after which a gate opens in any case.
    package static let defaultQuiet = Duration.milliseconds(100)

    package init(
        name: String,
        routes: [String] = [],
        condition: Condition? = nil,
        opening: Opening,
        order: Order = .seeded,
        moment: Moment = .arrival,
        quiet: Duration = Gate.defaultQuiet,
        times: Int = 1,
        isOptional: Bool = false,
        position: JSONPosition = .unknown
    ) {
        self.name = name
        self.routes = routes
        self.condition = condition
        self.opening = opening
        self.order = order
        self.moment = moment
        self.quiet = quiet
        self.times = times
        self.isOptional = isOptional
        self.position = position
    }
}

extension Gate: ModelObject {
    init() { self.init(name: "", opening: .released) }

    static let keys = Keys("routeHold", "\"hold\"", "a gate at which a route's requests wait for each other") {
        Key(
            "until",
            .choice([.integer(2...10_000), .text(.oneOf(["released"])), .object(AnsweredExchange.self)]),
            """
            The condition that releases the held requests: their number, a response on another route, or an admin API \
            call.
            """
        ) { gate, tree, builder in
            if let count = tree.int {
                gate.opening = .inFlight(count)
            } else if let exchange = AnsweredExchange.keys.read(tree, &builder) {
                builder.expectFree(exchange.route, of: gate.routes, at: tree["answered"]?.position ?? tree.position)
                gate.opening = .answered(route: exchange.route, statuses: exchange.statuses)
            }
        }
        .required.example(3)
        Key("when", \.condition, .condition)
            .summary("The condition under which a request is held. Other requests are not held.")
            .example(["header": ["X-Device": "phone"]])
        Key("order", \.order, .word)
            .summary("The order in which the requests are released. \"seeded\" depends on the seed.")
        Key("decide", \.moment, .word)
            .summary(
                "The moment whose server state determines the response to a held request: the request's arrival or its release."
            )
        Key("quiet", \.quiet, .longDuration)
            .summary(
                "The real time that must pass without another request before the held requests are released anyway."
            )
        Key("times", \.times, .integer(1...1_000_000))
            .summary("The number of times that the gate holds requests. Later requests are not held.")
        Key("name", \.name, .text(.filled), "The gate's name in the verdict and the admin API.")
            .otherwise("gate 1, …, or the route").example("both at once")
        Key("optional", \.isOptional, .boolean, "If true, the story is judged even if the gate's race was not reached.")
    }

    /// The keys of a gate that no single route has.
    static let holdKeys = Keys(
        "hold",
        "\"hold\"",
        "a gate at which requests wait for each other",
        discussion: """
            A gate makes a race happen in every run: with `"hold": {"requests": "GET /diaries", "until": 3}`, three \
            requests are in progress before the server responds to the first request.

            On a busy machine, a quiet period proves nothing. Backlot therefore extends the quiet period by four times \
            the lag of the server's timers, and `run` measures the period from the last time that a thread in the \
            client's process group ran or waited for a processor. The extension is at most 500 ms. In the same way, \
            Backlot extends the 5 ms after which an automatic clock jumps.
            """
    ) {
        Key("requests", .oneOrMore(.text(.route)), "The routes whose requests are held.")
            .otherwise("every route").example(["GET /notes", "POST /notes"])
        keys.list
    }
}

/// The object of a gate that no single route has.
enum Hold: FormatObject {
    static var shape: ObjectShape { Gate.holdKeys.shape }
}

/// The exchange of another route that releases held requests.
private struct AnsweredExchange: ModelObject {
    var route = ""
    var statuses: [Int] = []

    static let keys = Keys("answered", "\"until\"", "the response that releases held requests") {
        Key("answered", \.route, .name(of: .route), "The route that must respond first.").required
        Key("status", \.statuses, .statuses, "The matching status codes.").otherwise("any").example(200)
    }
}

extension ScenarioBuilder {
    /// Reads the gates: first those that stand by themselves, then those of single routes.
    mutating func gates(of routes: [Route]) -> [Gate] {
        var gates: [Gate] = []
        for (index, tree) in (root["hold"].map { $0.array ?? [$0] } ?? []).enumerated() {
            let held = self.read(tree["requests"], as: .oneOrMore(.name(of: .route))) ?? []
            let parameters = held.map { key in routes.first { $0.key.text.exact == key.exact } }
                .map { $0?.key.template.parameterNames ?? [] }
            scope.pathParameters = (parameters.first ?? []).filter { name in
                parameters.allSatisfy { $0.contains(name.exact) }
            }
            if let gate = gate(tree, named: "gate \(index + 1)", routes: held) { gates.append(gate) }
        }
        for route in routes {
            guard let tree = root["routes"]?[route.key.text]?["hold"] else { continue }
            scope.pathParameters = route.key.template.parameterNames
            if let gate = gate(tree, named: route.key.text, routes: [route.key.text]) { gates.append(gate) }
        }
        scope.pathParameters = []
        checkNamesDiffer(gates)
        return gates
    }

    private mutating func gate(_ tree: JSONValue, named name: String, routes: [String]) -> Gate? {
        Gate.keys.read(tree, over: Gate(name: name, routes: routes, opening: .released, position: tree.position), &self)
    }

    fileprivate mutating func expectFree(_ route: String, of held: [String], at position: JSONPosition) {
        guard held.contains(route.exact) else { return }
        report(
            "scenario/held-response",
            "the requests wait for a response from \"\(route.shortened)\", whose requests are also held",
            at: position,
            advice: "in \"answered\", name a route whose requests are not held"
        )
    }

    private mutating func checkNamesDiffer(_ gates: [Gate]) {
        var names: Set<ExactText> = []
        for gate in gates where !names.insert(gate.name.exact).inserted {
            report(
                "scenario/same-name",
                "another \"hold\" has the name \"\(gate.name.shortened)\"",
                at: gate.position,
                advice: "choose a unique name; the admin API identifies the gate by its name"
            )
        }
    }
}
