import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client with completion handlers.
final class CallbackPets: Sendable {
    typealias Completion<Value> = @Sendable (Result<Value, any Error>) -> Void

    private struct State {
        var tokens: PetTokens?
        var waiting: [Completion<PetTokens>] = []
    }

    private let baseURL: URL
    private let session: URLSession
    private let lock = NSLock()
    // Touched by `withState` only, which holds the lock.
    private nonisolated(unsafe) var state: State

    init(baseURL: URL, tokens: PetTokens?, session: URLSession) {
        self.baseURL = baseURL
        self.session = session
        state = State(tokens: tokens)
    }

    var tokens: PetTokens? { withState { $0.tokens } }

    func signIn(name: String, password: String, completion: @escaping Completion<PetTokens>) {
        send(request("POST", "login", ["name": name, "password": password])) { [self] result in
            let tokens = Self.decode(PetTokens.self, result)
            if case .success(let tokens) = tokens { withState { $0.tokens = tokens } }
            completion(tokens)
        }
    }

    func pets(completion: @escaping Completion<[Pet]>) { value(request("GET", "pets"), completion) }

    func pet(_ id: Pet.ID, completion: @escaping Completion<Pet>) { value(request("GET", "pets/\(id)"), completion) }

    func add(_ pet: NewPet, completion: @escaping Completion<Pet>) { value(request("POST", "pets", pet), completion) }

    func remove(_ id: Pet.ID, completion: @escaping Completion<Void>) {
        authorized(request("DELETE", "pets/\(id)")) { completion($0.map { _ in }) }
    }

    /// Fetches new tokens, once for all who want some meanwhile.
    func refresh(completion: @escaping Completion<PetTokens>) {
        let (tokens, isFirst) = withState { state in
            if state.tokens != nil { state.waiting.append(completion) }
            return (state.tokens, state.waiting.count == 1)
        }
        guard let tokens else { return completion(.failure(PetsError.signedOut)) }
        guard isFirst else { return }
        send(request("POST", "refresh", ["refreshToken": tokens.refreshToken])) { [self] data in
            let result = Self.decode(PetTokens.self, data).mapError { error -> any Error in
                error as? PetsError == .refused(401) ? PetsError.signedOut : error
            }
            for waiting in take(result) { waiting(result) }
        }
    }

    /// Keeps what a refresh has brought, and returns who waits for it.
    private func take(_ result: Result<PetTokens, any Error>) -> [Completion<PetTokens>] {
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

    private func value<Value: Decodable & Sendable>(_ request: URLRequest, _ completion: @escaping Completion<Value>) {
        authorized(request) { completion(Self.decode(Value.self, $0)) }
    }

    private func authorized(_ request: URLRequest, _ completion: @escaping Completion<Data>) {
        guard let used = tokens else { return completion(.failure(PetsError.signedOut)) }
        send(request, used.accessToken) { [self] result in
            guard case .failure(PetsError.refused(401)) = result else { return completion(result) }
            // Another call may have got new tokens while this one was under way.
            if let known = tokens, known != used { return send(request, known.accessToken, completion) }
            refresh { [self] result in
                switch result {
                case .success(let fresh): send(request, fresh.accessToken, completion)
                case .failure(let error): completion(.failure(error))
                }
            }
        }
    }

    private func send(_ request: URLRequest, _ token: String? = nil, _ completion: @escaping Completion<Data>) {
        var request = request
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let task = session.dataTask(with: request) { data, response, error in
            if let error { return completion(.failure(error)) }
            let status = (response as? HTTPURLResponse)?.statusCode ?? 0
            completion(200..<300 ~= status ? .success(data ?? Data()) : .failure(PetsError.refused(status)))
        }
        task.resume()
    }

    private func request(_ method: String, _ path: String, _ body: (some Encodable)? = Data?.none) -> URLRequest {
        var request = URLRequest(url: baseURL.appendingPathComponent(path))
        request.httpMethod = method
        if let body {
            request.httpBody = try? JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        return request
    }

    private static func decode<Value: Decodable>(_: Value.Type, _ data: Result<Data, any Error>)
        -> Result<Value, any Error>
    {
        Result { try JSONDecoder().decode(Value.self, from: data.get()) }
    }

    private func withState<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock { body(&state) }
    }
}
