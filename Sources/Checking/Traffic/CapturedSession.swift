import Basics
package import HTTPCodec
import JSON
package import Rules
package import ScenarioFormat
package import Simulation

/// A capture as rules look at it: exchanges, the life of each token, and what is not known.
package struct CapturedSession: Sendable {
    package let capture: Capture
    package let routes: CapturedRoutes
    package let tokens: CapturedTokens
    /// The hosts of the backend.
    package let hosts: Set<String>
    package private(set) var evidence: Evidence
    /// The rules that the capture does not decide, each with what is missing.
    package private(set) var undecided: [RuleName: String] = [:]
    /// Those of them that it does not decide at all, since what they judge by is not in it.
    private var unseen: Set<RuleName> = []
    /// The number of exchanges that a contract was compared with.
    var heldExchanges = 0
    /// The assumptions, each as a sentence without a closing full stop.
    package private(set) var assumptions: [String] = []

    /// The facts that the user knows about the backend.
    package struct Options: Sendable {
        /// The kinds of token, where they are not to be guessed.
        package var kinds: [CapturedTokens.DeclaredKind] = []
        /// The hosts of the backend; empty where they are to be guessed.
        package var hosts: Set<String> = []
        /// A Boolean value that indicates whether the client had nothing more to send when the capture ended.
        package var isComplete = false
        /// A Boolean value that indicates whether a capture without tokens is refused.
        package var requiresTokens = true

        package init() {}
    }

    /// - Throws: a ``CaptureProblem`` where there is nothing to look at: no entries, or no tokens.
    package init(_ capture: Capture, _ options: Options = Options()) throws(CaptureProblem) {
        guard !capture.entries.isEmpty else {
            throw CaptureProblem("the capture contains no entries", in: capture.file)
        }
        let routes = CapturedRoutes(capture.entries)
        let tokens = CapturedTokens(capture.entries, routes, declared: options.kinds)
        guard !tokens.isEmpty || !options.requiresTokens else {
            throw tokens.masked > 0
                ? CaptureProblem(
                    "all \(tokens.masked) tokens in the capture are masked in the same way, so they cannot be distinguished",
                    in: capture.file,
                    advice: "mask each token with a different value, such as a hash; equal tokens must remain equal"
                )
                : CaptureProblem(
                    "no token was found in the capture, so no rule can be applied",
                    in: capture.file,
                    advice: "specify the token locations with --kinds, such as --kinds access=header:X-Auth"
                )
        }
        let hosts =
            options.hosts.isEmpty ? Self.hosts(capture.entries, tokens) : options.hosts
        var builder = SessionBuilder(capture, routes, tokens, hosts, isComplete: options.isComplete)
        builder.build()
        (self.capture, self.routes, self.tokens, self.hosts) = (capture, routes, tokens, hosts)
        evidence = builder.evidence
        undecided = builder.undecided(hasHosts: !options.hosts.isEmpty)
        if builder.lacksAccessTokens {
            unseen = RuleName.aboutAccessTokens
            let reason =
                "no request for a resource shows its token; browsers omit Authorization from a HAR file unless the file is "
                + "exported with sensitive data"
            // Refreshes at the same time are too many without a cause, too.
            for rule in unseen.union([.refreshStorm]) { undecided[rule] = reason }
        }
        if tokens.isEmpty {
            unseen = Set(RuleName.allCases)
            for rule in unseen { undecided[rule] = "no token was found in the capture" }
        }
        assumptions = tokens.isEmpty ? [] : builder.assumptions
    }

    /// Those that grant tokens or get them; all of them where there are no tokens.
    private static func hosts(_ entries: [Capture.Entry], _ tokens: CapturedTokens) -> Set<String> {
        if tokens.isEmpty { return Set(entries.map(\.host)) }
        return Set(
            entries.indices.filter { !tokens.grants[$0].isEmpty || !tokens.offers[$0].isEmpty }.map { entries[$0].host }
        )
    }

    /// The recording for the report.
    package func recording(title: String) -> Recording {
        Recording(captured: title, evidence, undecided: undecided, unseen: unseen)
    }

    /// Adds what a contract does not allow in the exchange of an entry.
    package mutating func note(_ violations: [Violation], ofEntry index: Int) {
        evidence.exchanges[index].violations += violations
    }
}

