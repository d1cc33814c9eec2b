package import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// A backend made of captured traffic: what a server normally answers, and a story of the session that was captured.
///
/// It holds no token, cookie, password, e-mail address or phone number of the capture, and `check` accepts it.
package struct ImportedBackend: Sendable {
    private let draft: BackendDraft
    package let kinds: [String]
    /// The parts that were left out or guessed, with the reasons.
    package var findings: [Finding] { draft.findings }
    package var files: [ScenarioDraft.File] { draft.files }
    package var routeCount: Int { draft.routeCount }

    /// - Parameters:
    ///   - name: what the backend is called.
    ///   - schemaPath: the path of the format's JSON Schema as the files name it.
    ///   - rules: the numbers of the rules that the captured client broke.
    /// - Throws: where `check` refuses a part that cannot be left out, or no route remains.
    package init(
        _ session: CapturedSession,
        named name: String,
        schemaPath: String?,
        rules: [String] = []
    ) throws(CaptureProblem) {
        var maker = BackendMaker(session)
        let backend = maker.backend(named: name, schemaPath: schemaPath)
        let story = maker.story(schemaPath: schemaPath, rules: rules)
        var redaction = maker.redaction
        var made = try BackendDraft(
            [.init(path: "backend.json", tree: backend), .init(path: "captured-session.json", tree: story)],
            with: maker.fixtures,
            from: [0: session.capture.file]
        ) { document in
            var parts: [BackendDraft.Part] = []
            Self.collect(document.tree, [], &redaction, &parts)
            return parts
        }
        guard made.routeCount > 0 else {
            throw CaptureProblem("no route in the capture can be imported", in: session.capture.file)
        }
        made.note(maker.findings)
        draft = made
        kinds = session.tokens.kinds
    }

    /// Collects the parts that would show something private.
    private static func collect(
        _ value: JSONValue,
        _ path: [String],
        _ redaction: inout Redaction,
        _ parts: inout [BackendDraft.Part]
    ) {
        func check(_ text: String, _ path: [String]) {
            guard !redaction.isPlain(text) else { return }
            parts.append(
                BackendDraft.Part(
                    path: path,
                    reason: "it would contain a token or an address from the capture",
                    isNamed: false
                )
            )
        }
        if let text = value.string { check(text, path) }
        for (index, element) in (value.array ?? []).enumerated() {
            collect(element, path + ["\(index)"], &redaction, &parts)
        }
        for member in value.object?.members ?? [] {
            check(member.name, path + [member.name])
            collect(member.value, path + [member.name], &redaction, &parts)
        }
    }
}

private struct BackendMaker {
    let session: CapturedSession
    var redaction: Redaction
    private(set) var fixtures: [ScenarioDraft.File] = []
    private(set) var findings: [Finding] = []
    private var usedNames: Set<String> = []
    /// The parts that were left out, and how often.
    private var left: [String: Int] = [:]
    /// The entries of every route with the same host and key.
    private var entriesByRoute: [String: [Int]] = [:]
    /// The exchanges that accepted or refused a token, by its id.
    private var exchangesByToken: [String: [Exchange]] = [:]

    private var entries: [Capture.Entry] { session.capture.entries }
    private var tokens: CapturedTokens { session.tokens }

