package import JSON

/// A loaded scenario: a backend, and the story that is laid over it, if any.
///
/// Everything in it has been checked: names resolve, fixtures are read, placeholders are known.
package struct Scenario: Sendable {
    /// The backend's name.
    package var backend: String
    package var story: Story?
    /// The OpenAPI file that says what requests and responses are like.
    package var contract: ContractReference?
    /// The handling of requests that the contract does not document; `nil` depends on the use of the contract.
    package var undocumented: UndocumentedRule?
    /// The source of responses that the contract documents and the scenario lacks.
    package var fill = FillRule.off
    /// The base URL of the server that gets the requests which are sent on; `nil` if missing.
    package var upstream: String?
    /// A Boolean value that indicates whether the scenario is a recording that is played without its server.
    package var isOffline = false
    package var clock = ClockSettings()
    /// The real time for which refusals of tokens and responses to refreshes are held; `nil` for the server's default.
    package var refusalHold: Duration?
    package var seed: UInt64 = 1
    package var accounts: [Account] = []
    /// The header field by which a request names its device.
    package var deviceHeader: String?
    package var tokens = TokenRules()
    /// The position of the backend's issuer, also for the parts that it defines.
    package var issuerPosition: JSONPosition?
    package var states: [StateDeclaration] = []
    package var counters: [CounterDeclaration] = []
    /// The stored items, including the accounts.
    package var collections: [ItemCollection] = []
    /// Guards that look before the tokens are judged, in order.
    package var earlyGuards: [Guard] = []
    /// Guards that look after the tokens were accepted, in order.
    package var lateGuards: [Guard] = []
    package var routes: [Route] = []
    /// The origins whose pages may send requests, for browsers; `nil` if not set.
    package var crossOrigin: CrossOrigin?
    /// The TLS of the servers; `nil` for the ordinary certificate.
    package var tls: TLSBehavior?
    /// All definitions of TLS, also by events.
    package var definedTLS: PlacedTLS = []
    package typealias PlacedTLS = [(behavior: TLSBehavior, position: JSONPosition)]
    package var requiresTLS: Bool { !definedTLS.isEmpty }
    package var unmatched: Fallback?
    package var wrongMethod: Fallback?
    package var invalidRequest: StubResponse?
    package var given: [PastEvent] = []
    /// The processes of the client that share its store; empty for a client of one.
    package var processes: [ProcessDeclaration] = []
    package var timeline: [TimelineEntry] = []
    package var expectations: [Expectation] = []
    /// Rules that are not passed, each with its reason.
    package var exemptions: [Exemption] = []
    /// The gates at which requests wait for each other, in the order of the file.
    package var gates: [Gate] = []
    /// The other servers of the story.
    package var origins: [Origin] = []
    /// The story's additions to its backend, which must be played.
    package var parts: [StoryPart] = []

    package init(backend: String) {
        self.backend = backend
    }
}

extension Scenario: ModelObject {
    init() { self.init(backend: "") }

