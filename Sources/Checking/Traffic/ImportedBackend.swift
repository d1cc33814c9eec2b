package import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// A backend made of captured traffic: what a server normally answers, and a story of the session that was captured.
///
/// It holds no token, cookie, e-mail address or phone number of the capture; ``leaks`` looks again before it is written.
package struct ImportedBackend: Sendable {
    package let files: [ScenarioDraft.File]
    package let routeCount: Int
    package let kinds: [String]
    /// What was left out or guessed, and why.
    package let findings: [Finding]
    /// Files that a secret of the capture is in; they must not be written.
    package let leaks: [String]

    /// - Parameters:
    ///   - name: what the backend is called.
    ///   - schemaPath: the path of the format's JSON Schema as the files name it.
    ///   - rules: the numbers of the rules that the captured client broke.
    package init(_ session: CapturedSession, named name: String, schemaPath: String?, rules: [String] = []) {
        var maker = BackendMaker(session)
        let backend = maker.backend(named: name, schemaPath: schemaPath)
        let story = maker.story(schemaPath: schemaPath, rules: rules)
        files =
            [
                ScenarioDraft.File(path: "backend.json", bytes: backend.utf8(.pretty) + [0x0A]),
                ScenarioDraft.File(path: "captured-session.json", bytes: story.utf8(.pretty) + [0x0A]),
            ] + maker.fixtures
        routeCount = maker.routeCount
        kinds = session.tokens.kinds
        findings = maker.findings
        leaks = files.filter { file in
            let text = String(decoding: file.bytes, as: UTF8.self)
            return maker.redaction.secrets.contains { text.contains($0) }
        }
        .map(\.path)
    }
}

private struct BackendMaker {
    let session: CapturedSession
    var redaction: Redaction
    private(set) var fixtures: [ScenarioDraft.File] = []
    private(set) var findings: [Finding] = []
    private(set) var routeCount = 0
    private var usedNames: Set<String> = []
    private var left: [String: Int] = [:]

    private var entries: [Capture.Entry] { session.capture.entries }
    private var tokens: CapturedTokens { session.tokens }

    init(_ session: CapturedSession) {
        self.session = session
        var secrets: Set<String> = []
        for index in session.capture.entries.indices {
            for offer in session.tokens.offers[index] { secrets.insert(offer.value) }
            for grant in session.tokens.grants[index] { secrets.insert(grant.value) }
            let entry = session.capture.entries[index]
            for item in CapturedStrings.request(entry.request) + (entry.response.map(CapturedStrings.response) ?? []) {
                if case .cookie = item.place { secrets.insert(item.value) }
                if case .header("authorization", _) = item.place { secrets.insert(item.value) }
                let name = TokenNames.plain(item.place.name)
                if name.contains("password") || name.contains("secret"), item.value.utf8.count >= 4 {
                    secrets.insert(item.value)
                }
            }
        }
        // Short values may be words that stand anywhere, and a capture may have been concealed when it was written.
        secrets.remove(Redaction.placeholder)
        redaction = Redaction(secrets: secrets.filter { $0.utf8.count >= 6 })
    }

    // MARK: Backend

    mutating func backend(named name: String, schemaPath: String?) -> JSONValue {
        var object = JSONObject()
        if let schemaPath { object["$schema"] = .string(schemaPath) }
        object["$comment"] = .array(
            ["Made from captured traffic by backlot import. Check the assumptions:"].map(JSONValue.string)
                + session.assumptions.map { .string(redaction.plain($0)) }
        )
        object["backend"] = .string(redaction.plain(name))
        if let first = entries.first { object["clock"] = ["start": .string(first.start.description)] }
        object["accounts"] = ["user": [:]]
        if !tokens.kinds.isEmpty { object["tokens"] = tokenRules() }
        var routes = JSONObject()
        for number in session.routes.routes.indices {
            let route = session.routes.routes[number]
            guard session.hosts.contains(route.host), let made = self.route(number) else { continue }
            guard let known = routes[route.key] else {
                routes[route.key] = made
                continue
            }
            guard let both = byGrantType(known, made, number) else {
                findings.append(note("\(route.label) left out, because a route of that name is there already"))
                continue
            }
            routes[route.key] = both
        }
        routeCount = routes.count
        object["routes"] = .object(routes)
        for (what, count) in left.sorted(by: { $0.key < $1.key }) {
            findings.append(note("\(what): left out \(count == 1 ? "once" : "\(count) times")"))
        }
        if redaction.hasBraces {
            findings.append(note("\"{{\" in responses was written as \"{ {\", because it begins a placeholder"))
        }
        return .object(object)
    }

