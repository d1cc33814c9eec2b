import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

struct BackendMaker {
    let session: CapturedSession
    /// A Boolean value that indicates whether equal requests get equal bytes, except for secrets; if not, the files are
    /// easier to read and edit.
    let isExact: Bool
    var redaction: Redaction
    var fixtures = DraftFixtures(.lines)
    private(set) var findings: [Finding] = []
    /// The parts that were left out, and how often.
    var left: [String: Int] = [:]
    /// The differences that all responses may have, as sentences for the backend.
    var general: Set<String> = []
    /// The names of the fixtures that are named after their content.
    private var contents: Set<String> = []
    /// The names of header fields that no response has, because servers and proxies write them.
    var passed: Set<String> = []
    /// The entries of every route with the same host and key.
    var entriesByRoute: [String: [Int]] = [:]
    /// The exchanges that accepted or refused a token, by its id.
    var exchangesByToken: [String: [Exchange]] = [:]

    var entries: [Capture.Entry] { session.capture.entries }
    var tokens: CapturedTokens { session.tokens }

    init(_ session: CapturedSession, isExact: Bool) {
        (self.session, self.isExact) = (session, isExact)
        var redaction = Redaction(keepsPersonal: isExact)
        for (index, entry) in session.capture.entries.enumerated() {
            for offer in session.tokens.offers[index] { redaction.addToken(offer.value) }
            for grant in session.tokens.grants[index] { redaction.addToken(grant.value) }
            for item in CapturedStrings.request(entry.request) + (entry.response.map(CapturedStrings.response) ?? []) {
                let name = item.place.name
                switch item.place {
                case .header("authorization", scheme: "Basic"):
                    redaction.addSecret(item.value)
                    let pair = Base64.decode(item.value).map { String(decoding: $0, as: UTF8.self) } ?? ""
                    redaction.addSecret(String(pair.drop { $0 != ":" }.dropFirst()), isPassword: true)
                case .cookie, .header("authorization", _): redaction.addSecret(item.value)
                case _ where TokenNames.saySecret(name):
                    redaction.addSecret(item.value, isPassword: Secrets.isPassword(name))
                default: break
                }
                redaction.learn(item.value)
            }
            redaction.learn(entry.request.target)
            redaction.addPublic(path: entry.request.path)
            for (body, fields) in [
                (entry.request.body, entry.request.fields), (entry.response?.body ?? [], entry.response?.fields ?? [:]),
            ] where !body.isEmpty && CapturedStrings.isDocument(body, type: fields["Content-Type"]) {
                redaction.learn(document: String(decoding: body, as: UTF8.self))
            }
        }
        for secret in session.capture.secrets { redaction.addSecret(secret) }
        self.redaction = redaction
        for route in session.routes.routes {
            entriesByRoute["\(route.host) \(route.key)", default: []] += route.entries
        }
        for exchange in session.evidence.exchanges where exchange.origin == nil {
            for offer in exchange.offered where offer.isAccepted != nil {
                if let id = offer.id { exchangesByToken[id, default: []].append(exchange) }
            }
        }
    }

    // MARK: Backend

