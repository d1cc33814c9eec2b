import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// An end of a session that its client or its user caused.
struct SessionEnd {
    /// The client's action, as the end of a sentence: `reported that it had signed out`.
    var words: String
    var moment: MonotonicTime
    var time: VirtualTime
    /// The newest exchange before it.
    var number: UInt64
    /// The step that it is, where it is one.
    var step: Step?
    /// Steps by which the client may have gone on before it, had the server not been late itself.
    var doubts: [Step] = []
}

extension SessionEnd {
    /// A request by which the client shows that its session is over.
    init(_ words: String, in step: Step) {
        self.init(
            words: "\(words) in exchange \(step.number)",
            moment: step.arrival,
            time: step.time,
            number: max(step.number, 1) - 1,
            step: step
        )
    }

    init(_ statement: ClientStatement) {
        self.init(
            words: "reported that it had signed out",
            moment: statement.moment,
            time: statement.time,
            number: statement.afterExchange
        )
    }

    /// The session's ends that the client caused by itself, and those that its user caused, in their order.
    static func all(_ statements: [ClientStatement], _ signOuts: [Step], _ signIns: [Step]) -> [SessionEnd] {
        let all =
            statements.filter(\.isSignOut).map { SessionEnd($0) } + signOuts.map { SessionEnd("signed out", in: $0) }
            + signIns.map { SessionEnd("signed in again", in: $0) }
        return all.sorted { ($0.moment, $0.number) < ($1.moment, $1.number) }
    }
}

extension Episode {
    /// The first end of the session at a moment or after it.
    func sessionEnd(since moment: MonotonicTime) -> SessionEnd? {
        let place = sessionEnds.place { $0.moment < moment }
        return place < sessionEnds.count ? sessionEnds[place] : nil
    }

    /// The refresh that the end of a session follows, where nothing shows that the session continued after it or that the
    /// user wanted it to end.
    ///
    /// A user who signs out is another case: then the sign-out comes first, and nothing has failed.
    func cause(of sessionEnd: SessionEnd) -> Step? {
        let next = sessionEnd.number == .max ? .max : sessionEnd.number + 1
        guard let cause = refreshes.before(next).last(where: { $0.arrival <= sessionEnd.moment }),
            !isOver(after: cause, before: next), let end = cause.end, end <= sessionEnd.moment, !isUsers(sessionEnd)
        else { return nil }
        let goesOn = steps.from(cause.number).prefix { $0.number < next }.contains { step in
            step.isAfter(cause) && step.purpose == .resource && step.exchange.hasSucceeded
        }
        // What comes much later is the user's action.
        guard !goesOn, sessionEnd.moment.since(end) < TimeLimit.ownSignOut.value else { return nil }
        if let account = sessionEnd.step?.account, let own = cause.account, own.exact != account.exact { return nil }
        return cause
    }

    /// Returns whether the client reports a sign-out and asks for it: that it does for its user.
    func isUsers(_ sessionEnd: SessionEnd) -> Bool {
        let moments: [MonotonicTime] =
            sessionEnd.step == nil ? signOuts.map(\.arrival) : statements.filter(\.isSignOut).map(\.moment)
        return moments.contains {
            max($0, sessionEnd.moment).since(min($0, sessionEnd.moment)) < TimeLimit.sameSignOut.value
        }
    }

    /// Returns whether the session was at its end already: a sign-out before the refresh with no sign-in after it, or
    /// a new session since.
    private func isOver(after refresh: Step, before next: UInt64) -> Bool {
        if !signIns.between(refresh.number, next).isEmpty { return true }
        guard let signOut = signOuts.before(refresh.number).last else { return false }
        return signIns.between(signOut, refresh).isEmpty
    }

    /// The ends that followed a refresh with such a result although its token was still valid.
    func prematureEnds(
        after result: RefreshResult,
        _ sentence: (_ end: SessionEnd, _ refresh: Step, _ token: HeldToken) -> String
    ) -> [RuleViolation] {
        var reported: Set<UInt64> = []
        return sessionEnds.compactMap { end in
            guard let (refresh, token) = failure(before: end, result), reported.insert(refresh.number).inserted else {
                return nil
            }
            return RuleViolation(sentence(end, refresh, token), [refresh, end.step])
        }
    }

    /// The failed refresh that the client took for the end, although its token was still valid or a later refresh had
    /// succeeded, and the token with which it could have gone on.
    private func failure(before sessionEnd: SessionEnd, _ result: RefreshResult) -> (refresh: Step, token: HeldToken)? {
        guard let cause = cause(of: sessionEnd),
            let failed = cause.isRenewal ? refreshes.before(cause.number).last : cause, failed.result == result,
            let token = cause.isRenewal
                ? cause.granted(.refresh).last ?? cause.granted(.access).last : cause.refresh?.token,
            token.isGood(before: sessionEnd.number + 1, at: sessionEnd.time), let end = failed.end,
            sessionEnd.moment.since(end) < TimeLimit.ownSignOut.value,
            cause.isRenewal || !isOvertaken(cause, by: sessionEnd)
        else { return nil }
        return (failed, token)
    }

    /// Returns whether the client had fresh tokens of another refresh, which is a mistake of another sort.
    private func isOvertaken(_ refresh: Step, by sessionEnd: SessionEnd) -> Bool {
        guard let source = access.newest(by: sessionEnd.moment)?.source, source.isRefresh else { return false }
        return source.number > refresh.number || source.overlaps(refresh) || refresh.status == 409
    }
}
