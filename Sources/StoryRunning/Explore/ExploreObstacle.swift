import Basics
import HTTPCodec
import Reports
import Rules
import ScenarioFormat
import Simulation

/// The reason that an exploration without a violation shows nothing about the client.
///
/// "Nothing found" requires that something was tried: a token that the server had accepted was taken away, and the client
/// had a refresh that could be disturbed. Everything here is an error, as for every command that has judged nothing.
struct ExploreObstacle {
    private let base: ExploreBase
    private let roles: TokenRoles

    init(_ base: ExploreBase) {
        self.base = base
        roles = TokenRoles(base.scenario)
    }

    // MARK: The ordinary run

    /// The obstacle that shows after the ordinary run; `nil` if a request brought an access token
    /// that was accepted.
    func finding(in evidence: Evidence) -> Finding? {
        guard roles.kinds.contains(where: { $0.role == .access }) else {
            return finding(
                "\(base.file) defines no access token that could expire, because no route requires an access token",
                advice: "declare a token kind under \"tokens\", and list the kind in the \"requires\" of routes"
            )
        }
        let own = evidence.exchanges.filter { $0.route != nil && $0.origin == nil }
        let resources = own.filter { roles.purpose(of: $0) == .resource }
        let signOut = own.first { roles.purpose(of: $0) == .signOut }
        guard let first = resources.first else {
            let only = signOut.map { " but \($0.words), which signs out" } ?? ""
            let examples = base.scenario.routes.lazy.map(\.key.text).filter { roles.purposes[$0] == .resource }
            let example = examples.first.map { ", such as \($0)" } ?? ""
            return finding(
                "the client sent no request that requires an access token\(only)",
                advice: "make the command perform the actions of a signed-in user\(example)"
            )
        }
        guard !resources.contains(where: hasAcceptedToken) else { return nil }
        if let signOut, signOut.number < first.number, signOut.response.status.isSuccessful {
            return finding(
                "the client signed out with \(signOut.words), before its first request that requires an access token",
                advice: "make the command perform the actions of a signed-in user before it signs out"
            )
        }
        return refusal(of: resources, own, evidence)
    }

    /// The client sent nothing that a route answers.
    func finding(ofSilent run: ExploredRun) -> Finding {
        let exchanges = run.recording.evidence.exchanges.filter { $0.origin == nil }
        guard let first = exchanges.first else {
            let fault = run.clientFindings.first
            return finding(
                fault?.message ?? "the client sent no request to \(base.file)",
                advice: fault?.advice ?? "make the client send its requests to the test server's URL"
            )
        }
        let asked = "\(first.request.method.rawValue) \(first.request.path)"
        return finding(
            "\(base.file) contains no route for \(asked)" + (exchanges.count > 1 ? ", nor for any other request" : ""),
            advice: first.nearest.map { "the nearest route is \($0.route): \($0.difference)" }
                ?? "add a route for the request, or correct the client's base URL"
        )
    }

    private func hasAcceptedToken(_ exchange: Exchange) -> Bool {
        exchange.offered.contains { $0.isAccepted == true && roles.role(of: $0.wanted) == .access }
    }

