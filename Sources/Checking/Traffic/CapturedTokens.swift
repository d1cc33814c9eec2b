import Basics
import HTTPCodec
import JSON
package import ScenarioFormat
import Simulation

/// The tokens of a capture: which responses granted them, which requests carried them, and what routes are for.
///
/// Nothing here decodes a token but for its `exp`: values are compared, so hashed or masked ones do as well as long as
/// equal ones stay equal.
package struct CapturedTokens: Sendable {
    /// A token as a request carried it.
    package struct Offer: Sendable {
        package var place: CapturedPlace
        package var value: String
        /// The kind that it is.
        package var kind: String
        /// The kind that this place of this route is for.
        package var wanted: String
    }

    /// A token as a response granted it.
    package struct Grant: Sendable {
        package var place: CapturedPlace
        package var value: String
        package var kind: String
    }

    /// A kind of token that the user has declared: its name, and where it travels in requests.
    package struct DeclaredKind: Sendable {
        package var name: String
        package var places: [CapturedPlace]
    }

    /// By entry.
    package private(set) var offers: [[Offer]] = []
    package private(set) var grants: [[Grant]] = []
    /// By route.
    package private(set) var purposes: [RoutePurpose] = []
    /// The statuses by which resources refuse a token.
    package private(set) var refusals: Set<Int> = [401, 419, 440, 498]
    /// The number of values that were masked so that they cannot be distinguished.
    private(set) var masked = 0

    package var isEmpty: Bool { offers.allSatisfy(\.isEmpty) && grants.allSatisfy(\.isEmpty) }

    /// The kinds in the order in which they are met; refresh tokens come after those of resources.
    package var kinds: [String] {
        var kinds: [String] = []
        for (offered, granted) in zip(offers, grants) {
            for kind in granted.map(\.kind) + offered.map(\.kind) where !kinds.contains(kind) { kinds.append(kind) }
        }
        return kinds.filter { $0 != "refresh" } + kinds.filter { $0 == "refresh" }
    }

    // MARK: Finding out

    package init(_ entries: [Capture.Entry], _ routes: CapturedRoutes, declared: [DeclaredKind] = []) {
        var finder = CapturedTokenFinder(entries, routes, declared)
        masked = finder.masked
        finder.findPurposes()
        finder.findKinds()
        (offers, grants, purposes) = (finder.offers, finder.grants, finder.purposes)
        refusals.formUnion(learnedRefusals(entries, routes))
    }

    /// A status that made the client refresh, and was gone for the same request with the new token, while no request
    /// succeeded with the former one.
    private func learnedRefusals(_ entries: [Capture.Entry], _ routes: CapturedRoutes) -> Set<Int> {
        var learned: Set<Int> = []
        for index in entries.indices {
            let route = routes.numbers[index]
            guard purposes[route] == .resource, let status = entries[index].response?.status.code,
                400..<500 ~= status, ![400, 404, 409, 422, 429].contains(status), !learned.contains(status),
                let value = offers[index].first?.value
            else { continue }
            let rest = entries.indices[(index + 1)...].prefix(64)
            let isUsedLater = rest.contains { later in
                entries[later].isSuccess && purposes[routes.numbers[later]] == .resource
                    && offers[later].contains { $0.value.exact == value.exact }
            }
            guard !isUsedLater,
                let refresh = rest.first(where: { purposes[routes.numbers[$0]] == .refresh && isGranted($0, entries) }),
                rest.contains(where: { later in
                    later > refresh && routes.numbers[later] == route
                        && entries[later].request.target.exact == entries[index].request.target.exact
                        && entries[later].isSuccess
                        && offers[later].first.map { $0.value.exact != value.exact } ?? false
                })
            else { continue }
            learned.insert(status)
        }
        return learned
    }

    private func isGranted(_ index: Int, _ entries: [Capture.Entry]) -> Bool {
        !grants[index].isEmpty && entries[index].isSuccess
    }
}

/// Works out what values, kinds and routes are, from the plain to the inferred.
private struct CapturedTokenFinder {
    typealias Offer = CapturedTokens.Offer

