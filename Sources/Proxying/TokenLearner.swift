import Basics
import Checking
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// Learns from the traffic with an upstream which tokens it has, where they travel, and what its routes are for.
///
/// The guesses are those of `autopsy`. A class, because the exchanges of all sessions are learned from together.
final class TokenLearner: Sendable {
    private struct State {
        var entries: [Capture.Entry] = []
        /// The signs of the kept entries; another one with the same sign is not looked at.
        var known: Set<String> = []
        var lifetimes: [String: Duration] = [:]
        var learned: JSONObject?
        var said: Set<String> = []
        /// The purposes of routes by method and path template.
        var purposes: [String: RoutePurpose] = [:]
        var refusals: Set<Int> = [401]
    }

    private let declared: [CapturedTokens.DeclaredKind]
    private let state = Lock(State())

    /// The number of exchanges that are kept: each route has few that differ in their tokens.
    private static let most = 400
    private static let unknownLifetime = Duration.seconds(3_650 * 86_400)

    init(_ declared: [CapturedTokens.DeclaredKind]) {
        self.declared = declared
    }

    /// The result of looking at one exchange.
    struct Lesson {
        var answer: UpstreamAnswer
        /// The tokens and routes, if they are other ones than before.
        var learned: JSONObject?
        /// The lines to print about them.
        var lines: [String] = []
    }

    func learn(_ entry: Capture.Entry, keeping response: HTTPResponse) -> Lesson {
        let routes = CapturedRoutes([entry])
        let alone = CapturedTokens([entry], routes, declared: declared)
        var lesson = Lesson(answer: UpstreamAnswer(response))
        let grants = alone.grants[0].map { grant in
            UpstreamGrant(kind: grant.kind, value: grant.value, lifetime: Self.lifetime(of: grant, in: entry))
        }
        lesson.answer.isWhole = !entry.lacksResponseBody
        lesson.answer.grants = grants
        lesson.answer.secrets = SecretValues.of(entry.response)
        state.withLock { state in
            let sign = Self.sign(of: entry, routes.routes[0], alone)
            if state.entries.count < Self.most, state.known.insert(sign).inserted {
                state.entries.append(entry)
                for grant in grants { if let lifetime = grant.lifetime { state.lifetimes[grant.kind] = lifetime } }
                lesson.learned = learn(&state, &lesson.lines)
            }
            let key = routes.routes[0].label
            let purpose = state.purposes[key] ?? alone.purposes[0]
            let status = response.status.code
            if !alone.offers[0].isEmpty {
                lesson.answer.isRefusal =
                    switch purpose {
                    case .refresh: RefreshRefusal.isRefusal(response)
                    case .signIn, .open: false
                    case .resource, .signOut: state.refusals.contains(status)
                    }
            }
        }
        return lesson
    }

    /// A text that is equal for exchanges from which the same is guessed.
    private static func sign(of entry: Capture.Entry, _ route: CapturedRoutes.Route, _ tokens: CapturedTokens) -> String
    {
        let offers = tokens.offers[0].map { "\($0.place)" }.sorted()
        let grants = tokens.grants[0].map { "\($0.place)" }.sorted()
        let status = (entry.response?.status.code ?? 0)
        return ([route.label, status < 300 ? "2xx" : "\(status)"] + offers + [">"] + grants).joined(separator: " ")
    }

    // MARK: Lifetimes

    private static func lifetime(of grant: CapturedTokens.Grant, in entry: Capture.Entry) -> Duration? {
        if let stated = CapturedTokens.lifetime(of: grant, in: entry) { return stated }
        guard case .cookie(let name) = grant.place else { return nil }
        for cookie in entry.response?.fields.values(of: "Set-Cookie") ?? [] {
            let parts = cookie.split(separator: ";").map { $0.trimming { $0 == " " } }
            guard parts.first?.hasPrefix("\(name)=") ?? false else { continue }
            for part in parts.dropFirst() where part.lowercased().hasPrefix("max-age=") {
                if let seconds = Int(part.dropFirst(8)), 0...1_000_000_000 ~= seconds { return .seconds(seconds) }
            }
        }
        return nil
    }

    // MARK: The scenario

    private func learn(_ state: inout State, _ lines: inout [String]) -> JSONObject? {
        let routes = CapturedRoutes(state.entries)
        let tokens = CapturedTokens(state.entries, routes, declared: declared)
        state.refusals = tokens.refusals
        state.purposes = Dictionary(
            zip(routes.routes.map(\.label), tokens.purposes),
            uniquingKeysWith: { first, _ in first }
        )
        var kinds = JSONObject()
        for kind in tokens.kinds { kinds[kind] = self.kind(kind, tokens, state.lifetimes[kind]) }
        var rules = JSONObject()
        for (number, route) in routes.routes.enumerated() {
            rules[route.key] = self.route(number, routes, tokens, over: rules[route.key])
        }
        var learned = JSONObject()
        if !kinds.isEmpty { learned["tokens"] = ["kinds": .object(kinds)] }
        learned["routes"] = .object(rules)
        defer { state.learned = learned }
        for kind in tokens.kinds {
            let line = self.line(kind, routes, tokens, state.lifetimes[kind])
            if let line, state.said.insert(line).inserted { lines.append(line) }
        }
        return learned == state.learned || kinds.isEmpty ? nil : learned
    }

