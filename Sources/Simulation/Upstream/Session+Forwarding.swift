package import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Session {
    /// The base URL of the server that requests are sent on to.
    package var upstreamURL: String? { played.scenario.upstream }

    /// Takes in what an upstream has answered: its tokens, its refusals, and its message for the journal.
    ///
    /// It is called before the client has the last byte, so that no later request comes before it.
    package mutating func note(_ answer: UpstreamAnswer, of number: UInt64, at now: MonotonicTime) {
        let time = catchUp(at: now)
        for grant in answer.grants { backend.foreignTokens.conceal(grant.value, at: lastExchange) }
        for secret in answer.secrets { backend.foreignTokens.conceal(secret, at: lastExchange) }
        let sent = journal.exchange(number)?.request
        guard
            let (request, granted) = upstream.complete(number, sent, by: answer, &backend, &chooser, at: time)
        else { return }
        journal.change(number) { $0.complete(by: answer, request, granted) }
        guard let route = request.route else { return }
        enterConsequences(of: route, status: answer.response.status.code, at: time)
        catchUp(at: now)
    }

    /// Lets the upstream respond; a connection that breaks before the server has done its work is not its concern.
    mutating func forward(
        _ decision: inout Decision,
        _ fault: Fault?,
        _ isCommitted: Bool,
        in context: borrowing ExchangeContext
    ) {
        guard fault == nil || isCommitted else {
            decision.forwarding = nil
            return
        }
        decision.completeForwarding(of: context, fault, backend.ledger)
        decision.response = renderer.dated(Problem.noUpstream.response, clock.dateSecond(at: context.now))
        upstream.begin(context, isCommitted: isCommitted, backend.ledger)
    }
}

extension Exchange {
    /// Adds the upstream's message and what it has changed.
    fileprivate mutating func complete(
        by answer: UpstreamAnswer,
        _ request: ForwardedRequest,
        _ granted: [GrantedToken]
    ) {
        response = answer.response
        if answer.hidesBody { response.body = [] }
        if let route = request.route { self.route = route.key }
        changeDetails { details in
            details.granted = granted
            details.offered = request.offered
            (details.device, details.account) = (request.device, request.account)
        }
    }
}

extension Decision {
    /// Hands the pacing and the fault of the response over to the upstream's message.
    fileprivate mutating func completeForwarding(
        of context: borrowing ExchangeContext,
        _ fault: Fault?,
        _ ledger: TokenLedger
    ) {
        var forwarding = forwarding
        forwarding?.fault = self.fault
        forwarding?.pacing = pacing
        forwarding?.keep = fault?.keep ?? 1
        forwarding?.purpose = context.upstreamPurpose
        // A browser sends no expired cookie, and a page for anyone would still know its user.
        forwarding?.deadTokens = context.offered.filter { [.expired, .revoked].contains($0.standing) }
            .compactMap { $0.id.flatMap(ledger.token(id:))?.value }
        forwarding?.time = context.now
        self.forwarding = forwarding
        (self.fault, pacing) = (nil, nil)
    }
}
