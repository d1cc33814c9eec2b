import Basics

/// What stands between an app's requests and the network: it changes them on the way out and looks at what comes back.
private protocol Interceptor: Sendable {
    /// The tokens to send a request with; `nil` where it is not to be sent.
    func adapt(_ state: RequestState) async -> Tokens?

    /// What to do after a response.
    func retry(_ state: RequestState, _ outcome: Outcome) async -> RetryDecision
}

/// What is known of one request through all its attempts.
private struct RequestState: Sendable {
    let request: Request
    var attempt = 0
    var used: Tokens?
}

private enum RetryDecision: Sendable {
    case done
    case again(Tokens)
}

/// Lets every request run through an interceptor, which knows of tokens; the pipeline itself does not.
struct InterceptorClient: ReferenceClient {
    let parts: Parts
    private let interceptor: any Interceptor

    init(_ device: Device, bug: Bug?) {
        parts = Parts(device, bug, replay: .withoutBody)
        interceptor = TokenInterceptor(parts)
    }

    func load(_ requests: [Request]) async -> [Outcome] {
        await withTaskGroup(of: (Int, Outcome).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await run(RequestState(request: request))) }
            }
            var outcomes = requests.map { _ in Outcome.signedOut }
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes
        }
    }

    private func run(_ state: RequestState) async -> Outcome {
        var state = state
        guard let tokens = await interceptor.adapt(state) else { return .signedOut }
        state.used = tokens
        parts.replay.note(state.request)
        var outcome = await parts.courier.send(state.request, tokens)
        while case .again(let tokens) = await interceptor.retry(state, outcome) {
            for request in parts.replay.requests(for: state.request) {
                if parts.bug == .staleTokenFromQueue, let used = state.used {
                    await parts.sendLate(request, used)
                }
                outcome = await parts.courier.send(request, tokens)
            }
            state.used = tokens
            state.attempt += 1
        }
        return outcome
    }
}

/// Puts tokens on, and gets new ones when they are refused.
///
/// A class with a lock and callbacks, as interceptors of libraries are: whoever comes first refreshes, everybody else
/// leaves word where to be reached.
private final class TokenInterceptor: Interceptor {
    private struct Desk {
        var isRenewing = false
        var waiting: [CheckedContinuation<Tokens?, Never>] = []
    }

    private enum Place {
        case first
        case served(Tokens?)
        case waits
    }

    private let parts: Parts
    private let desk = Lock(Desk())

    init(_ parts: Parts) {
        self.parts = parts
    }

    func adapt(_ state: RequestState) async -> Tokens? {
        guard let tokens = parts.wallet.tokens else { return nil }
        return parts.freshness.isOver(tokens) ? await fresh(after: tokens) : tokens
    }

    func retry(_ state: RequestState, _ outcome: Outcome) async -> RetryDecision {
        guard parts.isRefused(outcome), state.attempt + 1 < parts.attempts, let used = state.used else { return .done }
        return await fresh(after: used).map(RetryDecision.again) ?? .done
    }

    private func fresh(after old: Tokens) async -> Tokens? {
        if parts.bug == .refreshStorm { return await parts.membership.renew() }
        let isBlind = parts.bug == .signedOutThoughFresh
        let tokens = await withCheckedContinuation { continuation in
            let place = desk.withLock { desk -> Place in
                if desk.isRenewing {
                    desk.waiting.append(continuation)
                    return .waits
                }
                let now = parts.wallet.tokens
                if now?.access != old.access, !isBlind { return .served(now) }
                desk.isRenewing = true
                return .first
            }
            switch place {
            case .waits: break
            case .served(let tokens): continuation.resume(returning: tokens)
            case .first: parts.device.start { await self.renew(continuation) }
            }
        }
        return tokens
    }

    private func renew(_ first: CheckedContinuation<Tokens?, Never>) async {
        let tokens = await parts.membership.renew()
        let waiting = desk.withLock { desk in
            defer { desk = Desk() }
            return desk.waiting
        }
        for continuation in [first] + waiting { continuation.resume(returning: tokens) }
    }
}