    private func note(_ message: String) -> Finding {
        Finding(.note, id: "import/left-out", message, at: Place(file: session.capture.file))
    }

    private mutating func tokenRules() -> JSONValue {
        var kinds = JSONObject()
        let life = session.evidence.ledger.tokens
        for kind in tokens.kinds {
            var object = JSONObject()
            let known = session.evidence.roles.kind(named: kind)
            let isKnown = known.map { $0.lifetime < .seconds(9 * 365 * 86_400) } ?? false
            if !isKnown {
                object["$comment"] = "The capture does not say how long it lives."
                findings.append(note("the lifetime of \(kind) tokens is a guess: neither exp nor expires_in says it"))
            }
            let guess: Duration = kind == "refresh" ? .seconds(14 * 86_400) : .seconds(3_600)
            object["lifetime"] = .string(DurationText.text(isKnown ? known?.lifetime ?? guess : guess))
            var places: [CapturedPlace] = []
            for offer in tokens.offers.joined() where offer.wanted == kind && !places.contains(offer.place) {
                places.append(offer.place)
            }
            let carriers = places.compactMap(\.carrier?.json)
            if let first = carriers.first { object["in"] = carriers.count == 1 ? first : .array(carriers) }
            let isJWT = life.contains { $0.kind == kind && TokenClaims($0.value)?.end != nil }
            object["format"] = .string(isJWT ? "jwt" : "opaque")
            if known?.rotates ?? false { object["rotate"] = true }
            if let refusal = refusal(of: kind) {
                object["reject"] = ["*": refusal.response]
                if kind == "refresh" { object["terminal"] = [.number(JSONNumber(refusal.status))] }
            }
            kinds[kind] = .object(object)
        }
        return ["kinds": .object(kinds), "jti": true]
    }

    /// How the server has refused a kind.
    private mutating func refusal(of kind: String) -> (status: Int, response: JSONValue)? {
        for index in entries.indices {
            guard let response = entries[index].response, session.hosts.contains(entries[index].host),
                session.evidence.exchanges[index].offered.contains(where: {
                    $0.wanted == kind && $0.isAccepted == false
                })
            else { continue }
            return (response.status.code, .object(message(response, index, isInline: true)))
        }
        return nil
    }

    // MARK: Routes

    /// Returns whether an entry's response says nothing of the route itself, but of a token.
    private func isTokenRefusal(_ index: Int) -> Bool {
        session.evidence.exchanges[index].offered.contains { $0.isAccepted == false }
    }

