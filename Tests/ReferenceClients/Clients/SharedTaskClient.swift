/// An actor with one task for the refresh, which everybody who needs new tokens awaits.
///
/// An actor may be entered again at every `await`, so the task is noted before anything is awaited.
actor SharedTaskClient: ReferenceClient {
    let parts: Parts
    private var refresh: Task<Tokens?, Never>?

    init(_ device: Device, bug: Bug?) {
        parts = Parts(device, bug, replay: .withoutBody)
    }

    func load(_ requests: [Request]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await self.perform(request)) }
            }
            var outcomes = requests.map { _ in Outcome.signedOut }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func perform(_ request: Request) async -> Outcome {
        guard var tokens = parts.wallet.tokens else { return .signedOut }
        if parts.freshness.isOver(tokens) {
            guard let fresh = await fresh(after: tokens) else { return .signedOut }
            tokens = fresh
        }
        parts.replay.note(request)
        var outcome = await parts.courier.send(request, tokens)
        for _ in 1..<parts.attempts where parts.isRefused(outcome) {
            guard let fresh = await fresh(after: tokens) else { break }
            for request in parts.replay.requests(for: request) {
                if parts.bug == .staleTokenFromQueue { await parts.sendLate(request, tokens) }
                outcome = await parts.courier.send(request, fresh)
            }
            tokens = fresh
        }
        return outcome
    }

    /// Tokens other than those that have just been refused.
    private func fresh(after old: Tokens) async -> Tokens? {
        if parts.bug == .refreshStorm { return await parts.membership.renew() }
        if let refresh { return await refresh.value }
        if parts.bug != .signedOutThoughFresh, let now = parts.wallet.tokens, now.access != old.access { return now }
        let membership = parts.membership
        let task = parts.device.start { await membership.renew() }
        refresh = task
        defer { refresh = nil }
        return await task.value
    }
}
