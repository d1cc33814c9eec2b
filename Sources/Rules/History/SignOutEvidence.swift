import HTTPCodec
import JSON
import ScenarioFormat
import Simulation

/// How a client gave its session up.
struct SignOutEvidence {
    /// What it did, as the end of a sentence: `told signedOut true`.
    var words: String
    var moment: RealTime
    var time: VirtualTime
    /// The newest exchange before it.
    var number: UInt64
    /// The exchange that it is, where it is one.
    var exchange: UInt64?
}

extension SignOutEvidence {
    /// The session's ends that the client caused by itself, and those that its user caused, in their order.
    static func all(in row: ExchangeRow, _ statements: [ClientStatement]) -> [SignOutEvidence] {
        var signOuts: [SignOutEvidence] = []
        for statement in statements where statement.fact == "signedOut" && statement.value == .bool(true) {
            signOuts.append(
                SignOutEvidence(
                    words: "told that it had signed out",
                    moment: statement.moment,
                    time: statement.time,
                    number: statement.afterExchange
                )
            )
        }
        func note(_ place: Int, _ words: String) {
            let exchange = row.exchanges[place]
            signOuts.append(
                SignOutEvidence(
                    words: "\(words) in exchange \(exchange.number)",
                    moment: exchange.arrival,
                    time: exchange.time,
                    number: max(exchange.number, 1) - 1,
                    exchange: exchange.number
                )
            )
        }
        for place in row.signOuts { note(place, "signed out") }
        for place in row.signIns { note(place, "signed in again") }
        return signOuts.sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    }
}

extension Episode {
    /// The first sign-out at a moment or after it.
    func signOut(since moment: RealTime) -> SignOutEvidence? {
        let place = signOuts.place { $0.moment < moment }
        return place < signOuts.count ? signOuts[place] : nil
    }

    /// The refresh that a sign-out follows, where nothing shows that the session went on after it or that the user
    /// wanted it to end.
    ///
    /// A user who signs out is another case: then the sign-out comes first, and nothing has failed.
    func cause(of signOut: SignOutEvidence) -> Exchange? {
        let end = row.place(of: signOut.number == .max ? .max : signOut.number + 1)
        let place = row.last(in: row.refreshes, before: end) { $0.arrival <= signOut.moment }
        guard let place, !isOver(after: place, before: end) else { return nil }
        let cause = exchanges[place]
        guard cause.end.map({ $0 <= signOut.moment }) ?? false, !isUsers(signOut) else { return nil }
        let goesOn = exchanges[place..<end].contains { exchange in
            history.isClearlyBefore(cause, exchange) && history.purpose(of: exchange) == .resource
                && exchange.response.status.isSuccessful
        }
        guard !goesOn else { return nil }
        // What comes much later is the user's action.
        guard let end = cause.end, signOut.moment.since(end) < TimeLimit.ownSignOut.value else { return nil }
        guard let number = signOut.exchange else { return cause }
        let exchange = exchanges[row.place(of: number)]
        let isOther = exchange.account.map { account in
            cause.account.map { !$0.utf8.elementsEqual(account.utf8) } ?? false
        }
        return isOther ?? false ? nil : cause
    }

    /// Whether the client reports a sign-out and asks for it: that it does for its user.
    func isUsers(_ signOut: SignOutEvidence) -> Bool {
        let moments: [RealTime] =
            signOut.exchange == nil
            ? row.signOuts.map { exchanges[$0].arrival }
            : statements.filter { $0.fact == "signedOut" && $0.value == .bool(true) }.map(\.moment)
        return moments.contains {
            max($0, signOut.moment).since(min($0, signOut.moment)) < TimeLimit.sameSignOut.value
        }
    }

    /// Whether the session was at its end already: a sign-out before the refresh with no sign-in after it, or
    /// a new session since.
    private func isOver(after refresh: Int, before end: Int) -> Bool {
        if !row.signIns.between(refresh, end).isEmpty { return true }
        let signOuts = row.signOuts[..<row.signOuts.place(of: refresh)]
        guard let signOut = signOuts.last else { return false }
        return row.signIns.between(signOut, refresh).isEmpty
    }