    private mutating func route(_ number: Int) -> JSONValue? {
        let route = session.routes.routes[number]
        let purpose = tokens.purposes[number]
        var object = JSONObject()
        if purpose == .resource || purpose == .refresh || purpose == .signOut {
            var wanted: [String] = []
            for offer in route.entries.flatMap({ tokens.offers[$0] }) where !wanted.contains(offer.wanted) {
                wanted.append(offer.wanted)
            }
            let required = session.evidence.roles.wantedByRefreshes[route.label] ?? wanted
            if !required.isEmpty {
                // A refresh is there for access tokens that have expired.
                object["requires"] =
                    purpose == .refresh && required.count > 1
                    ? .object(
                        JSONObject(required.map { ($0, $0 == "refresh" ? "valid" : ["expired", "valid", "unknown"]) })
                    )
                    : .array(required.map(JSONValue.string))
            }
        }
        var groups: [(key: [String], places: [Int])] = []
        for index in route.entries where entries[index].response != nil && entries[index].error == nil {
            guard !isTokenRefusal(index) else { continue }
            let key = self.key(index, route)
            if let place = groups.firstIndex(where: { $0.key == key }) {
                groups[place].places.append(index)
            } else {
                groups.append((key, [index]))
            }
        }
        // The route's own response is that of a request without anything particular, or the first one.
        let successful = groups.firstIndex { $0.places.contains { entries[$0].isSuccess } }
        guard let own = successful ?? groups.indices.first
        else {
            // Nothing but refusals: it is there, and what it answers is not known.
            object["empty"] = true
            object["$comment"] = "The capture has no response of it but refusals of tokens."
            return .object(object)
        }
        var cases: [JSONValue] = []
        for (place, group) in groups.enumerated() where place != own {
            guard cases.count < 100, let condition = condition(group.places[0], route, unlike: groups[own].places[0])
            else {
                left["\(route.key) with other values than in its first request", default: 0] += 1
                continue
            }
            var branch: JSONObject = ["when": condition]
            for member in responses(group.places, purpose).members { branch[member.name] = member.value }
            cases.append(.object(branch))
        }
        if !cases.isEmpty { object["cases"] = .array(cases) }
        for member in responses(groups[own].places, purpose).members { object[member.name] = member.value }
        return .object(object)
    }

    /// A route with a case for each `grant_type`; `nil` where the routes are not told apart by that alone.
    private mutating func byGrantType(_ known: JSONValue, _ made: JSONValue, _ number: Int) -> JSONValue? {
        guard made["cases"] == nil, let added = grantCase(made, number) else { return nil }
        if let cases = known["cases"]?.array {
            guard cases.allSatisfy({ $0["when"]?["form"]?["grant_type"] != nil || $0["when"]?["body"] != nil }),
                var object = known.object, object["json"] == BackendMaker.unsupported
            else { return nil }
            object["cases"] = .array(cases + [added])
            return .object(object)
        }
        let route = session.routes.routes[number]
        let first = session.routes.routes.firstIndex { $0.key == route.key && session.hosts.contains($0.host) }
        guard let first, let before = grantCase(known, first) else { return nil }
        return ["cases": [before, added], "status": 400, "json": BackendMaker.unsupported]
    }

    /// The response to any other grant (RFC 6749, section 5.2).
    private static let unsupported: JSONValue = ["error": "unsupported_grant_type"]

    /// A route of one grant as a case.
    private mutating func grantCase(_ made: JSONValue, _ number: Int) -> JSONValue? {
        let route = session.routes.routes[number]
        guard let grantType = route.grantType, redaction.plain(grantType) == grantType, let entry = route.entries.first,
            let place = CapturedStrings.request(entries[entry].request).first(where: {
                TokenNames.plain($0.place.name) == "granttype"
            })?.place
        else { return nil }
        let value: JSONValue = ["equals": .string(grantType)]
        var branch = JSONObject()
        switch place {
        case .form(let name): branch["when"] = ["form": [name: value]]
        case .body(let pointer): branch["when"] = ["body": [pointer: value]]
        default: return nil
        }
        for member in made.object?.members ?? [] { branch[member.name] = member.value }
        return .object(branch)
    }

    /// Everything that came to the paths and methods of a route, whatever else tells the requests apart.
    private func entries(like route: CapturedRoutes.Route) -> [Int] {
        session.routes.routes.filter { $0.key == route.key && $0.host == route.host }.flatMap(\.entries).sorted()
    }

    private func parameters(_ index: Int, _ route: CapturedRoutes.Route) -> [(name: String, value: String)] {
        let segments = entries[index].request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var names = route.parameters[...]
        return zip(route.segments, segments).compactMap { template, segment in
            guard template == nil, let name = names.popFirst() else { return nil }
            return (name, PercentEncoding.decode(String(segment)) ?? String(segment))
        }
    }