    /// Every request was refused because of its token, or because it brought none.
    private func refusal(of resources: [Exchange], _ all: [Exchange], _ evidence: Evidence) -> Finding {
        let first = resources[0]
        let statuses = Set(resources.map(\.response.status.code)).sorted().map(String.init).joined(lastBy: "or")
        let all = all.sorted { $0.number < $1.number }
        let refused =
            switch resources.count {
            case 1: "the only request that requires an access token, \(first.words), received \(statuses)"
            case 2: "both requests that require an access token received \(statuses)"
            case let count: "all \(count) requests that require an access token received \(statuses)"
            }
        let offered = first.offered.first { roles.role(of: $0.wanted) == .access }
        let signIn = base.scenario.routes.map(\.key.text).first { roles.purposes[$0] == .signIn }
        let isSignedIn = evidence.ledger.devices.contains { !evidence.ledger.tokens(of: $0).isEmpty }
        if let failed = all.first(where: { roles.purpose(of: $0) == .signIn && $0.granted.isEmpty }), !isSignedIn {
            return finding(
                "\(refused): the sign-in, \(failed.words), received \(failed.response.status.code)",
                advice: "correct the client's sign-in request, or \(signedIn)"
            )
        }
        if !isSignedIn {
            let other = signIn.map { ", or make the client sign in with \($0)" } ?? ""
            return finding("\(refused): no device is signed in", advice: signedIn + other)
        }
        switch offered?.standing {
        case nil, .missing:
            return finding(
                "\(refused): the client sent no token, although a device is signed in",
                advice:
                    "make the client send its stored access token, which is in BACKLOT_TOKENS, or in setting.tokens in a test"
            )
        case .expired, .revoked, .superseded, .reused:
            let token = offered?.id ?? "the token"
            return finding(
                "\(refused): \(token) was \(offered?.standing.rawValue ?? "") before the client started",
                advice:
                    "explore a story without failures; with \"given\": [{\"signIn\": \"phone\"}], the tokens are new"
            )
        case .unknown, .malformed, .wrongKind, .valid:
            return finding(
                "\(refused): the client's token is not an access token of this server",
                advice:
                    "make the client send its stored access token, which is in BACKLOT_TOKENS, or in setting.tokens in a test"
            )
        }
    }

    private var signedIn: String {
        let given = "\"given\": [{\"signIn\": \"phone\"}]"
        guard base.story == nil else { return "add \(given) to \(base.file)" }
        return
            "explore a story that signs a device in: {\"extends\": \"\(FilePath.name(of: base.file))\", \"id\": \"DAY\", "
            + "\"title\": \"A day\", \(given), \"expect\": [{\"request\": \"\(base.firstRoute)\"}]}"
    }

    // MARK: All runs

    /// The obstacle that shows after all runs; `nil` if one of them was decided.
    ///
    /// - Parameter result: without a violation.
    func finding(in result: ExploreResult) -> Finding? {
        guard result.steps.contains(where: \.isSecured) else {
            let difference = result.difference.map { ": \($0)" } ?? ""
            return finding(
                "no exchange that is identical in every run requires an access token\(difference)",
                advice: "make the command perform the same actions in every run"
            )
        }
        let tried = result.runs.filter { $0.perturbation.kind != .ordinary }
        guard !tried.isEmpty else {
            return finding(
                "no failure was injected in any run",
                advice: "allow more runs or more time: at least \(plural(result.plays + 1, "run"))"
            )
        }
        guard tried.contains(where: { $0.outcome.word == "held" }) else {
            let undecided = tried.flatMap(\.outcome.unclear)
            return undecided.isEmpty
                ? finding(
                    "the client did not reach the injected failure in any of \(plural(tried.count, "run"))",
                    advice: "make the command perform the same actions in every run"
                )
                : finding(
                    "no run could be decided, because of \(Set(undecided).sorted().joined(lastBy: "and"))",
                    advice: "make the command perform each action only once, and explore on a less busy machine"
                )
        }
        let died = tried.filter { $0.perturbation.kind == .expired && $0.outcome.isReached }
        guard !died.isEmpty else {
            return finding(
                "the client did not reach the expiry of its access token in any run",
                advice: "make the command perform the same actions in every run"
            )
        }
        let hasRefresh = roles.kinds.contains { $0.role == .refresh } && !roles.wantedByRefreshes.isEmpty
        guard hasRefresh, !result.runs.contains(where: { $0.outcome.refreshes > 0 }) else { return nil }
        let route = roles.wantedByRefreshes.keys.sorted().joined(lastBy: "or")
        return finding(
            "the access token expired in \(plural(died.count, "run")), but the client never requested a new one, so "
                + "no refresh could be disturbed",
            advice:
                "make the client refresh with \(route) when its access token is refused, and make it store the refresh "
                + "token that it receives"
        )
    }

    private func finding(_ message: String, advice: String) -> Finding {
        Finding(.error, id: "explore/nothing-tried", message, at: Place(file: base.file), advice: advice)
    }
}

extension Exchange {
    /// `POST /logout (exchange 3)`.
    fileprivate var words: String { "\(route ?? request.path) (exchange \(number))" }
}