    let entries: [Capture.Entry]
    let routes: CapturedRoutes
    let declared: [CapturedTokens.DeclaredKind]
    var offers: [[Offer]] = []
    var grants: [[CapturedTokens.Grant]] = []
    var purposes: [RoutePurpose] = []
    var masked = 0
    private var requestNames: [[String]] = []
    private var refreshTokens: Set<ExactText> = []
    /// The routes whose requests carry or grant a value.
    private var routesByValue: [ExactText: Set<Int>] = [:]

    init(_ entries: [Capture.Entry], _ routes: CapturedRoutes, _ declared: [CapturedTokens.DeclaredKind]) {
        (self.entries, self.routes, self.declared) = (entries, routes, declared)
        var granted: Set<ExactText> = []
        for entry in entries {
            var found = entry.granted.map {
                CapturedTokens.Grant(place: .body("/" + $0.kind), value: $0.value, kind: $0.kind)
            }
            if let response = entry.response, response.status.code < 400 {
                for item in entry.receivedStrings {
                    let kind = declaredKind(at: item.place)
                    guard kind != nil && !item.value.isEmpty || Self.isGrant(item) else { continue }
                    guard !Self.isMask(item.value) else {
                        masked += 1
                        continue
                    }
                    guard kind != nil || item.mayBeToken else { continue }
                    found.append(
                        .init(place: item.place, value: item.value, kind: kind ?? TokenNames.kind(of: item.place.name))
                    )
                }
            }
            for grant in found { granted.insert(grant.value.exact) }
            grants.append(found)
        }
        refreshTokens = Set(grants.joined().filter { $0.kind == "refresh" }.map { $0.value.exact })
        let grantedKinds = Dictionary(grants.joined().map { ($0.value.exact, $0.kind) }) { first, _ in first }
        for entry in entries {
            // A token that was granted as one kind stays of that kind, wherever it is sent.
            var found = entry.offered.map {
                Offer(
                    place: .header("token-" + $0.kind, scheme: nil),
                    value: $0.value,
                    kind: grantedKinds[$0.value.exact] ?? $0.kind,
                    wanted: $0.kind
                )
            }
            let items = entry.sentStrings
            requestNames.append(items.map(\.place.name))
            for item in items {
                let kind = declaredKind(at: item.place)
                guard
                    kind != nil || Self.isCredential(item)
                        || Self.isLong(item.value) && granted.contains(item.value.exact)
                else { continue }
                guard !Self.isMask(item.value) else {
                    masked += 1
                    continue
                }
                guard kind != nil || item.mayBeToken else { continue }
                found.append(Offer(place: item.place, value: item.value, kind: kind ?? "", wanted: kind ?? ""))
            }
            offers.append(found)
        }
        dropKeys(granted)
    }

    private func declaredKind(at place: CapturedPlace) -> String? {
        declared.first { $0.places.contains { $0.isSame(as: place) } }?.name
    }

    // MARK: Values

    private static func isLong(_ value: String) -> Bool { value.utf8.count >= 16 }

    private static func isGrant(_ item: CapturedStrings.Item) -> Bool {
        guard 4...16_384 ~= item.value.utf8.count, !item.value.utf8.contains(UInt8(ascii: " ")) else { return false }
        switch item.place {
        case .cookie(let name): return TokenNames.sayCookieToken(name)
        case .header(let name, _): return name == "authorization" || TokenNames.sayToken(name)
        case .body, .query: return TokenNames.sayToken(item.place.name)
        case .form: return false
        }
    }

    private static func isCredential(_ item: CapturedStrings.Item) -> Bool {
        guard !item.value.isEmpty else { return false }
        switch item.place {
        case .header("authorization", let scheme):
            return !["basic", "digest", "negotiate"].contains(scheme?.lowercased() ?? "")
        case .cookie(let name): return TokenNames.sayCookieToken(name)
        default: return TokenNames.sayToken(item.place.name)
        }
    }

    /// Returns whether all values have become one, so that none of them can be distinguished.
    private static func isMask(_ value: String) -> Bool {
        let plain = value.lowercased()
        if plain.utf8.allSatisfy({ "*x.•…-_".utf8.contains($0) }) { return true }
        return ["redacted", "masked", "concealed", "hidden", "removed", "filtered", "secret", "null", "undefined"]
            .contains { plain == $0 || plain == "<\($0)>" || plain == "[\($0)]" || plain == "{\($0)}" }
    }