    private func query(_ index: Int) -> [(name: String, value: String)] {
        let carried = tokens.offers[index].compactMap { if case .query(let name) = $0.place { name } else { nil } }
        return (entries[index].request.query.map { QueryItems(parsing: $0).items } ?? [])
            .filter { !carried.containsExactly($0.name) }
            .map { ($0.name, $0.value) }
    }

    private func key(_ index: Int, _ route: CapturedRoutes.Route) -> [String] {
        parameters(index, route).map(\.value) + [""] + query(index).map { "\($0.name)=\($0.value)" }.sorted()
    }

    /// What tells a request from the one that the route's own response is for; `nil` where nothing does that may be told.
    private mutating func condition(_ index: Int, _ route: CapturedRoutes.Route, unlike own: Int) -> JSONValue? {
        var (path, query) = (JSONObject(), JSONObject())
        for (name, value) in parameters(index, route) {
            guard redaction.plain(value).utf8.elementsEqual(value.utf8) else { return nil }
            path[name] = ["equals": .string(value)]
        }
        for (name, value) in self.query(index) {
            guard redaction.text(value, named: name).utf8.elementsEqual(value.utf8) else { continue }
            query[name] = ["equals": .string(value)]
        }
        for (name, _) in self.query(own)
        where query[name] == nil && !self.query(index).contains(where: { $0.name == name }) {
            query[name] = ["exists": false]
        }
        var condition = JSONObject()
        if !path.isEmpty { condition["path"] = .object(path) }
        if !query.isEmpty { condition["query"] = .object(query) }
        return condition.isEmpty ? nil : .object(condition)
    }

    /// The responses to one request, in their order: one where they are alike.
    private mutating func responses(_ places: [Int], _ purpose: RoutePurpose) -> JSONObject {
        var distinct: [Int] = []
        for index in places {
            let response = entries[index].response
            let isAlike = distinct.last.map { last in
                entries[last].response?.status == response?.status
                    && (!tokens.grants[index].isEmpty || entries[last].response?.body == response?.body)
            }
            if !(isAlike ?? false) { distinct.append(index) }
        }
        let made = distinct.prefix(50).map { index -> JSONObject in
            guard let response = entries[index].response else { return [:] }
            return message(response, index, purpose)
        }
        guard var last = made.last else { return ["empty": true] }
        // The last one is the route's own, which goes on for ever.
        if made.count > 1 { last["responses"] = .array(made.dropLast().map { .object($0) }) }
        return last
    }

    // MARK: Responses

