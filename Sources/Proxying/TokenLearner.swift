import Basics
import Checking
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import StubServing

/// Learns from the traffic with an upstream which tokens it has, where they travel, and what its routes are for.
///
/// The guesses are those of `autopsy`. A class, because the exchanges of all sessions are learned from together.
final class TokenLearner: Sendable {
    private struct State {
        /// The exchanges without anything that learning does not need.
        var entries: [Capture.Entry] = []
        /// The size of their texts, in bytes.
        var bytes = 0
        /// The fingerprints of the kept entries; another one with the same fingerprint is not looked at.
        var known: Set<String> = []
        var lifetimes: [String: Duration] = [:]
        var learned: JSONObject?
        var said: Set<String> = []
        /// The purposes of routes by method and path template.
        var purposes: [String: RoutePurpose] = [:]
        var refusals: Set<Int> = [401]
    }

    private let declared: [CapturedTokens.DeclaredKind]
    /// A Boolean value that indicates whether a refresh token that is sent again ends the session here, as it would at most
    /// servers that rotate these tokens.
    private let detectsReuse: Bool
    private let state = Lock(State())

    /// The number of exchanges that are kept: each route has few that differ in their tokens.
    private static let most = 400
    /// The most bytes of their texts, which bound the time in which they are all looked at again: 512 kB.
    private static let mostBytes = 512 << 10
    private static let unknownLifetime = Duration.seconds(3_650 * 86_400)

    init(_ declared: [CapturedTokens.DeclaredKind], detectsReuse: Bool) {
        (self.declared, self.detectsReuse) = (declared, detectsReuse)
    }

    /// The result of looking at one exchange.
    struct Lesson {
        var answer: UpstreamAnswer
        /// The tokens and routes, if they are other ones than before.
        var learned: LearnedParts?
        /// The lines to print about them.
        var lines: [String] = []
    }

    /// - Parameters:
    ///   - entry: An exchange whose texts have been read.
    ///   - response: The response as the client gets it.
    ///   - now: The time by which its JSON Web Tokens expire, if they are not the upstream's.
    func learn(_ entry: Capture.Entry, keeping response: HTTPResponse, at now: VirtualTime?) -> Lesson {
        let routes = CapturedRoutes([entry])
        let alone = CapturedTokens([entry], routes, declared: declared)
        var lesson = Lesson(answer: UpstreamAnswer(response))
        var grants = alone.grants[0].map { grant in
            let lifetime = CapturedTokens.lifetime(of: grant, in: entry, issued: now?.seconds)
            let isExtended = grant.place.isCookie && CapturedTokens.remainder(of: grant.value, in: entry) == nil
            return UpstreamGrant(kind: grant.kind, value: grant.value, lifetime: lifetime, isExtended: isExtended)
        }
        // The tokens of an identity provider, with which the client speaks directly.
        if response.status.isSuccessful, grants.isEmpty {
            for offer in alone.offers[0] where offer.wanted != "refresh" {
                guard let rest = CapturedTokens.remainder(of: offer.value, in: entry) else { continue }
                grants.append(UpstreamGrant(kind: offer.wanted, value: offer.value, lifetime: rest, isShown: true))
            }
        }
        lesson.answer.isWhole = !entry.lacksResponseBody
        lesson.answer.grants = grants
        let key = routes.routes[0].label
        state.withLock { state in
            let fingerprint = Self.fingerprint(of: entry, key, alone)
            if state.entries.count < Self.most, !state.known.contains(fingerprint), Self.keep(entry, in: &state) {
                state.known.insert(fingerprint)
                for grant in grants {
                    if let lifetime = grant.lifetime, !grant.isShown { state.lifetimes[grant.kind] = lifetime }
                }
                lesson.learned = learn(&state, &lesson.lines)
            }
            let purpose = state.purposes[key] ?? alone.purposes[0]
            let status = response.status.code
            if !alone.offers[0].isEmpty {
                lesson.answer.isRefusal =
                    switch purpose {
                    case .refresh: RefreshRefusal.isRefusal(response)
                    case .signIn, .open: false
                    case .resource, .signOut: state.refusals.contains(status) && !RefreshRefusal.isUndecided(response)
                    }
            }
        }
        return lesson
    }

    /// Keeps the method, the path and the texts of an exchange; false if there is no room.
    private static func keep(_ entry: Capture.Entry, in state: inout State) -> Bool {
        let size = entry.strings.map { ($0.sent + $0.received).reduce(0) { $0 + $1.value.utf8.count } } ?? 0
        guard state.bytes + size <= mostBytes else { return false }
        state.bytes += size
        let request = HTTPRequest(method: entry.request.method, target: entry.request.path)
        let response = HTTPResponse(status: entry.response?.status ?? .ok)
        var kept = Capture.Entry(
            at: entry.start,
            scheme: entry.scheme,
            host: entry.host,
            request: request,
            response: response
        )
        kept.strings = entry.strings
        state.entries.append(kept)
        return true
    }

