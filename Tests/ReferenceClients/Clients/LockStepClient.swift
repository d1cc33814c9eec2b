/// Sends what is wanted together, waits for all of it, renews the tokens once if need be, and sends the rest again.
///
/// Everything goes in rounds, and one thing after the other, so there is nothing to lock between two rounds.
struct LockStepClient: ReferenceClient {
    let parts: Parts
    private let queue = RefreshQueue()

    init(_ device: Device, bug: Bug?) {
        parts = Parts(device, bug, replay: .never)
    }

    func load(_ requests: [Request]) async -> [Outcome] {
        _ = await queue.enter()
        let outcomes = await inRounds(requests)
        await queue.leave()
        return outcomes
    }

    private func inRounds(_ requests: [Request]) async -> [Outcome] {
        guard var tokens = parts.wallet.tokens else { return requests.map { _ in .signedOut } }
        if parts.freshness.isOver(tokens) {
            guard let fresh = await parts.membership.renew() else { return requests.map { _ in .signedOut } }
            tokens = fresh
        }
        for request in requests { parts.replay.note(request) }
        var outcomes = await round(requests, tokens)
        for _ in 1..<parts.attempts {
            let refused = outcomes.indices.filter { parts.isRefused(outcomes[$0]) }
            guard !refused.isEmpty, let fresh = await renew(for: refused.count) else { break }
            let again = refused.map { parts.replay.requests(for: requests[$0]) }
            if parts.bug == .staleTokenFromQueue {
                for request in again.flatMap({ $0 }) { await parts.sendLate(request, tokens) }
            }
            tokens = fresh
            let responses = await round(again.flatMap { $0 }, tokens)
            var next = 0
            for (index, requests) in zip(refused, again) where !requests.isEmpty {
                next += requests.count
                outcomes[index] = responses[next - 1]
            }
        }
        return outcomes
    }

    /// One round of tokens for everybody who was refused.
    private func renew(for refused: Int) async -> Tokens? {
        switch parts.bug {
        case .refreshStorm:
            await withTaskGroup { group in
                for _ in 0..<refused { group.addTask { await parts.membership.renew() } }
                await group.waitForAll()
            }
        case .signedOutThoughFresh:
            for _ in 0..<refused { _ = await parts.membership.renew() }
        default: return await parts.membership.renew()
        }
        return parts.wallet.tokens
    }

    private func round(_ requests: [Request], _ tokens: Tokens) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await parts.courier.send(request, tokens)) }
            }
            var outcomes = requests.map { _ in Outcome.signedOut }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }
}