    mutating func backend(named name: String, schemaPath: String?) -> DraftScenario {
        var object: DraftScenario = [.schema: schemaPath.map(JSONValue.string)]
        object.comment = .strings(
            ["Generated from captured traffic by backlot \(isExact ? "proxy" : "import"). Check the assumptions:"]
                + session.assumptions.map { redaction.plain($0) }
        )
        object[.backend] = .string(DraftText.literal(redaction.plain(name)))
        object[.clock] = entries.first.map { .scenario([.start: .string($0.start.description)]) }
        object[.accounts] = ["user": [:]]
        if !tokens.kinds.isEmpty { object[.tokens] = tokenRules() }
        object[.cors] = isExact ? crossOrigin : nil
        var routes = JSONObject()
        for number in session.routes.routes.indices {
            let route = session.routes.routes[number]
            guard session.hosts.contains(route.host), let made = self.route(number) else { continue }
            guard let known = routes[route.key] else {
                routes[route.key] = made.json
                continue
            }
            guard let both = byGrantType(DraftRoute(known.object ?? [:]), made, number) else {
                left["a route on another host with the same method and path as an imported route", default: 0] += 1
                continue
            }
            routes[route.key] = both.json
        }
        object[.routes] = .object(routes)
        let foreign = entries.count { !session.hosts.contains($0.host) }
        if foreign > 0 {
            left["requests to other hosts, which can be added with --host"] = foreign
            general.insert("left out: \(plural(foreign, "request")) to other hosts, which can be added with --host")
        }
        if !passed.isEmpty {
            general.insert(
                "left out, because servers and proxies write these fields: \(passed.sorted().joined(separator: ", "))"
            )
        }
        object.add(comments: general.sorted())
        for (what, count) in left.sorted(by: { $0.key < $1.key }) {
            findings.append(note("\(what): left out \(count == 1 ? "once" : "\(count) times")"))
        }
        return object
    }

    /// Adds a fixture and returns its path.
    ///
    /// An exact one is named after its content, so that a folder that is written again has the files that are named in
    /// it at every moment.
    mutating func fixture(_ bytes: [UInt8], named name: String, ending: String = "json") -> String {
        guard isExact else { return fixtures.place(bytes, named: name, ending: ending) }
        let fingerprint = SHA1.hash(bytes).prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let name = "\(name)-\(fingerprint).\(ending)"
        return contents.insert(name).inserted ? fixtures.add(bytes, named: name) : "fixtures/\(name)"
    }

    func note(_ message: String) -> Finding {
        Finding(.note, id: "import/left-out", message, at: Place(file: session.capture.file))
    }

    /// The rule for pages of other origins; `nil` if no response lets one read it (Fetch standard, "CORS protocol").
    private var crossOrigin: JSONValue? {
        let fields = entries.compactMap { session.hosts.contains($0.host) ? $0.response?.fields : nil }
        guard fields.contains(where: { $0.contains("Access-Control-Allow-Origin") }) else { return nil }
        let isForUsers = fields.contains { $0.contains("Access-Control-Allow-Credentials", token: "true") }
        let exposed = fields.flatMap { $0.values(of: "Access-Control-Expose-Headers") }
            .flatMap { $0.split(separator: ",") }
            .map { name in String(name.trimming { $0 == " " }) }.filter { $0 != "*" && HTTPFields.isName($0) }
        let rule: Draft<DraftKeys.CrossOrigin> = [
            .expose: exposed.isEmpty ? nil : .strings(Set(exposed).sorted()), .credentials: isForUsers ? true : nil,
        ]
        return rule.isEmpty ? true : rule.json
    }

    mutating func tokenRules() -> JSONValue {
        var kinds = JSONObject()
        let life = session.evidence.ledger.tokens
        for kind in tokens.kinds {
            var object = Draft<DraftKeys.Tokens>()
            let known = session.evidence.roles.kind(named: kind)
            let isKnown = known.map { $0.lifetime < .seconds(9 * 365 * 86_400) } ?? false
            if !isKnown {
                object.comment = "The capture does not show the lifetime of this token."
                findings.append(
                    note(
                        "the lifetime of \(kind) tokens is a guess, because the capture contains neither exp nor expires_in"
                    )
                )
            }
            let guess: Duration = kind == "refresh" ? .seconds(14 * 86_400) : .seconds(3_600)
            object[.lifetime] = .string(DurationText.text(isKnown ? known?.lifetime ?? guess : guess))
            var places: [CapturedPlace] = []
            for offer in tokens.offers.joined() where offer.wanted == kind && !places.contains(offer.place) {
                places.append(offer.place)
            }
            let carriers = places.compactMap(\.carrier?.json)
            if let first = carriers.first { object[.in] = carriers.count == 1 ? first : .array(carriers) }
            let isJWT = life.contains { $0.kind == kind && TokenClaims($0.value)?.end != nil }
            object[.format] = .string(isJWT ? "jwt" : "opaque")
            if known?.rotates ?? false { object[.rotate] = true }
            if let refusal = refusal(of: kind) {
                object[.reject] = ["*": refusal.response.json]
                if kind == "refresh" { object[.terminal] = [.number(refusal.status)] }
            }
            kinds[kind] = object.json
        }
        return .tokens([.kinds: .object(kinds), .jti: true])
    }