    /// A text that is equal for exchanges from which the same is guessed.
    private static func fingerprint(of entry: Capture.Entry, _ label: String, _ tokens: CapturedTokens) -> String {
        let offers = tokens.offers[0].map { "\($0.place)" }.sorted()
        let grants = tokens.grants[0].map { "\($0.place)" }.sorted()
        let status = entry.response?.status.code ?? 0
        return ([label, status < 300 ? "2xx" : "\(status)"] + offers + [">"] + grants).joined(separator: " ")
    }

    // MARK: The scenario

    private func learn(_ state: inout State, _ lines: inout [String]) -> LearnedParts? {
        let routes = CapturedRoutes(state.entries)
        let tokens = CapturedTokens(state.entries, routes, declared: declared)
        state.refusals = tokens.refusals
        state.purposes = Dictionary(
            zip(routes.routes.map(\.label), tokens.purposes),
            uniquingKeysWith: { first, _ in first }
        )
        var kinds = JSONObject()
        for kind in tokens.kinds {
            let rotates = detectsReuse && kind == "refresh" && Self.rotates(routes, tokens)
            kinds[kind] = self.kind(kind, tokens, state.lifetimes[kind], rotates: rotates)
        }
        var rules = JSONObject()
        let succeeded = state.entries.map { $0.response?.status.isSuccessful ?? false }
        for (number, route) in routes.routes.enumerated() {
            rules[route.key] = self.route(number, routes, tokens, succeeded, over: rules[route.key])
        }
        var learned = JSONObject()
        if !kinds.isEmpty { learned["tokens"] = ["kinds": .object(kinds)] }
        learned["routes"] = .object(rules)
        defer { state.learned = learned }
        for kind in tokens.kinds {
            let end = state.lifetimes[kind].map(DurationText.text) ?? "lifetime unknown"
            let line = line(kind, routes, tokens, end)
            if let line, state.said.insert(line).inserted { lines.append(line) }
        }
        guard learned != state.learned, !kinds.isEmpty else { return nil }
        return LearnedParts(learned, number: state.known.count)
    }

    /// Returns whether a refresh has replaced its refresh token.
    private static func rotates(_ routes: CapturedRoutes, _ tokens: CapturedTokens) -> Bool {
        tokens.grants.indices.contains { index in
            guard tokens.purposes[routes.numbers[index]] == .refresh else { return false }
            let offered = tokens.offers[index].filter { $0.kind == "refresh" }.map(\.value)
            return !offered.isEmpty
                && tokens.grants[index].contains { $0.kind == "refresh" && !offered.contains($0.value) }
        }
    }

    private func kind(_ kind: String, _ tokens: CapturedTokens, _ lifetime: Duration?, rotates: Bool) -> JSONValue {
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
        if rotates { object["rotate"] = ["reuse": "revokeDevice"] }
        return .object(object)
    }

    /// The states in which a token is sent on: the upstream decides about those that this server does not know.
    private static let sentOn = states(except: .expired, .revoked, .superseded, .reused)
    private static let sentBesideRefresh = states(except: .revoked)

    private static func states(except others: TokenStanding...) -> JSONValue {
        .array(TokenStanding.allCases.filter { !others.contains($0) }.map { .string($0.rawValue) })
    }

    private func route(
        _ number: Int,
        _ routes: CapturedRoutes,
        _ tokens: CapturedTokens,
        _ succeeded: [Bool],
        over known: JSONValue?
    ) -> JSONValue {
        let (route, purpose) = (routes.routes[number], tokens.purposes[number])
        var rule: JSONObject = ["forward": true]
        let offered = route.entries.flatMap { tokens.offers[$0] }.map(\.wanted)
        var granted = route.entries.flatMap { tokens.grants[$0] }.map(\.kind)
        switch purpose {
        case .refresh:
            let wanted = offered.contains("refresh") ? ["refresh"] : Array(Set(offered)).sorted()
            var requires = JSONObject()
            // A token next to a refresh token may be needed, in any state, unless a refresh has succeeded without it.
            for kind in Set(offered).subtracting(wanted).sorted() {
                let isNeedless = route.entries.contains { entry in
                    succeeded[entry] && !tokens.offers[entry].contains { $0.wanted == kind }
                }
                if !isNeedless { requires[kind] = Self.sentBesideRefresh }
            }
            for kind in wanted { requires[kind] = Self.sentOn }
            if !wanted.isEmpty { rule["requires"] = .object(requires) }
            // The upstream may have refused all refreshes so far.
            if granted.isEmpty, wanted == ["refresh"] { granted = ["access"] }
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

    private func line(_ kind: String, _ routes: CapturedRoutes, _ tokens: CapturedTokens, _ end: String) -> String? {
        for (index, grants) in tokens.grants.enumerated() {
            guard let grant = grants.first(where: { $0.kind == kind }) else { continue }
            let route = routes.routes[routes.numbers[index]].label
            var place = grant.place.name
            if case .body(let pointer) = grant.place { place = pointer }
            if case .cookie = grant.place { place = "cookie \(place)" }
            return "\(kind): response of \(route), \(place), \(end)".printable
        }
        return nil
    }
}
