import Foundation

/// Keeps somebody signed in: gives tokens to requests, renews them once for all who wait, and ends the session once.
///
/// An actor alone would not do: it is re-entrant, so two calls could each begin a refresh while the other waits
/// (SE-0306). The refresh under way is a task that everybody awaits.
actor TokenSession {
    private let rules: SessionRules
    private let transport: any Transport
    private let clock: any ServiceClock
    private let store: any TokenStore
    private var state = State.unread
    /// Grows with every sign-in and sign-out, so that what was begun for an older session changes nothing.
    private var generation = 0
    /// Why the session before this one is over.
    private var lastEnd = SessionEvent.Reason.signedOut
    private var refresh: Task<RefreshEnd, Never>?
    private var listeners: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
    private var listenerCount = 0

    private enum State {
        case unread
        case signedOut
        case signedIn(Tokens)
    }

    private enum RefreshEnd: Sendable {
        case usable(Tokens)
        case failed(ServiceProblem)
    }

    init(rules: SessionRules, transport: any Transport, clock: any ServiceClock, store: any TokenStore) {
        self.rules = rules
        self.transport = transport
        self.clock = clock
        self.store = store
    }

    // MARK: Who is signed in

    /// The tokens that the next request would carry.
    func tokens() async throws(ServiceProblem) -> Tokens? {
        if case .unread = state {
            let generation = generation
            let read: Tokens?
            do { read = try await store.tokens() } catch { throw .storage("\(error)") }
            // Somebody may have signed in meanwhile.
            if case .unread = state, generation == self.generation {
                state = read.map(State.signedIn) ?? .signedOut
            }
        }
        guard case .signedIn(let tokens) = state else { return nil }
        return tokens
    }

    /// Begins a session with tokens that the server has just given.
    func begin(_ tokens: Tokens) async throws(ServiceProblem) {
        generation += 1
        refresh = nil
        state = .signedIn(tokens)
        do {
            try await store.save(tokens)
        } catch {
            throw .storage("\(error)")
        }
        tell(.signedIn)
    }

    /// Ends the session, unless it has ended already.
    func end(_ reason: SessionEvent.Reason) async {
        guard (try? await tokens()) != nil else { return }
        await end(reason, generation)
    }

    private func end(_ reason: SessionEvent.Reason, _ ended: Int) async {
        guard ended == generation, case .signedIn = state else { return }
        generation += 1
        refresh = nil
        lastEnd = reason
        state = .signedOut
        // A store that cannot forget must not keep the app signed in.
        try? await store.clear()
        tell(.ended(reason))
    }

    /// What happens to the session from now on.
    func events() -> AsyncStream<SessionEvent> {
        listenerCount += 1
        let number = listenerCount
        let (stream, continuation) = AsyncStream.makeStream(of: SessionEvent.self)
        listeners[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { [weak self] in await self?.forgetListener(number) }
        }
        return stream
    }

    private func forgetListener(_ number: Int) { listeners[number] = nil }

    private func tell(_ event: SessionEvent) {
        for listener in listeners.values { listener.yield(event) }
    }

    // MARK: Requests

    /// Sends a request with the session's token, and once more with a new one when the first was refused.
    ///
    /// - Parameter isSentAgain: `false` for a request that may have been carried out although its token was refused. The
    ///   token is renewed all the same, and the refusal is the answer.
    func send(
        _ request: TransportRequest,
        isSentAgain: Bool = true
    ) async throws(ServiceProblem) -> TransportReply {
        var current = generation
        guard var tokens = try await usableTokens(&current) else { throw .signedOut }
        for attempt in 1...2 {
            var authorized = request
            rules.authorize(tokens, &authorized)
            let reply: TransportReply
            do {
                reply = try await transport.send(authorized)
            } catch {
                throw .transport(error)
            }
            switch rules.verdict(reply) {
            case .accepted:
                return reply
            case .refused:
                await end(.refused, current)
                throw .sessionEnded(.refused)
            case .expired where attempt == 1:
                tokens = try await replacement(for: tokens, current)
                guard isSentAgain else { return reply }
            case .expired:
                // New tokens did not help, and more of them will not.
                await end(.refused, current)
                throw .sessionEnded(.refused)
            }
        }
        throw .sessionEnded(.refused)
    }

    /// The tokens to begin with: of the refresh under way, if there is one.
    private func usableTokens(_ current: inout Int) async throws(ServiceProblem) -> Tokens? {
        let stored = try await tokens()
        current = generation
        guard stored != nil, let refresh else { return stored }
        switch await refresh.value {
        case .usable(let tokens): return tokens
        case .failed(let problem): throw problem
        }
    }

    /// Tokens to try after these were refused.
    private func replacement(for used: Tokens, _ current: Int) async throws(ServiceProblem) -> Tokens {
        guard current == generation, case .signedIn(let stored) = state else { throw .sessionEnded(lastEnd) }
        // Somebody has renewed them while the answer was under way.
        guard stored.access == used.access else { return stored }
        let task = refresh ?? Task { await self.renew(stored, current) }
        refresh = task
        switch await task.value {
        case .usable(let tokens): return tokens
        case .failed(let problem): throw problem
        }
    }

    // MARK: Renewing

    /// Renews the tokens now, or waits for whoever is doing so.
    func renew() async throws(ServiceProblem) -> Tokens {
        guard let tokens = try await tokens() else { throw .signedOut }
        return try await replacement(for: tokens, generation)
    }

    private func renew(_ tokens: Tokens, _ current: Int) async -> RefreshEnd {
        let end = await askForTokens(tokens, current)
        if current == generation { refresh = nil }
        return end
    }

    private func askForTokens(_ tokens: Tokens, _ current: Int) async -> RefreshEnd {
        var attempt = 0
        while true {
            let result: SessionRules.RefreshResult
            do throws(TransportFailure) {
                result = rules.refreshResult(try await transport.send(rules.refreshRequest(tokens)), tokens)
            } catch {
                let isLost = error == .connectionLost || error == .timedOut
                result = isLost ? .busy(after: nil, .transport(error)) : .failed(.transport(error))
            }
            guard current == generation, case .signedIn(let stored) = state else {
                return .failed(.sessionEnded(lastEnd))
            }
            switch result {
            case .renewed(let renewed):
                state = .signedIn(renewed)
                do { try await store.save(renewed) } catch { return .failed(.storage("\(error)")) }
                return .usable(renewed)
            case .stillFresh:
                return .usable(stored)
            case .ended:
                await end(.expired, current)
                return .failed(.sessionEnded(.expired))
            case .failed(let problem):
                return .failed(problem)
            case .busy(let asked, let problem):
                guard attempt < rules.pauses.count, (asked ?? 0) <= rules.longestPause else {
                    return .failed(problem)
                }
                do { try await clock.sleep(seconds: max(asked ?? 0, rules.pauses[attempt])) } catch {
                    return .failed(.transport(.cancelled))
                }
                attempt += 1
            }
        }
    }
}