    /// The sign-outs that followed a refresh with such a result while its refresh token was still valid.
    fileprivate func premature(after result: RefreshResult) -> [(
        signOut: SignOutEvidence, refresh: Exchange, token: Token
    )] {
        var told: Set<UInt64> = []
        return signOuts.compactMap { signOut in
            if let renewed = cause(of: signOut), let (refresh, token) = failure(before: renewed, result, signOut) {
                return told.insert(refresh.number).inserted ? (signOut, refresh, token) : nil
            }
            guard let refresh = cause(of: signOut), history.result(of: refresh) == result,
                let token = history.offered(.refresh, in: refresh)?.id.flatMap(history.evidence.ledger.token(id:)),
                history.isGood(token, before: signOut.number + 1, at: signOut.time),
                !isOvertaken(refresh, by: signOut), told.insert(refresh.number).inserted
            else { return nil }
            return (signOut, refresh, token)
        }
    }

    /// The failed refresh that the client took for the end although a later one had succeeded, and what that brought.
    private func failure(
        before renewed: Exchange,
        _ result: RefreshResult,
        _ signOut: SignOutEvidence
    ) -> (refresh: Exchange, token: Token)? {
        guard history.result(of: renewed) == .renewed,
            let token = history.granted(.refresh, by: renewed).last ?? history.granted(.access, by: renewed).last,
            history.isGood(token, before: signOut.number + 1, at: signOut.time),
            let place = row.refreshes[..<row.refreshes.place(of: row.place(of: renewed.number))].last
        else { return nil }
        let failed = exchanges[place]
        guard history.result(of: failed) == result, let end = failed.end,
            signOut.moment.since(end) < TimeLimit.ownSignOut.value
        else { return nil }
        return (failed, token)
    }

    /// Whether the client had fresh tokens of another refresh, which is a mistake of another sort.
    private func isOvertaken(_ refresh: Exchange, by signOut: SignOutEvidence) -> Bool {
        guard let source = access.newest(by: signOut.moment)?.source, history.isRefresh(source) else { return false }
        return source.number > refresh.number || history.wereTogether(source, refresh)
            || refresh.response.status.code == 409
    }
}

extension TokenHistory {
    /// The sessions that were given up after a refresh with such a result although its token was still valid.
    func prematureEnds(
        after result: RefreshResult,
        _ sentence: (_ signOut: SignOutEvidence, _ refresh: Exchange, _ token: Token) -> String
    ) -> [RuleViolation] {
        episodes.flatMap { episode in
            episode.premature(after: result).map { signOut, refresh, token in
                RuleViolation(
                    sentence(signOut, refresh, token),
                    exchanges: [refresh.number] + (signOut.exchange.map { [$0] } ?? []),
                    device: episode.device
                )
            }
        }
    }
}

/// The result of a refresh, as its client could know it.
enum RefreshResult: Hashable {
    /// New tokens have arrived.
    case renewed
    /// The server has done it, and its response was lost.
    case lost
    /// The response ends the session permanently.
    case terminal
    /// It failed, and may succeed the next time.
    case passing
    /// Nothing of all that: it is still under way, or it got a response without new tokens.
    case other
}

extension TokenHistory {
    func result(of refresh: Exchange) -> RefreshResult {
        let hasGranted = refresh.handsOutNewTokens
        guard wasReceived(refresh) else {
            if refresh.outcome == .open { return .other }
            return refresh.isCommitted && hasGranted ? .lost : .passing
        }
        if hasGranted { return .renewed }
        if refresh.response.status.isSuccessful { return .other }
        return isTerminal(refresh) ? .terminal : .passing
    }

    /// Whether the scenario says that such a response ends the session; where it says nothing, a refused token does.
    private func isTerminal(_ refresh: Exchange) -> Bool {
        let judged = refresh.offered.filter { $0.isAccepted != nil && roles.role(of: $0.wanted) == .refresh }
        let statuses = judged.flatMap { roles.kind(named: $0.wanted)?.terminal ?? [] }
        return statuses.isEmpty
            ? judged.contains { $0.isAccepted == false } : statuses.contains(refresh.response.status.code)
    }

    /// Whether a response may mean that the access token is not valid, right or wrong.
    func soundsRefused(_ exchange: Exchange) -> Bool {
        guard wasReceived(exchange), exchange.origin == nil else { return false }
        switch purpose(of: exchange) {
        case .refresh, .signIn: return false
        case .resource, .signOut, .open:
            if hasRefusedToken(exchange) { return true }
            let status = exchange.response.status.code
            let kinds = exchange.offered.compactMap { roles.kind(named: $0.wanted) }
            return status == 401 || kinds.contains { $0.refusals.contains(status) && status >= 400 }
        }
    }
}