    private mutating func message(
        _ response: HTTPResponse,
        _ index: Int,
        _ purpose: RoutePurpose = .open,
        isInline: Bool = false
    ) -> JSONObject {
        var object = JSONObject()
        if response.status != 200 { object["status"] = .number(JSONNumber(response.status.code)) }
        var headers = JSONObject()
        for name in ["Retry-After", "WWW-Authenticate", "Location", "Link"] {
            guard let value = response.fields[name] else { continue }
            // A URL of another host may have a signature in it.
            let path = CapturedURL(value).map { url in url.target.prefix { $0 != "?" } }.map(String.init) ?? value
            headers[name] = .string(redaction.plain(path))
        }
        if !headers.isEmpty { object["headers"] = .object(headers) }
        let isGranted = purpose == .signIn ? response.status.code < 400 : response.status.isSuccessful
        let grants = isGranted ? tokens.grants[index] : []
        let granted = purpose == .signIn || purpose == .refresh ? grants : []
        if !granted.isEmpty {
            object["grants"] = .object(JSONObject(granted.map { ($0.kind, "new") }))
            if purpose == .signIn { object["signIn"] = true }
            var cookies = JSONObject()
            for grant in granted {
                guard case .cookie(let name) = grant.place else { continue }
                cookies[name] = .string("{{token.\(grant.kind)}}")
            }
            if !cookies.isEmpty { object["cookies"] = .object(cookies) }
        }
        if purpose == .signOut, response.status.code < 400 { object["then"] = [["signOut": "caller"]] }
        if let root = (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root {
            let body = template(root, granted, grants)
            if isInline || body.text().utf8.count < 200 {
                object["json"] = body
            } else {
                object["fixture"] = .string(fixture(body, index))
            }
        } else if response.body.isEmpty {
            object["empty"] = true
        } else if let text = String(validUTF8: response.body), response.body.count < 64 << 10,
            !Concealment.isMedia(response.fields["Content-Type"])
        {
            object["text"] = .string(redaction.plain(text))
            if let type = response.fields["Content-Type"] {
                headers["Content-Type"] = .string(redaction.plain(type))
                object["headers"] = .object(headers)
            }
        } else {
            object["empty"] = true
            left[
                "a body of \((response.fields["Content-Type"] ?? "no type").printable), which may show anything",
                default: 0
            ] += 1
        }
        return object
    }

    /// A body with placeholders where tokens were, and without what is personal.
    private mutating func template(
        _ root: JSONValue,
        _ granted: [CapturedTokens.Grant],
        _ hidden: [CapturedTokens.Grant]
    ) -> JSONValue {
        var places: [JSONPointer: String] = [:]
        for grant in hidden {
            guard case .body(let text) = grant.place, let pointer = JSONPointer(text) else { continue }
            let isGranted = granted.contains { $0.kind == grant.kind }
            places[pointer] = isGranted ? "{{token.\(grant.kind)}}" : "concealed"
        }
        return Self.fill(redaction.value(root), with: places, at: JSONPointer())
    }

    private static func fill(_ value: JSONValue, with places: [JSONPointer: String], at pointer: JSONPointer)
        -> JSONValue
    {
        if let text = places[pointer] { return .string(text) }
        if places.isEmpty { return value }
        if let elements = value.array {
            return .array(elements.enumerated().map { fill($1, with: places, at: pointer.appending($0)) })
        }
        guard let object = value.object else { return value }
        return .object(
            JSONObject(object.members.map { ($0.name, fill($0.value, with: places, at: pointer.appending($0.name))) })
        )
    }

    private mutating func fixture(_ body: JSONValue, _ index: Int) -> String {
        let route = session.routes.routes[session.routes.numbers[index]]
        let words = ([route.method.rawValue.lowercased()] + route.segments.compactMap { $0 })
            .map { String($0.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) }
            .filter { !$0.isEmpty }
        let name = usedNames.take(String(words.joined(separator: "-").prefix(60)), numberedAfter: "-")
        let path = "fixtures/\(name).json"
        fixtures.append(ScenarioDraft.File(path: path, bytes: body.utf8(.pretty) + [0x0A]))
        return path
    }

    // MARK: Story

    /// The session that was captured: what the client had, when its tokens ended, and which requests failed.
    mutating func story(schemaPath: String?, rules: [String]) -> JSONValue {
        let evidence = session.evidence
        var object = JSONObject()
        if let schemaPath { object["$schema"] = .string(schemaPath) }
        object["extends"] = "backend.json"
        object["id"] = "captured-session"
        object["title"] = "The captured session"
        let count = entries.count
        object["about"] = .string(
            "\(count) \(count == 1 ? "request was" : "requests were") captured. The server's tokens end, and its responses fail, "
                + "where they did then."
        )
        if !rules.isEmpty { object["bugClasses"] = .array(rules.map(JSONValue.string)) }
        let initial = evidence.ledger.tokens.filter { $0.issued <= evidence.start }
        var timeline: [JSONValue] = []
        if !initial.isEmpty {
            let access = initial.first { $0.kind != "refresh" }
            let isDead = access.map { $0.expires <= evidence.start || isRefusedAtOnce($0.id) } ?? false
            let signIn: JSONValue = ["signIn": "phone", "ago": .string(age(of: initial))]
            object["given"] = isDead ? [signIn, ["expire": .string(access?.kind ?? "access")]] : [signIn]
        }
        timeline += launches
        for token in evidence.ledger.tokens where token.kind != "refresh" {
            if let event = end(of: token.id, token.kind) { timeline.append(event) }
        }
        if !timeline.isEmpty { object["timeline"] = .array(timeline) }
        let failures = self.failures()
        if !failures.isEmpty { object["routes"] = .object(failures) }
        let asked =
            session.routes.routes.indices.first { number in
                session.hosts.contains(session.routes.routes[number].host) && tokens.purposes[number] == .resource
            } ?? session.routes.routes.indices.first { session.hosts.contains(session.routes.routes[$0].host) } ?? 0
        object["expect"] = [["request": .string(session.routes.routes[asked].key)]]
        return .object(object)
    }

    /// How long before the capture the client had signed in, as its tokens say.
    private func age(of tokens: [Token]) -> String {
        let ages = tokens.map { session.evidence.start - $0.issued }.filter { $0 > .seconds(1) }
        return DurationText.text(.seconds((ages.min() ?? .seconds(1)).components.seconds))
    }

    /// When the client was started again, where the capture says so.
    private var launches: [JSONValue] {
        var last = 1
        return session.evidence.exchanges.compactMap { exchange in
            guard exchange.launch > last else { return nil }
            last = exchange.launch
            let passed = max(.seconds(1), exchange.time - session.evidence.start)
            return [
                "at": .string(DurationText.text(.seconds(passed.components.seconds))),
                "launch": .number(JSONNumber(exchange.launch)),
            ]
        }
    }

    private func uses(_ id: String) -> [Exchange] {
        session.evidence.exchanges.filter { exchange in
            exchange.origin == nil && exchange.offered.contains { $0.id == id && $0.isAccepted != nil }
        }
    }

    private func isAccepted(_ exchange: Exchange, _ id: String) -> Bool {
        exchange.offered.contains { $0.id == id && $0.isAccepted == true }
    }

    private func isRefusedAtOnce(_ id: String) -> Bool {
        uses(id).first.map { !isAccepted($0, id) } ?? false
    }

    /// The event that ends a token after the last exchange that accepted it; `nil` where it did not end while it was used.
    private func end(of id: String, _ kind: String) -> JSONValue? {
        let uses = uses(id)
        guard let refused = uses.firstIndex(where: { !isAccepted($0, id) }), refused > 0 else { return nil }
        let last = uses[refused - 1]
        let number = session.routes.numbers[Int(last.number) - 1]
        let route = session.routes.routes[number]
        let count = entries(like: route).count {
            $0 < Int(last.number) && entries[$0].response?.status == last.response.status
        }
        return [
            "after": [
                "request": .string(route.key), "count": .number(JSONNumber(max(1, count))),
                "status": .number(JSONNumber(last.response.status.code)),
            ],
            "expire": .string(kind),
            // A client may do without what it did then.
            "optional": true,
        ]
    }

    /// The routes that failed for another reason than a token, with all that they answered up to the last failure.
    private mutating func failures() -> JSONObject {
        var routes = JSONObject()
        for route in session.routes.routes where session.hosts.contains(route.host) && routes[route.key] == nil {
            let played = entries(like: route).filter { !isTokenRefusal($0) }
            guard let last = played.lastIndex(where: isFailure), played.count <= 100 else { continue }
            var responses: [JSONValue] = []
            for index in played[...last] {
                let entry = entries[index]
                guard entry.error != nil || entry.response != nil else { continue }
                var object: JSONObject = ["empty": true]
                if let response = entry.response {
                    object = message(response, index, tokens.purposes[session.routes.numbers[index]])
                }
                if let error = entry.error?.lowercased() {
                    let kind = entry.response != nil ? "lost" : error.contains("time") ? "never" : "reset"
                    object["fault"] = .string(kind)
                }
                object["optional"] = true
                responses.append(.object(object))
            }
            routes[route.key] = ["responses": .array(responses), "afterLast": "own"]
        }
        return routes
    }

    private func isFailure(_ index: Int) -> Bool {
        let entry = entries[index]
        if let error = entry.error {
            return !error.lowercased().contains("cancel") && !error.lowercased().contains("abort")
        }
        return entry.response.map { $0.status.code >= 500 || $0.status == 429 || $0.status == 408 } ?? false
    }
}
