/// An actor at whose door requests queue while a refresh is under way.
///
/// A refused request goes back into the queue; whoever finds that its token is still the current one does the refresh.
actor QueueClient: ReferenceClient {
    let parts: Parts
    private var isRenewing = false
    private var queue: [CheckedContinuation<Bool, Never>] = []

    init(_ device: Device, bug: Bug?) {
        parts = Parts(device, bug, replay: .twice)
    }

    /// A request in the queue, with what has become of it so far.
    private struct Ticket {
        var requests: [Request]
        var attempt = 0
        var used: Tokens?
        /// Whether somebody has renewed the tokens for it already.
        var isRenewed = false
        var outcome = Outcome.signedOut
    }

    func load(_ requests: [Request]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await self.serve(request)) }
            }
            var outcomes = requests.map { _ in Outcome.signedOut }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func serve(_ request: Request) async -> Outcome {
        var ticket = Ticket(requests: [request])
        while ticket.attempt < parts.attempts {
            guard await standInLine(), let tokens = parts.wallet.tokens else { break }
            if needsRenewal(ticket, tokens) {
                ticket.isRenewed = true
                guard await renew() else { break }
                continue
            }
            ticket.isRenewed = false
            await send(&ticket, tokens)
            guard parts.isRefused(ticket.outcome) else { break }
        }
        return ticket.outcome
    }

    private func needsRenewal(_ ticket: Ticket, _ tokens: Tokens) -> Bool {
        guard !ticket.isRenewed else { return false }
        guard let used = ticket.used else { return parts.freshness.isOver(tokens) }
        return used.access == tokens.access || parts.bug == .signedOutThoughFresh
    }

    private func send(_ ticket: inout Ticket, _ tokens: Tokens) async {
        if ticket.attempt == 0 { parts.replay.note(ticket.requests[0]) }
        let requests = ticket.attempt == 0 ? ticket.requests : parts.replay.requests(for: ticket.requests[0])
        for request in requests {
            if parts.bug == .staleTokenFromQueue, let used = ticket.used {
                await parts.sendLate(request, used)
            }
            ticket.outcome = await parts.courier.send(request, tokens)
        }
        ticket.used = tokens
        ticket.attempt += 1
    }

    /// Waits until no refresh is under way; false where one has come to nothing meanwhile.
    private func standInLine() async -> Bool {
        while isRenewing, parts.bug != .refreshStorm {
            guard await withCheckedContinuation({ queue.append($0) }) else { return false }
        }
        return true
    }

    /// Renews the tokens, and lets everybody in who has waited for it.
    private func renew() async -> Bool {
        isRenewing = true
        let tokens = await parts.membership.renew()
        isRenewing = false
        for waiting in queue { waiting.resume(returning: tokens != nil) }
        queue = []
        return tokens != nil
    }
}