    /// Leaves keys of the app out: one value at one place in all requests, which nothing ever granted.
    private mutating func dropKeys(_ granted: Set<ExactText>) {
        var values: [CapturedPlace: Set<ExactText>] = [:]
        var counts: [CapturedPlace: Int] = [:]
        for offered in offers {
            for offer in offered { values[offer.place, default: []].insert(offer.value.exact) }
            for place in Set(offered.map(\.place)) { counts[place, default: 0] += 1 }
        }
        let keys = values.filter { place, values in
            if case .header("authorization", _) = place { return false }
            if TokenNames.plain(place.name).contains("refresh") { return false }
            return values.count == 1 && values.isDisjoint(with: granted) && declaredKind(at: place) == nil
                && !TokenNames.plain(place.name).contains("access") && entries.count > 2
                && counts[place, default: 0] >= entries.count - 1
        }
        guard !keys.isEmpty else { return }
        for index in offers.indices { offers[index].removeAll { keys[$0.place] != nil } }
    }

    // MARK: Routes

    mutating func findPurposes() {
        for index in entries.indices {
            for value in Set(offers[index].map(\.value) + grants[index].map(\.value)) {
                routesByValue[value.exact, default: []].insert(routes.numbers[index])
            }
        }
        purposes = routes.routes.indices.map { purpose(of: routes.routes[$0]) }
    }

    private func purpose(of route: CapturedRoutes.Route) -> RoutePurpose {
        let words = route.segments.compactMap { $0.map(TokenNames.plain) }
        func says(_ list: [String]) -> Bool { words.contains { word in list.contains { word.contains($0) } } }
        let isCarrying = route.entries.contains { !offers[$0].isEmpty }
        let kinds = Set(route.entries.flatMap { grants[$0].map(\.kind) })
        let carriesRefreshToken = route.entries.contains { offers[$0].contains(where: isRefreshToken) }
        let isNamedRefresh =
            route.grantType == "refresh_token" || RouteWords.isRefresh(words)
            || says(RouteWords.refresh) && (carriesRefreshToken || !kinds.isDisjoint(with: ["access", "refresh"]))
        if isNamedRefresh, isCarrying { return .refresh }
        let hasPassword = route.entries.contains {
            requestNames[$0].contains { TokenNames.plain($0).contains("password") }
        }
        let isNamedSignIn =
            says(RouteWords.signIn + ["join", "register", "social", "kakao", "google", "apple"]) || hasPassword
            || route.grantType != nil
        let isGranting = route.entries.contains { number in
            (isNamedSignIn ? entries[number].hasSignedIn : entries[number].isSuccess) && !grants[number].isEmpty
        }
        if isGranting, !isCarrying || isNamedSignIn { return .signIn }
        let last = words.last ?? ""
        // Apps register the tokens of their devices for pushes on such a path, too.
        let isRefreshing = carriesRefreshToken || isGranting && kinds.contains("refresh")
        if isCarrying, isRefreshing, !isNamedSignIn, ["token", "tokens"].contains(last), route.method != .delete {
            return .refresh
        }
        if isGranting, isCarrying, !isKnownBefore(route) { return .signIn }
        // A token of the session brings another one, such as that of an organization or of a download, and lives on.
        if isGranting, isCarrying, carriesRefreshToken { return .refresh }
        if isNamedSignIn, !route.entries.contains(where: { entries[$0].isSuccess }) { return .signIn }
        if RouteWords.isSignOut(words, route.method) { return .signOut }
        guard isCarrying else { return .open }
        let isOpen = route.entries.contains { offers[$0].isEmpty && entries[$0].isSuccess }
        return isOpen ? .open : .resource
    }

    /// Returns whether what the route is sent was granted before, or carried elsewhere.
    private func isKnownBefore(_ route: CapturedRoutes.Route) -> Bool {
        route.entries.contains { index in
            offers[index].contains { (routesByValue[$0.value.exact]?.count ?? 0) > 1 }
        }
    }