extension SessionBuilder {
    // MARK: What is not known

    mutating func assume() {
        let named = tokens.kinds.map(\.printable).joined(separator: ", ")
        assumptions.append("token kinds, named after the places where the tokens are granted and sent: \(named)")
        for (number, route) in routes.routes.enumerated() where hosts.contains(route.host) {
            let words: String? =
                switch tokens.purposes[number] {
                case .refresh: "renews the session"
                case .signIn: "signs in"
                case .signOut: "signs out"
                case .resource, .open: nil
                }
            if let words { assumptions.append("\(route.label.printable) \(words)") }
        }
        if capture.entries.allSatisfy({ $0.client == nil }) {
            assumptions.append("all requests were sent by one client")
        }
        if knownLifetimes["access"] == nil {
            assumptions.append(
                "each access token expired when it was first refused; the lifetime is unknown"
            )
        }
    }

    /// A Boolean value that indicates whether the session is renewed, and no request for a resource shows which token
    /// it brought.
    var lacksAccessTokens: Bool {
        let numbers = routeNumbers
        func purpose(_ exchange: Exchange) -> RoutePurpose? { exchange.route.map { tokens.purposes[numbers[$0] ?? 0] } }
        let others = exchanges.filter { ![.refresh, .signIn].contains(purpose($0)) && $0.origin == nil }
        return exchanges.contains { purpose($0) == .refresh } && !others.isEmpty
            && !others.contains { $0.offered.contains { $0.id != nil } }
    }

    func undecided(hasHosts: Bool) -> [RuleName: String] {
        var missing: [RuleName: String] = [:]
        func has(_ purpose: RoutePurpose) -> Bool {
            routes.routes.indices.contains { tokens.purposes[$0] == purpose && hosts.contains(routes.routes[$0].host) }
        }
        if Set(exchanges.map(\.launch)).count < 2 {
            missing[.newTokenNotStored] = "the capture does not show when the client was restarted (HAR: pages)"
        }
        if !has(.signOut), !has(.signIn) {
            let words = "a capture does not show who signs in or out, or what the client displays"
            (missing[.lostResponseSignedOut], missing[.signedOutByPassingFailure], missing[.logoutThoughFresh]) = (
                words, words, words
            )
        }
        if knownLifetimes["access"] == nil {
            let words = "the lifetime of access tokens is unknown (neither exp nor expires_in)"
            (missing[.refreshByDeviceClock], missing[.lifetimeCountedFromResponse], missing[.expiresInAgainstExp]) = (
                words, words, words
            )
        }
        if !life.contains(where: { TokenClaims($0.value)?.end != nil }) {
            missing[.expiresInAgainstExp] =
                "no token contains exp, so expires_in cannot be compared with it"
        }
        if Set(life.map(\.account)).count < 2 {
            let words = "the tokens do not identify their users (sub), or there is only one user"
            (missing[.tokenOfAnotherOwner], missing[.accountSwitchedWithoutUser]) = (words, words)
        }
        let refreshes = routes.routes.indices.filter { tokens.purposes[$0] == .refresh }
        if refreshes.isEmpty {
            let words = "no request in the capture renews a session"
            for rule in RuleName.aboutRefreshes where missing[rule] == nil {
                missing[rule] = words
            }
        } else if refreshes.contains(where: { route in
            routes.routes[route].entries.contains { tokens.offers[$0].count > 1 } && !isBare(route)
        }) {
            missing[.refreshWithExpiredBearer] =
                "the capture contains no refresh without the access token, so the server may require that token"
        }
        notePartOfSessions(&missing)
        if !hasHosts {
            missing[.tokenSentElsewhere] =
                "the capture does not show which hosts may receive the tokens; specify the hosts with --host"
        }
        if capture.resolution > .milliseconds(10) {
            assumptionsAboutResolution(&missing)
        }
        return missing
    }