    init(_ session: CapturedSession) {
        self.session = session
        var redaction = Redaction()
        for (index, entry) in session.capture.entries.enumerated() {
            for offer in session.tokens.offers[index] { redaction.addToken(offer.value) }
            for grant in session.tokens.grants[index] { redaction.addToken(grant.value) }
            for item in CapturedStrings.request(entry.request) + (entry.response.map(CapturedStrings.response) ?? []) {
                let name = TokenNames.plain(item.place.name)
                switch item.place {
                case .cookie, .header("authorization", _): redaction.addSecret(item.value)
                default: if name.contains("password") || name.contains("secret") { redaction.addSecret(item.value) }
                }
                redaction.learn(item.value)
            }
            redaction.learn(entry.request.target)
        }
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

    mutating func backend(named name: String, schemaPath: String?) -> JSONValue {
        var object = JSONObject()
        if let schemaPath { object["$schema"] = .string(schemaPath) }
        object["$comment"] = .array(
            ["Generated from captured traffic by backlot import. Check the assumptions:"].map(JSONValue.string)
                + session.assumptions.map { .string(redaction.plain($0)) }
        )
        object["backend"] = .string(DraftText.literal(redaction.plain(name)))
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
                left["a route on another host with the same method and path as an imported route", default: 0] += 1
                continue
            }
            routes[route.key] = both
        }
        object["routes"] = .object(routes)
        for (what, count) in left.sorted(by: { $0.key < $1.key }) {
            findings.append(note("\(what): left out \(count == 1 ? "once" : "\(count) times")"))
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
                object["$comment"] = "The capture does not show the lifetime of this token."
                findings.append(
                    note(
                        "the lifetime of \(kind) tokens is a guess, because the capture contains neither exp nor expires_in"
                    )
                )
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

    /// The server's refusal of a kind.
    private mutating func refusal(of kind: String) -> (status: Int, response: JSONValue)? {
        for index in entries.indices {
            guard let response = entries[index].response, session.hosts.contains(entries[index].host),
                session.evidence.exchanges[index].offered.contains(where: {
                    $0.wanted == kind && $0.isAccepted == false
                })
            else { continue }
            return (response.status.code, .object(message(response, index, as: .refusal)))
        }
        return nil
    }

    // MARK: Routes

    /// Returns whether an entry's response is about a token and not about the route.
    private func isTokenRefusal(_ index: Int) -> Bool {
        session.evidence.exchanges[index].offered.contains { $0.isAccepted == false }
    }

    private mutating func route(_ number: Int) -> JSONValue? {
        let route = session.routes.routes[number]
        let purpose = tokens.purposes[number]
        var object = JSONObject()
        if let requires = requirements(of: route, purpose) { object["requires"] = requires }
        let answered = route.entries.filter { entries[$0].response != nil && !isTokenRefusal($0) }
        let whole = answered.filter { entries[$0].error == nil }
        let grouping = CapturedVariants(whole.isEmpty ? answered : whole) { variant($0, route, purpose) }
        guard let own = grouping.own(where: { entries[$0].isSuccess }) else {
            object["empty"] = true
            let isLost = route.entries.contains { entries[$0].response == nil || entries[$0].error != nil }
            let reason =
                isLost ? "none of its responses reached the client" : "the capture contains only token refusals"
            object["$comment"] = .string("placeholder: \(reason)")
            noteGuess("\(route.key): its response is a placeholder, because \(reason)", route)
            return .object(object)
        }
        if whole.isEmpty, let error = entries[own.entries[0]].error {
            let text = redaction.plain(error).printable.shortened
            object["$comment"] = .string("this response was recorded, but did not reach the client: \(text)")
            noteGuess("\(route.key): its response was recorded, but did not reach the client", route)
        }
        if grouping.hasHiddenDifferences {
            left["\(route.key): differences between its requests beyond the first value of each name", default: 0] += 1
        }
        let isOnlyConditional = own.variant.precondition != nil
        var cases: [(json: JSONValue, count: Int)] = []
        for group in grouping.groups where isOnlyConditional || group.variant != own.variant {
            guard cases.count < 100, let condition = condition(group.variant, unlike: own.variant) else {
                left["\(route.key) with values that differ from its first request", default: 0] += 1
                continue
            }
            var branch: JSONObject = ["when": condition.json]
            for member in responses(group.entries, purpose).members { branch.set(member) }
            cases.append((.object(branch), condition.count))
        }
        // What asks for more comes first.
        let sorted = cases.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }
        if !cases.isEmpty { object["cases"] = .array(sorted.map(\.element.json)) }
        guard !isOnlyConditional else {
            object["empty"] = true
            object["$comment"] = "placeholder: the capture contains no response to an unconditional request"
            noteGuess("\(route.key): its response to an unconditional request is a placeholder", route)
            return .object(object)
        }
        for member in responses(own.entries, purpose).members {
            if member.name == "$comment" {
                object.add(comments: (member.value.array ?? [member.value]).compactMap(\.string))
            } else {
                object.set(member)
            }
        }
        return .object(object)
    }

    /// Notes a guess about a route at its first request.
    private mutating func noteGuess(_ message: String, _ route: CapturedRoutes.Route) {
        let position = route.entries.first.flatMap { entries[$0].position }
        let place = Place(file: session.capture.file, position: position)
        findings.append(Finding(.note, id: "import/assumed", redaction.plain(message).printable, at: place))
    }

    /// The tokens without which no request to a route succeeded; `nil` for none.
    private func requirements(of route: CapturedRoutes.Route, _ purpose: RoutePurpose) -> JSONValue? {
        guard purpose == .resource || purpose == .refresh || purpose == .signOut else { return nil }
        let accepted = route.entries.filter { entries[$0].isSuccess && !isTokenRefusal($0) }
        var wanted: [String]?
        for index in accepted.isEmpty ? route.entries : accepted {
            let kinds = tokens.offers[index].map(\.wanted).unique
            wanted = wanted.map { $0.filter(kinds.contains) } ?? kinds
        }
        let required = session.evidence.roles.wantedByRefreshes[route.label] ?? wanted ?? []
        guard !required.isEmpty else { return nil }
        guard purpose == .refresh, required.count > 1 else { return .array(required.map(JSONValue.string)) }
        // A refresh is there for access tokens that have expired.
        return .object(
            JSONObject(required.map { ($0, $0 == "refresh" ? "valid" : ["expired", "valid", "unknown"]) })
        )
    }