    private func kind(_ kind: String, _ tokens: CapturedTokens, _ lifetime: Duration?) -> JSONValue {
        var carriers: [JSONValue] = []
        for offer in tokens.offers.joined() where offer.wanted == kind {
            if let carrier = offer.place.carrier?.json, !carriers.contains(carrier) { carriers.append(carrier) }
        }
        if carriers.isEmpty, let grant = tokens.grants.joined().first(where: { $0.kind == kind }) {
            // As the refresh tokens of most servers: in the body, by the name with which they were granted.
            switch grant.place {
            case .body(let pointer) where kind == "refresh":
                let name = grant.place.name
                carriers = [["body": .string("/" + name)], ["form": .string(name)]]
                if pointer != "/" + name { carriers.append(["body": .string(pointer)]) }
            case .cookie(let name): carriers = [["cookie": .string(name)]]
            default: break
            }
        }
        var object = JSONObject()
        object["lifetime"] = .string(DurationText.text(lifetime ?? Self.unknownLifetime))
        if let first = carriers.first { object["in"] = carriers.count == 1 ? first : .array(carriers) }
        object["format"] = "opaque"
        return .object(object)
    }

    /// The states in which a token is sent on: the upstream decides about those that this server does not know.
    private static let sentOn: JSONValue = .array(
        TokenStanding.allCases.filter { ![.expired, .revoked, .superseded, .reused].contains($0) }
            .map { .string($0.rawValue) }
    )

    private func route(
        _ number: Int,
        _ routes: CapturedRoutes,
        _ tokens: CapturedTokens,
        over known: JSONValue?
    ) -> JSONValue {
        let (route, purpose) = (routes.routes[number], tokens.purposes[number])
        var rule: JSONObject = ["forward": true]
        let offered = route.entries.flatMap { tokens.offers[$0] }.map(\.wanted)
        let granted = route.entries.flatMap { tokens.grants[$0] }.map(\.kind)
        switch purpose {
        case .refresh:
            let wanted = offered.contains("refresh") ? ["refresh"] : Array(Set(offered)).sorted()
            if !wanted.isEmpty { rule["requires"] = .object(JSONObject(wanted.map { ($0, Self.sentOn) })) }
        case .resource, .signOut:
            let wanted = Set(offered.filter { $0 != "refresh" }).sorted()
            if let first = wanted.first { rule["requires"] = .object([first: Self.sentOn]) }
        case .signIn, .open: break
        }
        if purpose == .refresh || purpose == .signIn, !granted.isEmpty {
            rule["grants"] = .object(JSONObject(Set(granted).sorted().map { ($0, "new") }))
            if purpose == .signIn { rule["signIn"] = true }
        }
        if purpose == .signOut { rule["then"] = [["signOut": "caller"]] }
        guard let grantType = route.grantType else { return .object(rule) }
        // A token endpoint has a case for each grant.
        rule["when"] = ["form": ["grant_type": .string(grantType)]]
        var whole = known?.object ?? ["forward": true]
        whole["cases"] = .array((whole["cases"]?.array ?? []) + [.object(rule)])
        return .object(whole)
    }

    private func line(
        _ kind: String,
        _ routes: CapturedRoutes,
        _ tokens: CapturedTokens,
        _ lifetime: Duration?
    ) -> String? {
        for (index, grants) in tokens.grants.enumerated() {
            guard let grant = grants.first(where: { $0.kind == kind }) else { continue }
            let route = routes.routes[routes.numbers[index]].label
            let place =
                switch grant.place {
                case .body(let pointer): pointer
                case .cookie(let name): "cookie \(name)"
                case .header(let name, _), .query(let name), .form(let name): name
                }
            let end = lifetime.map(DurationText.text) ?? "lifetime unknown"
            return "\(kind): response of \(route), \(place), \(end)".printable
        }
        return nil
    }
}

/// The values of messages that are secrets of their users.
enum SecretValues {
    static func of(_ response: HTTPResponse?) -> [String] {
        response.map { CapturedStrings.response($0).filter(isSecret).map(\.value) } ?? []
    }

    static func isSecret(_ item: CapturedStrings.Item) -> Bool {
        if case .cookie = item.place { return true }
        return Secrets.isSecret(item.place.name) || TokenNames.sayToken(item.place.name)
    }

    /// The purpose that a request's path and body suggest.
    static func purpose(of request: HTTPRequest, _ items: [CapturedStrings.Item]) -> RoutePurpose? {
        let words = request.path.split(separator: "/").map { TokenNames.plain(String($0)) }
        func says(_ list: [String]) -> Bool { words.contains { word in list.contains { word.contains($0) } } }
        let isRefreshGrant = items.contains {
            TokenNames.plain($0.place.name) == "granttype" && $0.value == "refresh_token"
        }
        if isRefreshGrant || says(["refresh", "renew", "reissue", "rotate"]) { return .refresh }
        if says(["logout", "signout", "withdraw"]) || words.last == "revoke" { return .signOut }
        let last = words.last ?? ""
        if request.method == .delete, ["user", "me", "account", "session", "token", "withdrawal"].contains(last) {
            return .signOut
        }
        if says(["login", "signin", "signup"])
            || items.contains(where: { TokenNames.plain($0.place.name).contains("password") })
        {
            return .signIn
        }
        return nil
    }
}
