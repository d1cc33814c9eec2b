import Basics

/// The first of several outcomes that may come; a class, because several may bring one.
final class FirstOutcome: Sendable {
    private struct State {
        var outcome: CallOutcome?
        var waiting: CheckedContinuation<CallOutcome, Never>?
    }

    private let state = Lock(State())

    /// Only the first one counts.
    func settle(_ outcome: CallOutcome) {
        let waiting = state.withLock { state -> CheckedContinuation<CallOutcome, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiting.take()
        }
        waiting?.resume(returning: outcome)
    }

    /// Waited for by one.
    var value: CallOutcome {
        get async {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state in
                    if state.outcome == nil { state.waiting = continuation }
                    return state.outcome
                }
                if let known { continuation.resume(returning: known) }
            }
        }
    }
}