    /// The server's refusal of a kind.
    mutating func refusal(of kind: String) -> (status: Int, response: DraftRoute)? {
        for index in entries.indices {
            guard let response = entries[index].response, session.hosts.contains(entries[index].host),
                session.evidence.exchanges[index].offered.contains(where: {
                    $0.wanted == kind && $0.isAccepted == false
                })
            else { continue }
            return (response.status.code, message(response, index, as: .refusal))
        }
        return nil
    }

    // MARK: Routes

    /// Returns whether an entry's response is about a token and not about the route.
    func isTokenRefusal(_ index: Int) -> Bool {
        session.evidence.exchanges[index].offered.contains { $0.isAccepted == false }
    }

    mutating func route(_ number: Int) -> DraftRoute? {
        let route = session.routes.routes[number]
        let purpose = tokens.purposes[number]
        var object: DraftRoute = [.requires: requirements(of: route, purpose)]
        let answered = route.entries.filter { entries[$0].response != nil && !isTokenRefusal($0) }
        let whole = answered.filter { entries[$0].error == nil }
        let grouping = CapturedVariants(whole.isEmpty ? answered : whole) { variant($0, route, purpose) }
        guard let own = grouping.own(where: { entries[$0].isSuccess }) else {
            object[.empty] = true
            let isLost = route.entries.contains { entries[$0].response == nil || entries[$0].error != nil }
            let reason =
                isLost ? "none of its responses reached the client" : "the capture contains only token refusals"
            object.comment = .string("placeholder: \(reason)")
            noteGuess("\(route.key): its response is a placeholder, because \(reason)", route)
            return object
        }
        if whole.isEmpty, let error = entries[own.entries[0]].error {
            let text = redaction.plain(error).printable.shortened
            object.add(comments: ["this response was recorded, but did not reach the client: \(text)"])
            noteGuess("\(route.key): its response was recorded, but did not reach the client", route)
        }
        if grouping.hasHiddenDifferences {
            let difference = "differences between its requests in the second or a later value of a query item"
            left["\(route.key): \(difference)", default: 0] += 1
            object.add(comments: [
                "requests that differ only in the second or a later value of a query item receive the same response"
            ])
        }
        let lost = route.entries.count { entries[$0].response == nil || entries[$0].error != nil }
        if !whole.isEmpty, lost > 0 {
            object.add(comments: ["\(lost == 1 ? "a response" : "\(lost) responses") did not reach the client"])
        }
        let isOnlyConditional = own.variant.precondition != nil
        var cases: [(json: JSONValue, count: Int)] = []
        // Then the route's own response is for requests that were not captured.
        var hasOwnCase = false
        // A recording that is replayed tells its own requests from others.
        for group in grouping.groups where isOnlyConditional || isExact || group.variant != own.variant {
            guard cases.count < (isExact ? 10_000 : 100),
                let condition = condition(group.variant, unlike: own.variant, among: grouping)
            else {
                guard group.variant != own.variant else { continue }
                left["\(route.key) with values that differ from the first request's values", default: 0] += 1
                continue
            }
            var branch: DraftRoute = [.when: condition.draft.json]
            branch.set(responses(group.entries, purpose))
            cases.append((branch.json, condition.count))
            if group.variant == own.variant { hasOwnCase = true }
        }
        // Cases with more conditions come first.
        let sorted = cases.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        if !cases.isEmpty { object[.cases] = .array(sorted.map(\.element.json)) }
        guard !isOnlyConditional else {
            object[.empty] = true
            object.add(comments: ["placeholder: the capture contains no response to an unconditional request"])
            noteGuess("\(route.key): its response to an unconditional request is a placeholder", route)
            return object
        }
        var response = responses(own.entries, purpose, echoing: hasOwnCase ? own.variant : nil)
        if let comment = response.comment { object.add(comments: (comment.array ?? [comment]).compactMap(\.string)) }
        response.comment = nil
        object.set(response)
        return object
    }

