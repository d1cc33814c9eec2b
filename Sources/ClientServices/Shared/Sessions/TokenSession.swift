import Foundation

/// Keeps a user signed in: gives tokens to requests, renews them once for all that wait, and ends the session once.
///
/// An actor alone would not do: it is re-entrant, so a condition that was true before an `await` may be false after it
/// (SE-0306). Three rules take care of that:
///
/// - The refresh under way is a task that all requests await.
/// - The store is asked one thing after the other, and what is written is what the session is when the write begins. So
///   no save lands on a sign-out that came after it.
/// - What was begun for a session asks after each `await` whether that session goes on; see ``tokens(of:)``.
actor TokenSession {
    private let rules: SessionRules
    private let transport: any Transport
    private let clock: any ServiceClock
    private let store: any TokenStore
    private var state = State.unread
    /// A Boolean value that indicates whether the store holds what `state` says: `false` until it was written, and
    /// after a write that failed.
    private var isStored = true
    /// The newest use of the store, which the next one waits for.
    private var lastTurn: Task<Void, Never>?
    /// The number of the present session.
    ///
    /// It grows whenever one begins or ends, so that what was begun for an older one changes nothing.
    private(set) var generation = 0
    /// The number of times that the user has signed out, so that a sign-in whose tokens are still being saved ends as
    /// well.
    private var signOuts = 0
    /// The reason why the session before this one is over.
    private var lastEnd = SessionEvent.Reason.signedOut
    private var refresh: Task<Result<Void, ServiceProblem>, Never>?
    private var listeners: [Int: AsyncStream<SessionEvent>.Continuation] = [:]
    private var listenerCount = 0

    private enum State {
        case unread
        case signedOut
        case signedIn(Tokens)
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
            try await inTurn { session throws(ServiceProblem) in try await session.read() }
        }
        guard case .signedIn(let tokens) = state else { return nil }
        return tokens
    }

    /// Begins a session with tokens that the server has just given, once the store holds them.
    ///
    /// - Throws: ``ServiceProblem/storage(_:)`` when they cannot be saved. The previous session then continues, if there is
    ///   one. ``ServiceProblem/sessionEnded(_:)`` when the user signs out at the same time.
    func begin(_ tokens: Tokens) async throws(ServiceProblem) {
        let signOuts = signOuts
        try await inTurn { session throws(ServiceProblem) in try await session.begin(tokens, unlessAfter: signOuts) }
    }

    /// Ends the session for its user: at once here, and in the store when this returns.
    ///
    /// - Parameter ended: the number of the session to end; `nil` for the present one. A later one goes on.
    /// - Throws: ``ServiceProblem/storage(_:)`` when the store cannot be cleared. The session is over here, but its
    ///   tokens may be there at the next launch. Another call tries again.
    func end(_ ended: Int? = nil) async throws(ServiceProblem) {
        if ended == nil || ended == generation {
            signOuts += 1
            switch state {
            case .signedOut:
                break
            case .signedIn:
                leave(.signedOut)
            case .unread:
                leave(.signedOut)
                // The store alone knows whether there was a session to end. One that cannot be read may hold one.
                try? await inTurn { session in
                    let isEmpty = (try? await session.store.tokens() == nil) ?? false
                    if !isEmpty { session.tell(.ended(.signedOut)) }
                }
            }
        }
        try await settle()
    }

    /// Ends a session that the server refuses, unless it is over already.
    private func end(_ reason: SessionEvent.Reason, _ ended: Int) async {
        guard ended == generation, case .signedIn = state else { return }
        leave(reason)
        // Tokens that cannot be cleared are refused again at the next launch.
        try? await settle()
    }

    private func leave(_ reason: SessionEvent.Reason) {
        if case .signedIn = state { tell(.ended(reason)) }
        generation += 1
        refresh = nil
        lastEnd = reason
        state = .signedOut
        isStored = false
    }

    /// The current tokens of a session.
    ///
    /// - Throws: ``ServiceProblem/sessionEnded(_:)`` when it is over.
    private func tokens(of generation: Int) throws(ServiceProblem) -> Tokens {
        guard generation == self.generation, case .signedIn(let tokens) = state else { throw .sessionEnded(lastEnd) }
        return tokens
    }

    // MARK: The store

    /// Uses the store when all uses before this one have ended, and to the end, also for a caller that is cancelled.
    private func inTurn(
        _ use: @escaping @Sendable (isolated TokenSession) async throws(ServiceProblem) -> Void
    ) async throws(ServiceProblem) {
        let turn = Task { [lastTurn] () -> Result<Void, ServiceProblem> in
            await lastTurn?.value
            do throws(ServiceProblem) {
                return .success(try await use(self))
            } catch {
                return .failure(error)
            }
        }
        lastTurn = Task { _ = await turn.value }
        try await turn.value.get()
    }

    private func read() async throws(ServiceProblem) {
        guard case .unread = state else { return }
        let read: Tokens?
        do { read = try await store.tokens() } catch { throw .storage("\(error)") }
        // A sign-out waits for no turn.
        guard case .unread = state else { return }
        state = read.map(State.signedIn) ?? .signedOut
    }

    private func begin(_ tokens: Tokens, unlessAfter signOuts: Int) async throws(ServiceProblem) {
        guard signOuts == self.signOuts else { throw .sessionEnded(.signedOut) }
        isStored = false
        do { try await store.save(tokens) } catch { throw .storage("\(error)") }
        // The sign-out's own turn comes next, and clears the store.
        guard signOuts == self.signOuts else { throw .sessionEnded(.signedOut) }
        if case .signedIn = state { lastEnd = .signedOut }
        generation += 1
        refresh = nil
        state = .signedIn(tokens)
        isStored = true
        tell(.signedIn)
    }

    /// Has the store hold what the session says, unless it does.
    private func settle() async throws(ServiceProblem) {
        try await inTurn { session throws(ServiceProblem) in try await session.write() }
    }

    private func write() async throws(ServiceProblem) {
        guard !isStored else { return }
        // Before the `await`: later changes have to be written as well.
        isStored = true
        do {
            switch state {
            case .unread: break
            case .signedOut: try await store.clear()
            case .signedIn(let tokens): try await store.save(tokens)
            }
        } catch {
            isStored = false
            throw .storage("\(error)")
        }
    }

    // MARK: Events

    /// The events of the session from now on.
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

    /// Sends a request with the session's token, and again with a new one when the first was refused.
    ///
    /// - Parameters:
    ///   - isSentAgain: `false` for a request that may have been carried out although its token was refused. The token is
    ///     renewed all the same, and the refusal is the response.
    ///   - owner: the session that the request belongs to. `nil` means the current one, and is set to it; a request
    ///     of a session that is over is not sent in the next one, which may be another user's.
    func send(
        _ request: TransportRequest,
        isSentAgain: Bool,
        of owner: inout Int?
    ) async throws(ServiceProblem) -> TransportResponse {
        // What could not be written is tried again. That it failed was reported when it did.
        if !isStored { try? await settle() }
        if try await tokens() == nil, owner == nil { throw .signedOut }
        let current = owner ?? generation
        owner = current
        var tokens = try tokens(of: current)
        // The refresh under way has the tokens to begin with.
        if let refresh { tokens = try await outcome(of: refresh, current) }
        var isFirst = true
        while true {
            var authorized = request
            rules.authorize(tokens, &authorized)
            let response: TransportResponse
            do {
                response = try await transport.send(authorized)
            } catch {
                throw .transport(error)
            }
            // Other requests may have had the tokens renewed once more while this one was under way. Then its refusal
            // does not apply to the newest, and needs no refresh: there are never more attempts than others' renewals.
            let isOutdated = (try? self.tokens(of: current).access != tokens.access) ?? false
            switch rules.verdict(response) {
            case .accepted:
                return response
            case .expired where isFirst || isOutdated:
                isFirst = false
                tokens = try await replacement(for: tokens, current)
                guard isSentAgain else { return response }
            case .expired, .refused:
                _ = try self.tokens(of: current)
                // New tokens did not help or would not, and more of them will not.
                await end(.refused, current)
                throw .sessionEnded(.refused)
            }
        }
    }

    /// Tokens to try after these were refused.
    private func replacement(for used: Tokens, _ current: Int) async throws(ServiceProblem) -> Tokens {
        let stored = try tokens(of: current)
        // Another request has renewed them while the response was under way.
        guard stored.access == used.access else { return stored }
        let task = refresh ?? Task { await self.renew(current) }
        refresh = task
        return try await outcome(of: task, current)
    }

    /// The tokens that a session has after a refresh.
    private func outcome(
        of refresh: Task<Result<Void, ServiceProblem>, Never>,
        _ current: Int
    ) async throws(ServiceProblem) -> Tokens {
        let result = await refresh.value
        let tokens = try tokens(of: current)
        try result.get()
        return tokens
    }

    // MARK: Renewing

    /// Renews the tokens now, or waits for the renewal under way.
    func renew() async throws(ServiceProblem) {
        guard let tokens = try await tokens() else { throw .signedOut }
        _ = try await replacement(for: tokens, generation)
    }

    private func renew(_ current: Int) async -> Result<Void, ServiceProblem> {
        let result: Result<Void, ServiceProblem>
        do throws(ServiceProblem) {
            result = .success(try await askForTokens(current))
        } catch {
            result = .failure(error)
        }
        if current == generation { refresh = nil }
        return result
    }

    private func askForTokens(_ current: Int) async throws(ServiceProblem) {
        var retries = RetryPauses()
        while true {
            // The session may have ended during a pause. Its tokens are not sent then.
            let used = try tokens(of: current)
            let result: SessionRules.RefreshResult
            do throws(TransportFailure) {
                result = rules.refreshResult(try await transport.send(rules.refreshRequest(used)), used)
            } catch {
                let isLost = error == .connectionLost || error == .timedOut
                result = isLost ? .busy(.transport(error)) : .failed(.transport(error))
            }
            _ = try tokens(of: current)
            switch result {
            case .renewed(let renewed):
                state = .signedIn(renewed)
                isStored = false
                // The server may take the old ones no longer, so these stay in use when they cannot be saved.
                return try await settle()
            case .stillFresh:
                return
            case .ended:
                await end(.expired, current)
                throw .sessionEnded(.expired)
            case .failed(let problem):
                throw problem
            case .busy(let problem):
                guard try await retries.pause(for: problem.retryAfter(at: clock.now), on: clock) else { throw problem }
            }
        }
    }
}