    /// Returns whether a request carries a refresh token: by the name of its place, or because one was granted as such.
    private func isRefreshToken(_ offer: Offer) -> Bool {
        offer.wanted == "refresh" || TokenNames.kind(of: offer.place.name) == "refresh"
            || refreshTokens.contains(offer.value.exact)
    }

    // MARK: Kinds

    mutating func findKinds() {
        var kinds: [ExactText: [String]] = [:]
        for grant in grants.joined() where !(kinds[grant.value.exact]?.contains(grant.kind) ?? false) {
            kinds[grant.value.exact, default: []].append(grant.kind)
        }
        let elsewhere = Set(
            offers.indices.filter { purposes[routes.numbers[$0]] == .resource }
                .flatMap { offers[$0].map { $0.value.exact } }
        )
        for index in offers.indices {
            let purpose = purposes[routes.numbers[index]]
            // What signs in is another issuer's token, or a password under another name.
            if purpose == .signIn {
                offers[index].removeAll {
                    kinds[$0.value.exact] == nil && !elsewhere.contains($0.value.exact)
                }
            }
            let hasNamedRefresh =
                offers[index].contains { TokenNames.kind(of: $0.place.name) == "refresh" }
                || offers[index].count > 1
                    && offers[index].contains { kinds[$0.value.exact]?.contains("refresh") ?? false }
            for number in offers[index].indices where offers[index][number].kind.isEmpty {
                let offer = offers[index][number]
                let wanted = wanted(at: offer.place, purpose, hasNamedRefresh: hasNamedRefresh)
                let known = kinds[offer.value.exact] ?? []
                offers[index][number].wanted = wanted
                offers[index][number].kind =
                    known.contains(wanted)
                    ? wanted
                    : known.first ?? (hasNamedRefresh ? wanted : inferred(offer, wanted, purpose, elsewhere))
            }
        }
    }

    /// The kind that travels in a place of a route that is for this.
    private func wanted(at place: CapturedPlace, _ purpose: RoutePurpose, hasNamedRefresh: Bool) -> String {
        purpose == .refresh && !hasNamedRefresh ? "refresh" : TokenNames.kind(of: place.name)
    }

    /// The kind of a token from before the capture.
    private func inferred(
        _ offer: Offer,
        _ wanted: String,
        _ purpose: RoutePurpose,
        _ elsewhere: Set<ExactText>
    ) -> String {
        purpose == .refresh && wanted == "refresh" && elsewhere.contains(offer.value.exact) ? "access" : wanted
    }
}

extension CapturedPlace {
    /// Returns whether it is the same place, regardless of the scheme.
    func isSame(as other: CapturedPlace) -> Bool {
        if case .header(let name, _) = self, case .header(let other, _) = other { return name == other }
        return self == other
    }
}

extension CapturedTokens.DeclaredKind {
    /// The reason why a text declares no kinds, as a sentence without a closing full stop.
    package struct Problem: Error {
        package var sentence: String
    }

    /// Reads `access=header:Authorization,refresh=body:/refresh_token`.
    package static func all(in text: String) throws(Problem) -> [CapturedTokens.DeclaredKind] {
        var kinds: [CapturedTokens.DeclaredKind] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard sides.count == 2, let place = CapturedPlace(sides[1]) else {
                throw Problem(
                    sentence:
                        "\"\(String(part).printable)\" is not a token kind with its location; write KIND=header:NAME, "
                        + "cookie:NAME, query:NAME, form:NAME or body:/POINTER"
                )
            }
            if let index = kinds.firstIndex(where: { $0.name == sides[0] }) {
                kinds[index].places.append(place)
            } else {
                kinds.append(CapturedTokens.DeclaredKind(name: sides[0], places: [place]))
            }
        }
        return kinds
    }
}

extension CapturedPlace {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        switch parts[0] {
        case "header": self = .header(parts[1].lowercased(), scheme: nil)
        case "cookie": self = .cookie(parts[1])
        case "query": self = .query(parts[1])
        case "form": self = .form(parts[1])
        case "body" where JSONPointer(parts[1]) != nil: self = .body(parts[1])
        default: return nil
        }
    }
}