    /// The rules that depend on tokens that the capture does not show, or shows in one place only.
    private func notePartOfSessions(_ missing: inout [RuleName: String]) {
        let renewing = Set(life.filter { $0.kind == "refresh" }.map(\.device))
        let refused = exchanges.flatMap(\.offered).filter { $0.isAccepted == false && $0.kind != "refresh" }
        if refused.contains(where: { offer in offer.device.map { !renewing.contains($0) } ?? false }) {
            missing[.noRefreshAfter401] =
                "a token was refused, and the capture does not show whether its client had a refresh token"
        }
        let places = Set(tokens.offers.joined().filter { $0.wanted == "refresh" }.map(\.place))
        let shared = tokens.offers.joined().contains { $0.wanted != "refresh" && places.contains($0.place) }
        let granted = Set(tokens.grants.joined().map { $0.value.exact })
        let once = life.contains { isInitial($0) && $0.kind == "refresh" && !granted.contains($0.value.exact) }
        let isAlone = Set(life.map(\.kind)).count < 2
        if once, shared || isAlone {
            missing[.tokenOfWrongKind] =
                "a token that is older than the capture was sent only in a refresh, so its kind is unknown"
        }
        let numbers = routeNumbers
        let failed = exchanges.filter { exchange in
            exchange.route.map { tokens.purposes[numbers[$0] ?? 0] == .refresh } ?? false
                && exchange.status.code >= 500
                && exchange.fault == nil
        }
        if failed.count > 1 {
            missing[.callsAfterInvalidRefresh] =
                "a refresh failed with \(failed[0].response.status.code) repeatedly, and the capture does "
                + "not show whether such a failure ends the session on this server"
        }
    }

    /// The numbers of routes by their labels.
    private var routeNumbers: [String: Int] {
        Dictionary(routes.routes.enumerated().map { ($1.label, $0) }, uniquingKeysWith: { first, _ in first })
    }

    private func assumptionsAboutResolution(_ missing: inout [RuleName: String]) {
        let words =
            "the times in the capture have a resolution of \(DurationText.text(capture.resolution)), which is too coarse"
        for rule in [RuleName.requestNotReplayed, .staleTokenFromQueue, .differentRequestReplayed]
        where missing[rule] == nil { missing[rule] = words }
    }
}

/// The meaning of a response to a refresh for the refresh token.
package enum RefreshRefusal {
    private static let statuses: Set<Int> = [400, 401, 403, 404, 410, 418, 422, 498]

    /// Returns whether the token was refused (RFC 6749, section 5.2).
    package static func isRefusal(_ response: HTTPResponse?) -> Bool {
        guard let response, statuses.contains(response.status.code) else { return false }
        return !isUndecided(response)
    }

    /// Returns whether it is about something else, such as the form of the request or a token against forged requests.
    package static func isUndecided(_ response: HTTPResponse?) -> Bool {
        guard let response else { return false }
        // A page for people has such a token in its form.
        let text = response.body.count < 500 ? String(decoding: response.body, as: UTF8.self).lowercased() : ""
        if TokenFinder.wordsAgainstForgery.contains(where: text.contains) { return true }
        guard response.status.code == 400,
            let error = (try? JSONParser(duplicateNames: .lastWins).parse(response.body))?.root["error"]?.string
        else { return false }
        return ["invalid_request", "unsupported_grant_type", "invalid_scope", "temporarily_unavailable"].contains(error)
    }
}

extension RuleName {
    /// The rules that judge by the tokens which requests for resources bring.
    fileprivate static let aboutAccessTokens: Set<RuleName> = [
        .noRefreshAfter401, .refreshLoop, .requestNotReplayed, .refreshOnOtherError,
        .refreshByDeviceClock, .lifetimeCountedFromResponse, .expiresInAgainstExp, .tokenOfAnotherOwner,
        .staleTokenFromQueue, .refreshWithExpiredBearer, .tokenSentElsewhere, .tokenOfWrongKind,
        .differentRequestReplayed, .refreshWithoutNeed, .refreshGivenUp, .malformedToken,
    ]

    /// The rules that a capture without a refresh does not decide.
    fileprivate static let aboutRefreshes: [RuleName] = [
        .refreshStorm, .rotatedTokenReused, .lostResponseSignedOut, .refreshOnOtherError, .signedOutByPassingFailure,
        .callsAfterInvalidRefresh, .refreshWithExpiredBearer, .differentRequestReplayed,
    ]
}