    /// Notes a guess about a route at its first request.
    mutating func noteGuess(_ message: String, _ route: CapturedRoutes.Route) {
        let position = route.entries.first.flatMap { entries[$0].position }
        let place = Place(file: session.capture.file, position: position)
        findings.append(Finding(.note, id: "import/assumed", redaction.plain(message).printable, at: place))
    }

    /// The tokens without which no request to a route succeeded; `nil` for none.
    func requirements(of route: CapturedRoutes.Route, _ purpose: RoutePurpose) -> JSONValue? {
        guard purpose == .resource || purpose == .refresh || purpose == .signOut else { return nil }
        let accepted = route.entries.filter { entries[$0].isSuccess && !isTokenRefusal($0) }
        // A server that refuses all requests for another reason has not looked at their tokens.
        if accepted.isEmpty, !route.entries.contains(where: isTokenRefusal) { return nil }
        var wanted: [String]?
        for index in accepted.isEmpty ? route.entries : accepted {
            let kinds = tokens.offers[index].map(\.wanted).unique
            wanted = wanted.map { $0.filter(kinds.contains) } ?? kinds
        }
        let required = session.evidence.roles.wantedByRefreshes[route.label] ?? wanted ?? []
        guard !required.isEmpty else { return nil }
        guard purpose == .refresh, required.count > 1 else { return .strings(required) }
        // A refresh is there for access tokens that have expired.
        return .object(
            JSONObject(required.map { ($0, $0 == "refresh" ? "valid" : ["expired", "valid", "unknown"]) })
        )
    }

    /// A route with a case for each `grant_type`; `nil` where something else distinguishes the routes.
    mutating func byGrantType(_ known: DraftRoute, _ made: DraftRoute, _ number: Int) -> DraftRoute? {
        guard made[.cases] == nil, let added = grantCase(made, number) else { return nil }
        if let cases = known[.cases]?.array {
            let isByGrantType = cases.allSatisfy { branch in
                let condition = DraftCondition(DraftRoute(branch.object ?? [:])[.when]?.object ?? [:])
                return condition[.form]?["grant_type"] != nil || condition[.body] != nil
            }
            guard isByGrantType, known[.json] == Self.unsupported else { return nil }
            var route = known
            route[.cases] = .array(cases + [added])
            return route
        }
        let route = session.routes.routes[number]
        let first = session.routes.routes.firstIndex { $0.key == route.key && session.hosts.contains($0.host) }
        guard let first, let before = grantCase(known, first) else { return nil }
        return [.cases: [before, added], .status: 400, .json: Self.unsupported]
    }

    /// The response to any other grant (RFC 6749, section 5.2).
    static let unsupported: JSONValue = ["error": "unsupported_grant_type"]

    /// A route of one grant as a case.
    mutating func grantCase(_ made: DraftRoute, _ number: Int) -> JSONValue? {
        let route = session.routes.routes[number]
        guard let grantType = route.grantType, redaction.plain(grantType) == grantType, let entry = route.entries.first,
            let place = CapturedStrings.request(entries[entry].request).first(where: {
                TokenNames.plain($0.place.name) == "granttype"
            })?.place
        else { return nil }
        var branch = DraftRoute()
        switch place {
        case .form(let name): branch[.when] = .condition(DraftCondition(.form, name, .equals(literal: grantType)))
        case .body(let name): branch[.when] = .condition(DraftCondition(.body, name, .equals(literal: grantType)))
        default: return nil
        }
        branch.set(made)
        return branch.json
    }

    /// Everything that came to the paths and methods of a route, regardless of other differences.
    func entries(like route: CapturedRoutes.Route) -> [Int] {
        (entriesByRoute["\(route.host) \(route.key)"] ?? []).sorted()
    }
}