    /// The keys of a whole file, backend or story.
    static let keys = Keys("scenario", "a scenario file", "a backend or a story") {
        Key("$schema", .text(.any), "The path of this format's JSON Schema, for editors. Backlot ignores this key.")
            .example("../scenario.schema.json")
        Key("backend", \.backend, .text(.filled), "The backend's name, which makes the file a backend file.")
            .withoutDefault.example("Notes")
        Key("extends", .text(.path), "The backend or story that this story extends.")
        Story.keys as [any FormatKey]
        Key("variants", .map(of: .object(StoryVariant.self), names: .name))
            .summary(
                """
                The story's variants, by name. Each variant is run as a separate story; `--story ID/NAME` runs only the \
                variant NAME. Not allowed in a backend.
                """
            )
            .example(["no-data": ["title": "The same story without data"]])
        Key(Story.silent)
        Key("exceptions", .map(of: .text(.filled), names: .rule))
            .summary("Rules that do not apply to the client, each with a reason.")
            .example(["B2": "the app has no lock yet"])
        Key("contract", .text(.path))
            .summary(
                """
                The OpenAPI file that requests and responses must match: a path relative to this file, anywhere in the \
                project.
                """
            ).example("../../Contracts/notes.json")
        Key("undocumented", \.undocumented, .word)
            .summary("The handling of requests that the contract does not document.")
            .otherwise("`\"warn\"`, or `\"refuse\"` if the contract is enforced")
        Key("fill", \.fill, .word, "The source of responses for contract operations that have no route.")
        Key("upstream", \.upstream, .text(.baseURL), "The server for all other requests.")
            .example("https://staging.example.com")
        Key("clock", \.clock, .object, "The start and the rate of the virtual clock.")
        Key("holdRefusals", \.refusalHold, .duration).summary(
            "The real time for which token refusals, refresh responses and failures with Retry-After are held; "
                + "--hold-refusals overrides this time."
        )
        Key("seed", \.seed, .of(.integer(0...Int.max)) { UInt64(clamping: $0) })
            .summary("The seed for all random choices. --seed and sessions override this seed.")
            .otherwise("`1`").example(7)
        Key("accounts", \.accounts, .accounts)
            .summary("The users and their data, by account name. The first account signs in by default.")
            .example(["ada": ["id": 7, "name": "Ada"]])
        Key("devices", \.deviceHeader, .of(.object) { (devices: Devices) in devices.header })
            .summary("The way in which requests identify their device.")
        Key("issuer", .object(Issuer.self))
            .summary("An OAuth 2 authorization server, which defines token kinds and routes.")
            .example(["clients": ["app": ["redirects": ["app://callback"]]]])
        Key("tokens", .object(TokenRules.self), "The token kinds and their rules.")
            .example(["kinds": ["access": ["lifetime": "15m"]]])
        Key("states", \.states, .states, "Named states and their values. The first value is the initial value.")
            .example(["plan": ["trial", "paid"]])
        Key("counters", \.counters, .counters(areDeclared: false), "Counters and their initial values.")
            .example(["note": 100])
        Key("collections", .restricted(.map(of: .object(ItemCollection.self), names: .name), ItemCollection.rules))
            .summary("Collections of stored items, which responses can change. \"accounts\" always exists.")
            .example(["notes": ["items": [["id": 1]]]])
        Key("defaults", .object(ResponseDefaults.self), "Defaults for every response.").example(["latency": "80ms"])
        Key("cors", \.crossOrigin, .choice(.of(.boolean) { $0 ? CrossOrigin() : nil }, .object))
            .summary("Browser access for pages from other origins (CORS); true allows all origins.")
            .otherwise("`false`").example(["origins": ["https://app.example.com"], "credentials": true])
        Key("tls", \.tls, .tls, "The TLS of the servers, which requires https.").example("expired")
        Key("guards", .list(of: .object(Guard.self)), "Checks that apply to every route, in the listed order.")
            .example([["when": ["header": ["X-Version": ["exists": false]]], "status": 426, "empty": true]])
        Key("routes", .map(of: .object(Route.self), names: .route), "Routes by method and path template.")
            .example(["GET /notes/{id}": ["json": ["id": "{{request.path.id}}"]]])
        Key("origins", .map(of: .object(Origin.self), names: .name))
            .summary("Other servers in the story, such as an image host. {{origin.NAME}} is a server's base URL.")
            .example(["images": ["routes": ["GET /{name}": ["file": "fixtures/picture.png"]]]])
        Key("unmatched", \.unmatched, .fallback, "The backend's own response to a request for an unknown path.")
            .otherwise("404 with `application/problem+json`").example(["status": 404, "json": ["error": "unknown"]])
        Key("wrongMethod", \.wrongMethod, .fallback)
            .summary("The backend's own response to a request that uses an undefined method on a known path.")
            .otherwise("405 with `application/problem+json`").example(["status": 405, "empty": true])
        Key("invalidRequest", \.invalidRequest, .response)
            .summary("The backend's own response to a request that lacks a value that the response requires.")
            .otherwise("400 with `application/problem+json`").example(["status": 400, "empty": true])
        Key("given", .list(of: .event(with: .ago)), "Events before the client starts, oldest first.")
            .example([["signIn": "phone", "ago": "1h"]])
        Key("processes", \.processes, .processes)
            .summary(
                """
                The processes of one client that share the client's store, by name: a "start" process runs from the \
                beginning; a "later" process starts during the story.
                """
            ).example(["app": "start", "extension": "later"])
        Key("timeline", .list(of: .event(with: .trigger)), "Events while the client runs.")
            .example([["at": "10m", "revoke": "refresh"]])
        Key("hold", .choice([.object(Hold.self), .list(of: .object(Hold.self))]))
            .summary("Gates at which requests wait for each other so that they overlap.")
            .example(["requests": "GET /notes", "until": 3])
        Key("expect", .list(of: ValueType<Expectation>.expectation.shape), "The behavior of a correct client.")
            .example([["request": "POST /refresh", "count": 1]])
        Key("bugs", .map(of: .text(.filled), names: .any))
            .summary("Known bugs in the backend's clients, by the names used in \"reproduces\".")
            .example(["smeem/B3": "The splash screen remains visible when a refresh is refused."])
    }

    /// The keys by which files and stories are known, so that null does not remove them.
    static let kept = ["backend", "extends", "id", "title"]

    /// The keys that say which file this is, so that a variant does not have them.
    fileprivate static let identity = ["$schema", "backend", "extends", "id", "variants", "issuer"]

    /// The keys of which the routes and collections know nothing: what is read of those holds when one changes.
    static let apart = Set(
        identity + [
            "contract", "undocumented", "fill", "upstream", "title", "about", "reproduces", "bugClasses", "uiOnly",
            "silent",
            "exceptions", "clock", "holdRefusals", "seed", "tls", "guards", "routes", "unmatched", "wrongMethod",
            "invalidRequest", "given", "processes", "timeline", "hold", "expect", "bugs",
        ]
    )
}

