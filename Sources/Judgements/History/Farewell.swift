import HTTPWire
import JSONText
import ScenarioFormat
import Simulation

/// How a client gave its session up.
struct Farewell {
    /// What it did, as the end of a sentence: `told signedOut true`.
    var words: String
    var moment: RealTime
    var time: VirtualTime
    /// The newest exchange before it.
    var number: UInt64
    /// The exchange that it is, where it is one.
    var exchange: UInt64?
}

extension Episode {
    /// The session's ends that the client brought about by itself.
    ///
    /// What a user does who signs out is no such thing: then the sign-out comes first, and nothing has failed.
    var farewells: [Farewell] {
        var farewells: [Farewell] = []
        for statement in statements where statement.fact == "signedOut" && statement.value == .bool(true) {
            farewells.append(
                Farewell(
                    words: "told that it had signed out",
                    moment: statement.moment,
                    time: statement.time,
                    number: statement.afterExchange
                )
            )
        }
        for exchange in exchanges {
            let words: String
            switch history.purpose(of: exchange) {
            case .signOut: words = "signed out in exchange \(exchange.number)"
            case .signIn: words = "signed in again in exchange \(exchange.number)"
            case .refresh, .resource, .open: continue
            }
            farewells.append(
                Farewell(
                    words: words,
                    moment: exchange.arrival,
                    time: exchange.time,
                    number: exchange.number - 1,
                    exchange: exchange.number
                )
            )
        }
        return farewells.sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    }

    /// The refresh that a farewell follows, where nothing shows that the session went on after it or that the user
    /// wanted it to end.
    func cause(of farewell: Farewell) -> Exchange? {
        let before = exchanges.filter { $0.number <= farewell.number && $0.arrival <= farewell.moment }
        guard let cause = before.last(where: history.isRefresh), cause.end.map({ $0 <= farewell.moment }) ?? false
        else { return nil }
        let goesOn = before.contains { exchange in
            guard history.isClearlyBefore(cause, exchange) else { return false }
            return history.purpose(of: exchange) == .resource && exchange.response.status.isSuccessful
        }
        let isWanted = before.contains { [.signOut, .signIn].contains(history.purpose(of: $0)) && isEnd($0, cause) }
        guard !goesOn, !isWanted, !isUsers(farewell) else { return nil }
        guard let number = farewell.exchange, let exchange = exchanges.first(where: { $0.number == number }) else {
            return cause
        }
        // Whoever signs out or in much later is a person.
        guard let end = cause.end, exchange.arrival.since(end) < .seconds(2) else { return nil }
        let isOther = exchange.account.map { account in
            cause.account.map { !$0.utf8.elementsEqual(account.utf8) } ?? false
        }
        return isOther ?? false ? nil : cause
    }

    /// Whether the client tells of a sign-out and asks for it: that it does for its user.
    func isUsers(_ farewell: Farewell) -> Bool {
        let moments: [RealTime] =
            farewell.exchange == nil
            ? exchanges.filter { history.purpose(of: $0) == .signOut }.map(\.arrival)
            : statements.filter { $0.fact == "signedOut" && $0.value == .bool(true) }.map(\.moment)
        return moments.contains { max($0, farewell.moment).since(min($0, farewell.moment)) < .seconds(1) }
    }

    /// Whether the session was at its end already: a sign-out before the cause, or a new session after it.
    private func isEnd(_ exchange: Exchange, _ cause: Exchange) -> Bool {
        switch history.purpose(of: exchange) {
        case .signOut: exchange.number < cause.number
        default: exchange.number > cause.number
        }
    }

    /// The farewells that followed a refresh with such a result while its refresh token was still good.
    func premature(after result: RefreshResult) -> [(farewell: Farewell, refresh: Exchange, token: Token)] {
        var told: Set<UInt64> = []
        return farewells.compactMap { farewell in
            guard let refresh = cause(of: farewell), history.result(of: refresh) == result,
                let token = history.offered(.refresh, in: refresh)?.id.flatMap(history.evidence.ledger.token(id:)),
                history.isGood(token, before: farewell.number + 1, at: farewell.time),
                !isOvertaken(refresh, by: farewell), told.insert(refresh.number).inserted
            else { return nil }
            return (farewell, refresh, token)
        }
    }

    /// Whether the client had fresh tokens of another refresh, which is a mistake of another sort.
    private func isOvertaken(_ refresh: Exchange, by farewell: Farewell) -> Bool {
        guard let source = access.newest(by: farewell.moment)?.source, history.isRefresh(source) else { return false }
        return source.number > refresh.number || history.wereTogether(source, refresh)
            || refresh.response.status.code == 409
    }
}