    /// A route with a case for each `grant_type`; `nil` where something else distinguishes the routes.
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
        let value: JSONValue = ["equals": .string(DraftText.literal(grantType))]
        var branch = JSONObject()
        switch place {
        case .form(let name): branch["when"] = ["form": [name: value]]
        case .body(let pointer): branch["when"] = ["body": [pointer: value]]
        default: return nil
        }
        for member in made.object?.members ?? [] { branch[member.name] = member.value }
        return .object(branch)
    }

    /// Everything that came to the paths and methods of a route, regardless of other differences.
    private func entries(like route: CapturedRoutes.Route) -> [Int] {
        (entriesByRoute["\(route.host) \(route.key)"] ?? []).sorted()
    }

    // MARK: Variants

    /// The properties that distinguish a request from others of its route.
    private func variant(_ index: Int, _ route: CapturedRoutes.Route, _ purpose: RoutePurpose) -> CapturedVariant {
        var redaction = redaction
        var variant = CapturedVariant()
        let request = entries[index].request
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        var names = route.parameters[...]
        for (template, segment) in zip(route.segments, segments) where template == nil {
            guard let name = names.popFirst() else { break }
            variant.path[name] = PercentEncoding.decode(String(segment)) ?? String(segment)
        }
        let carried = Set(tokens.offers[index].map(\.place))
        for item in request.query.map({ QueryItems(parsing: $0).items }) ?? [] {
            guard !carried.contains(.query(item.name)),
                redaction.text(item.value, named: item.name).utf8.elementsEqual(item.value.utf8)
            else { continue }
            if variant.query[item.name] == nil {
                variant.query[item.name] = item.value
            } else {
                variant.hidden.append("\(item.name)=\(item.value)")
            }
        }
        let code = entries[index].response?.status.code
        for name in code == 304 ? ["If-None-Match", "If-Modified-Since"] : code == 206 || code == 416 ? ["Range"] : [] {
            guard variant.precondition == nil, let value = request.fields[name], redaction.isPlain(value) else {
                continue
            }
            variant.precondition = CapturedVariant.Precondition(name: name, value: value)
        }
        guard purpose == .resource || purpose == .open, request.body.count < 1 << 20 else { return variant }
        for item in CapturedStrings.scalars(of: request) where variant.body.count < 64 {
            guard !carried.contains(item.place),
                item.value.number != nil && !Redaction.isPersonal(item.place.name) || item.value.bool != nil
                    || item.value.string.map({ redaction.text($0, named: item.place.name).utf8.elementsEqual($0.utf8) })
                        ?? false
            else { continue }
            variant.body[item.place] = item.value
        }
        // The name of a GraphQL operation says what its text says.
        if variant.body[.body("/operationName")]?.string != nil { variant.body[.body("/query")] = nil }
        return variant
    }

    /// The condition by which requests of one variant differ from those of another one; `nil` where it would show
    /// something private.
    private mutating func condition(
        _ variant: CapturedVariant,
        unlike own: CapturedVariant
    ) -> (json: JSONValue, count: Int)? {
        var condition = DraftCondition()
        var count = 0
        func require(_ part: String, _ name: String, _ matcher: JSONValue) {
            condition.require(part, name, matcher)
            count += 1
        }
        for (name, value) in variant.path.sorted(by: { $0.key < $1.key }) {
            guard redaction.isPlain(value) else { return nil }
            require("path", name, ["equals": .string(DraftText.literal(value))])
        }
        for (name, value) in variant.query.sorted(by: { $0.key < $1.key }) {
            require("query", name, ["equals": .string(DraftText.literal(value))])
        }
        for name in own.query.keys.sorted() where variant.query[name] == nil {
            require("query", name, ["exists": false])
        }
        if let precondition = variant.precondition {
            require("header", precondition.name, ["equals": .string(DraftText.literal(precondition.value))])
        }
        let places = Set(variant.body.keys).union(own.body.keys).filter { variant.body[$0] != own.body[$0] }
        for place in places.sorted(by: { $0.name < $1.name }).prefix(8) {
            let matcher: JSONValue =
                variant.body[place].map { ["equals": DraftText.literal($0)] } ?? ["exists": false]
            switch place {
            case .body(let pointer): require("body", pointer, matcher)
            case .form(let name): require("form", name, matcher)
            case .header, .cookie, .query: break
            }
        }
        return condition.isEmpty ? nil : (condition.json, count)
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
            return message(response, index, as: .ordinary(purpose))
        }
        guard var last = made.last else { return ["empty": true] }
        // The last one is the route's own, which is repeated indefinitely.
        if made.count > 1 { last["responses"] = .array(made.dropLast().map { .object($0) }) }
        return last
    }

    // MARK: Responses

    /// The use of a response.
    private enum Use {
        case ordinary(RoutePurpose)
        /// The refusal of a token, whose body stands next to the rules.
        case refusal
    }

    private mutating func message(_ response: HTTPResponse, _ index: Int, as use: Use) -> JSONObject {
        var object = JSONObject()
        var purpose = RoutePurpose.open
        var isInline = true
        if case .ordinary(let own) = use { (purpose, isInline) = (own, false) }
        if response.status != 200 { object["status"] = .number(JSONNumber(response.status.code)) }
        let isGranted = purpose == .signIn ? response.status.code < 400 : response.status.isSuccessful
        let grants = isGranted ? tokens.grants[index] : []
        let granted = purpose == .signIn || purpose == .refresh ? grants : []
        var comments: [String] = []
        if !granted.isEmpty {
            object["grants"] = .object(JSONObject(granted.map { ($0.kind, "new") }))
            if purpose == .signIn { object["signIn"] = true }
        }
        if purpose == .signOut, response.status.code < 400 { object["then"] = [["signOut": "caller"]] }
        var fields = CapturedFields(hosts: session.hosts, grants: granted)
        fields.read(response.fields, &redaction)
        setBody(of: response, index, granted, grants, isInline: isInline, in: &object, &fields, &comments)
        if !fields.headers.isEmpty { object["headers"] = .object(fields.headers) }
        if !fields.cookies.isEmpty { object["cookies"] = .object(fields.cookies) }
        if fields.isCompressed, object["empty"] == nil { object["gzip"] = true }
        if fields.hasRanges, object["empty"] == nil, response.status == 200 { object["ranges"] = true }
        for what in fields.left { left[what, default: 0] += 1 }
        object.add(comments: comments + fields.left.map { "left out: \($0)" })
        return object
    }

    private mutating func setBody(
        of response: HTTPResponse,
        _ index: Int,
        _ granted: [CapturedTokens.Grant],
        _ grants: [CapturedTokens.Grant],
        isInline: Bool,
        in object: inout JSONObject,
        _ fields: inout CapturedFields,
        _ comments: inout [String]
    ) {
        let type = response.fields["Content-Type"]
        let isJSON = type.map { $0.lowercased().contains("json") } ?? true
        var isShown = true
        if isJSON, let root = (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root,
            !DraftText.isTooDeep(root)
        {
            let body = template(root, granted, grants)
            if isInline || body.text().utf8.count < 200 {
                object["json"] = body
            } else {
                object["fixture"] = .string(fixture(body, index))
            }
        } else if response.body.isEmpty {
            object["empty"] = true
            if entries[index].lacksResponseBody {
                comments.append("placeholder: the capture does not contain the body")
            }
        } else if let text = String(validUTF8: response.body), response.body.count < 64 << 10,
            !Concealment.isMedia(type)
        {
            object["text"] = .string(DraftText.literal(redaction.plain(text)))
        } else {
            object["empty"] = true
            isShown = false
            let what = "a body of \((type ?? "no type").printable.shortened), which may contain private data"
            left[what, default: 0] += 1
            comments.append("left out: \(what)")
        }
        guard let type, !(object["json"] != nil || object["fixture"] != nil) || type != "application/json" else {
            return
        }
        guard isShown || !response.body.isEmpty else { return }
        if HTTPFields.isValue(type), redaction.isPlain(type) {
            fields.headers["Content-Type"] = .string(DraftText.literal(type))
        }
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
        return Self.fill(DraftText.literal(redaction.value(root)), with: places, at: JSONPointer())
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

    private static let mostEvents = 200

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
            "\(count) \(count == 1 ? "request was" : "requests were") captured. The server's tokens expire and its responses fail "
                + "at the same points as in the capture."
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
        for token in evidence.ledger.tokens where token.kind != "refresh" && timeline.count < Self.mostEvents {
            if let event = end(of: token.id, token.kind) { timeline.append(event) }
        }
        if !timeline.isEmpty { object["timeline"] = .array(Array(timeline.prefix(Self.mostEvents))) }
        let failures = self.failures()
        if !failures.isEmpty { object["routes"] = .object(failures) }
        let asked =
            session.routes.routes.indices.first { number in
                session.hosts.contains(session.routes.routes[number].host) && tokens.purposes[number] == .resource
            } ?? session.routes.routes.indices.first { session.hosts.contains(session.routes.routes[$0].host) } ?? 0
        object["expect"] = [["request": .string(session.routes.routes[asked].key)]]
        return .object(object)
    }

    /// The time between the sign-in and the capture, as the tokens say.
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

    private func uses(_ id: String) -> [Exchange] { exchangesByToken[id] ?? [] }

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
                    object = message(response, index, as: .ordinary(tokens.purposes[session.routes.numbers[index]]))
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
