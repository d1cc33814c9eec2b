import Basics
import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation

/// The variants of a route, and their responses.
extension BackendMaker {
    /// The properties that distinguish a request from others of its route.
    func variant(_ index: Int, _ route: CapturedRoutes.Route, _ purpose: RoutePurpose) -> CapturedVariant {
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
                redaction.text(item.value, named: item.name).exact == item.value.exact
            else {
                if !carried.contains(.query(item.name)) { variant.secretNames.insert(item.name) }
                continue
            }
            if variant.query[item.name] == nil {
                variant.query[item.name] = item.value
            } else {
                variant.hidden.append("\(item.name)=\(item.value)")
            }
        }
        let code = entries[index].response?.status.code
        let preconditions =
            switch code {
            case 304: ["If-None-Match", "If-Modified-Since"]
            case 206, 416: ["Range"]
            case 412: ["If-Match", "If-Unmodified-Since", "If-None-Match"]
            default: [String]()
            }
        for name in preconditions {
            guard variant.precondition == nil, let value = request.fields[name], redaction.isPlain(value) else {
                continue
            }
            variant.precondition = CapturedVariant.Precondition(name: name, value: value)
        }
        // The sign-ins of several users.
        let tellsUsers = isExact && purpose == .signIn && route.grantType == nil
        guard purpose == .resource || purpose == .open || tellsUsers, request.body.count < 1 << 20 else {
            return variant
        }
        for item in CapturedStrings.scalars(of: request) where variant.body.count < 64 {
            guard !carried.contains(item.place), redaction.value(item.value, named: item.place.name) == item.value
            else { continue }
            variant.body[item.place] = item.value
        }
        // The name of a GraphQL operation says what its text says.
        if variant.body[.body("/operationName")]?.string != nil { variant.body[.body("/query")] = nil }
        return variant
    }

    /// The condition by which requests of one variant differ from those of another one; `nil` where it would show
    /// something private.
    ///
    /// - Parameter all: the variants of the route, whose names an exact condition excludes.
    mutating func condition(
        _ variant: CapturedVariant,
        unlike own: CapturedVariant,
        among all: CapturedVariants
    ) -> (draft: DraftCondition, count: Int)? {
        var condition = DraftCondition()
        var count = 0
        func require(_ part: DraftKeys.Condition, _ name: String, _ matcher: DraftMatcher) {
            condition.require(part, name, matcher)
            count += 1
        }
        for (name, value) in variant.path.sorted(by: { $0.key < $1.key }) {
            guard redaction.isPlain(value) else { return nil }
            require(.path, name, .equals(literal: value))
        }
        for (name, value) in variant.query.sorted(by: { $0.key < $1.key }) {
            require(.query, name, .equals(literal: value))
        }
        if isExact {
            for name in variant.secretNames.sorted() where redaction.isPlain(name) {
                require(.query, name, [.exists: true])
            }
        }
        let names = isExact ? all.queryNames : Set(own.query.keys)
        for name in names.sorted() where variant.query[name] == nil {
            require(.query, name, [.exists: false])
        }
        if let precondition = variant.precondition {
            require(.header, precondition.name, .equals(literal: precondition.value))
        }
        let places =
            isExact
            ? variant.body.isEmpty ? Set(all.bodyPlaces.prefix(8)) : Set(variant.body.keys)
            : Set(variant.body.keys).union(own.body.keys).filter { variant.body[$0] != own.body[$0] }
        for place in places.sorted(by: { $0.name < $1.name }).prefix(isExact ? 64 : 8) {
            let matcher = variant.body[place].map { DraftMatcher.equals(literal: $0) } ?? [.exists: false]
            switch place {
            case .body(let pointer): require(.body, pointer, matcher)
            case .form(let name): require(.form, name, matcher)
            case .header, .cookie, .query: break
            }
        }
        return condition.isEmpty ? nil : (condition, count)
    }

    /// The responses to one request, in their order: one where they are alike.
    ///
    /// - Parameter echoed: the values of the request that become placeholders; `nil` for none.
    mutating func responses(
        _ places: [Int],
        _ purpose: RoutePurpose,
        echoing echoed: CapturedVariant? = nil
    ) -> DraftRoute {
        var distinct: [Int] = []
        var differing: Set<String> = []
        for index in places {
            if let last = distinct.last, isAlike(index, last) {
                differing.formUnion(differingFields(entries[last].response, entries[index].response))
                guard isExact else { continue }
            }
            distinct.append(index)
        }
        // The last response is repeated anyway.
        while isExact, distinct.count > 1, isAlike(distinct[distinct.count - 1], distinct[distinct.count - 2]) {
            distinct.removeLast()
        }
        let made = distinct.prefix(isExact ? 1_000 : 50).map { index -> DraftRoute in
            guard let response = entries[index].response else { return [:] }
            return message(response, index, as: .ordinary(purpose), echoing: echoed)
        }
        guard var last = made.last else { return [.empty: true] }
        // The last one is the route's own, which is repeated indefinitely.
        if made.count > 1 {
            last[.responses] = .array(made.dropLast().map(\.json))
            last.add(comments: ["requests with equal paths, queries and bodies received these responses in this order"])
        }
        if distinct.count > made.count {
            last.add(comments: ["left out: \(distinct.count - made.count) further responses to equal requests"])
        }
        if !differing.isEmpty {
            last.add(comments: [
                "other captured responses with this body differ in \(differing.sorted().joined(separator: ", "))"
            ])
        }
        return last
    }

    /// Returns whether two responses are shown as one.
    private func isAlike(_ index: Int, _ otherIndex: Int) -> Bool {
        let (mine, other) = (entries[index].response, entries[otherIndex].response)
        guard other?.status == mine?.status else { return false }
        if other?.body == mine?.body { return true }
        return !tokens.grants[index].isEmpty && (!isExact || textWithoutTokens(index) == textWithoutTokens(otherIndex))
    }

    /// The body of a response with the kinds of its tokens in place of their values.
    private func textWithoutTokens(_ index: Int) -> String {
        let text = String(decoding: entries[index].response?.body ?? [], as: UTF8.self)
        return tokens.grants[index].reduce(text) { $0.replacing($1.value, with: $1.kind) }
    }

    /// The names of the fields that differ between responses that are alike otherwise.
    private func differingFields(_ response: HTTPResponse?, _ other: HTTPResponse?) -> Set<String> {
        guard let mine = response?.fields, let other = other?.fields else { return [] }
        return Set((mine.map(\.name) + other.map(\.name)).map { $0.lowercased() })
            .filter { CapturedFields.isKept($0) && mine.values(of: $0) != other.values(of: $0) }
    }

    // MARK: Responses

    /// The use of a response.
    enum Use {
        case ordinary(RoutePurpose)
        /// The refusal of a token, whose body stands next to the rules.
        case refusal
    }

    mutating func message(
        _ response: HTTPResponse,
        _ index: Int,
        as use: Use,
        echoing echoed: CapturedVariant? = nil
    ) -> DraftRoute {
        var object = DraftRoute()
        var purpose = RoutePurpose.open
        var isInline = true
        if case .ordinary(let own) = use { (purpose, isInline) = (own, false) }
        if response.status != 200 { object[.status] = .number(response.status.code) }
        let isGranted = purpose == .signIn ? response.status.code < 400 : response.status.isSuccessful
        let grants = isGranted ? tokens.grants[index] : []
        let granted = purpose == .signIn || purpose == .refresh ? grants : []
        var comments: [String] = []
        if !granted.isEmpty {
            object[.grants] = .object(JSONObject(granted.map { ($0.kind, "new") }))
            if purpose == .signIn { object[.signIn] = true }
        }
        if purpose == .signOut, response.status.code < 400 { object[.then] = [.event([.signOut: "caller"])] }
        var fields = CapturedFields(hosts: session.hosts, grants: granted, isExact: isExact)
        fields.read(response.fields, &redaction)
        let echoes = echoed.map { CapturedEchoes($0, entries[index].request) }
        if let echoes { fields.headers = echoes.filled(headers: fields.headers) }
        setBody(of: response, index, granted, grants, isInline: isInline, echoes, in: &object, &fields, &comments)
        fields.finish(&object, of: response, to: entries[index].request)
        for what in fields.left { left[what, default: 0] += 1 }
        general.formUnion(fields.general)
        passed.formUnion(fields.passed)
        object.add(comments: comments + fields.comments)
        return object
    }
}
