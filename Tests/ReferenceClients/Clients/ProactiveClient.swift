/// Renews tokens before they expire, by the server's time, and after a refusal all the same.
///
/// Calls that renew go through a queue one by one, and each looks first whether another has done it meanwhile.
struct ProactiveClient: ReferenceClient {
    let parts: Parts
    private let queue = RefreshQueue()

    init(_ device: Device, bug: Bug?) {
        parts = Parts(device, bug, freshness: .serverTime, replay: .never)
    }

    func load(_ requests: [Request]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await perform(request)) }
            }
            var outcomes = requests.map { _ in Outcome.signedOut }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func perform(_ request: Request) async -> Outcome {
        guard let held = parts.wallet.tokens else { return .signedOut }
        guard var tokens = parts.freshness.isOver(held) ? await renewed(after: held) : held else { return .signedOut }
        parts.replay.note(request)
        var outcome = await parts.courier.send(request, tokens)
        var attempt = 1
        while attempt < parts.attempts, parts.isRefused(outcome), let fresh = await renewed(after: tokens) {
            for request in parts.replay.requests(for: request) {
                if parts.bug == .staleTokenFromQueue { await parts.sendLate(request, tokens) }
                outcome = await parts.courier.send(request, fresh)
            }
            tokens = fresh
            attempt += 1
        }
        return outcome
    }

    private func renewed(after old: Tokens) async -> Tokens? {
        if parts.bug == .refreshStorm { return await parts.membership.renew() }
        let turn = await queue.enter()
        var tokens = parts.wallet.tokens
        if tokens?.access == old.access || parts.bug == .signedOutThoughFresh {
            // Whoever has waited for somebody that got nothing gets nothing either.
            tokens = turn == .first || parts.bug == .signedOutThoughFresh ? await parts.membership.renew() : nil
        }
        await queue.leave()
        return tokens
    }
}
