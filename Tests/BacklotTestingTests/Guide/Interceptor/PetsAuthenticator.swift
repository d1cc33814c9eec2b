import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Puts the access token into requests, and renews it once for all who were refused.
final class PetsAuthenticator: RequestInterceptor {
    typealias Renewed = @Sendable (Result<PetTokens, any Error>) -> Void

    private struct State {
        var tokens: PetTokens?
        var waiting: [Renewed] = []
    }

    private let lock = NSLock()
    // Touched by `withState` only, which holds the lock.
    private nonisolated(unsafe) var state: State
    private let renew: @Sendable (PetTokens) async throws -> PetTokens

    init(tokens: PetTokens?, renew: @escaping @Sendable (PetTokens) async throws -> PetTokens) {
        state = State(tokens: tokens)
        self.renew = renew
    }

    var tokens: PetTokens? {
        get { withState { $0.tokens } }
        set { withState { $0.tokens = newValue } }
    }

    func adapt(_ request: URLRequest, completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void) {
        guard let tokens else { return completion(.failure(PetsError.signedOut)) }
        var request = request
        request.setValue("Bearer \(tokens.accessToken)", forHTTPHeaderField: "Authorization")
        completion(.success(request))
    }

    func retry(
        _ request: URLRequest,
        retryCount: Int,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        guard error as? PetsError == .refused(401), retryCount == 0 else { return completion(.doNotRetry) }
        let known = tokens.map { "Bearer \($0.accessToken)" }
        if let known, request.value(forHTTPHeaderField: "Authorization") != known { return completion(.retry) }
        refresh { result in
            switch result {
            case .success: completion(.retry)
            case .failure(let error): completion(.doNotRetryWithError(error))
            }
        }
    }

    func refresh(_ completion: @escaping Renewed) {
        let (tokens, isFirst) = withState { state in
            if state.tokens != nil { state.waiting.append(completion) }
            return (state.tokens, state.waiting.count == 1)
        }
        guard let tokens else { return completion(.failure(PetsError.signedOut)) }
        guard isFirst else { return }
        Task {
            let result: Result<PetTokens, any Error>
            do {
                result = .success(try await renew(tokens))
            } catch PetsError.refused(401) {
                result = .failure(PetsError.signedOut)
            } catch {
                result = .failure(error)
            }
            for waiting in take(result) { waiting(result) }
        }
    }

    /// Keeps what a renewal has brought, and returns who waits for it.
    private func take(_ result: Result<PetTokens, any Error>) -> [Renewed] {
        withState { state in
            switch result {
            case .success(let tokens): state.tokens = tokens
            case .failure(PetsError.signedOut): state.tokens = nil
            case .failure: break
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }
}