extension Scenario {
    /// Lets another server respond to requests that no route handles, unless the scenario has its own response to them.
    package mutating func forwardRest(to url: String) {
        upstream = url
        var forwarding = Fallback()
        forwarding.responses.own = StubResponse(body: .forwarded)
        unmatched = unmatched ?? forwarding
        if unmatched?.isForwarded == true { wrongMethod = wrongMethod ?? forwarding }
    }

    /// The same with the scenario's own upstream.
    mutating func forwardRest() {
        if let upstream { forwardRest(to: upstream) }
    }

    /// Responds only to requests that a recording contains.
    ///
    /// Those are the requests that a case of their route matches, and those of routes without cases, unless their query
    /// has other names. A sign-in need not be equal to a recorded one.
    ///
    /// - Parameter url: The server that responds to all other requests, and that issues the tokens, because it would not
    ///   know those of the recording; `nil` to refuse the other requests.
    package mutating func replay(forwardingRestTo url: String?) {
        let purposes = RoutePurposes(self)
        let rest = ResponseSequence(own: url.map { _ in StubResponse(body: .forwarded) })
        if url == nil { (upstream, unmatched, wrongMethod, isOffline) = (nil, nil, nil, true) }
        let carried = tokens.kinds.flatMap(\.carriers).compactMap {
            if case .query(let name) = $0.part { name } else { nil }
        }
        for index in routes.indices {
            let route = routes[index]
            let isIssuing = [.signIn, .refresh].contains(purposes.purposes(of: route).common)
            if isIssuing, url == nil, route.responses.own?.isForwarded != true { continue }
            routes[index].responses = rest
            if isIssuing {
                routes[index].cases = []
                continue
            }
            if route.cases.isEmpty { routes[index].cases = [Branch(responses: route.responses)] }
            routes[index].cases.removeAll { url == nil && $0.responses.all.contains(where: \.isForwarded) }
            for number in routes[index].cases.indices {
                let condition = routes[index].cases[number].condition
                routes[index].cases[number].condition = .all([condition, .onlyQuery(condition.queryNames + carried)])
            }
        }
        if let url { forwardRest(to: url) }
    }
}

extension Condition {
    /// The query items that it is about.
    fileprivate var queryNames: [String] {
        switch self {
        case .all(let conditions), .any(let conditions): conditions.flatMap(\.queryNames)
        case .not(let condition): condition.queryNames
        case .request(.query(let name), _), .request(.parameter(let name), _): [name]
        default: []
        }
    }
}

extension StubResponse {
    /// A Boolean value that indicates whether the upstream server responds.
    package var isForwarded: Bool {
        if case .forwarded = body { true } else { false }
    }
}

extension Fallback {
    /// A Boolean value that indicates whether the upstream server responds where no case does.
    package var isForwarded: Bool { responses.own?.isForwarded ?? false }
}

/// The changes of a variant to its story.
enum StoryVariant: FormatObject {
    /// The keys that a variant may change in its story: all that do not identify the file.
    static let shape = ObjectShape(
        "variant",
        "a variant",
        "the changes that a variant makes to its story",
        Scenario.shape.keys.filter { !Scenario.identity.contains($0.name) }.map { key in
            var key = key
            key.isRequired = key.name == "title"
            return key
        },
        merging: .change
    )
}

/// A user of the backend.
package struct Account: Sendable {
    package var name: String
    /// The data of the user, for placeholders and claims.
    package var data: JSONObject
}

extension ValueType<[Account]> {
    fileprivate static var accounts: Self {
        map(names: .name, of: .map(of: .anything, names: .any)) { member, _ in
            Account(name: member.name, data: JSONObject(Optional(member.value).members))
        }
    }
}

private struct Devices: ModelObject {
    var header = ""

    static let keys = Keys("devices", "\"devices\"", "the way in which requests identify their device") {
        Key("header", \.header, .text(.fieldName), "The header field that identifies the device.").required
    }
}

/// The OpenAPI file that documents a backend, as the scenario names it.
package struct ContractReference: Sendable, Hashable {
    /// The file's path as the user would write it, from where the scenario was loaded.
    package var path: String
    /// The place where the scenario names it.
    package var position: JSONPosition
}

/// The handling of a request that the contract does not document.
package enum UndocumentedRule: String, Sendable, Hashable, CaseIterable {
    /// It is answered as scripted, and nothing is said.
    case allow
    /// It is answered as scripted, and reported.
    case warn
    /// It is answered with a problem, before it changes anything.
    case refuse
}

/// The source of responses for operations of the contract without a route.
package enum FillRule: String, Sendable, Hashable, CaseIterable {
    /// The contract's examples, and values made from its schemas where it has none.
    case examples
    /// Values made from the contract's schemas.
    case schema
    /// From nowhere: such a request matches no route.
    case off
}

/// A rule that a story does not pass on its client, and why.
package struct Exemption: Sendable, Hashable {
    package var rule: RuleName
    package var reason: String
    package var position: JSONPosition
}
