#if canImport(Combine)
    import Combine
    import Foundation

    /// A client whose calls are publishers.
    final class PublishedPets: Sendable {
        private struct State {
            var tokens: PetTokens?
            var waiting: [Future<PetTokens, any Error>.Promise] = []
            var renewal: AnyCancellable?
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

        func signIn(name: String, password: String) -> AnyPublisher<PetTokens, any Error> {
            send(request("POST", "login", ["name": name, "password": password]))
                .decode(type: PetTokens.self, decoder: JSONDecoder())
                .handleEvents(receiveOutput: { [self] tokens in withState { $0.tokens = tokens } })
                .eraseToAnyPublisher()
        }

        func pets() -> AnyPublisher<[Pet], any Error> { value(request("GET", "pets")) }

        func pet(_ id: Pet.ID) -> AnyPublisher<Pet, any Error> { value(request("GET", "pets/\(id)")) }

        func add(_ pet: NewPet) -> AnyPublisher<Pet, any Error> { value(request("POST", "pets", pet)) }

        func remove(_ id: Pet.ID) -> AnyPublisher<Void, any Error> {
            authorized(request("DELETE", "pets/\(id)")).map { _ in }.eraseToAnyPublisher()
        }

        /// Fetches new tokens, once for all who want some meanwhile.
        func refresh() -> Future<PetTokens, any Error> {
            Future { [self] promise in
                let (tokens, isFirst) = withState { state in
                    if state.tokens != nil { state.waiting.append(promise) }
                    return (state.tokens, state.waiting.count == 1)
                }
                guard let tokens else { return promise(.failure(PetsError.signedOut)) }
                guard isFirst else { return }
                let renewal = send(request("POST", "refresh", ["refreshToken": tokens.refreshToken]))
                    .decode(type: PetTokens.self, decoder: JSONDecoder())
                    .mapError { $0 as? PetsError == .refused(401) ? PetsError.signedOut : $0 }
                    .sink { [self] completion in
                        if case .failure(let error) = completion { end(.failure(error)) }
                    } receiveValue: { [self] tokens in
                        end(.success(tokens))
                    }
                withState { $0.renewal = renewal }
            }
        }

        /// Keeps what a refresh has brought, and passes it to those who wait for it.
        private func end(_ result: Result<PetTokens, any Error>) {
            let waiting = withState { state in
                switch result {
                case .success(let tokens): state.tokens = tokens
                case .failure(PetsError.signedOut): state.tokens = nil
                case .failure: break
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            for promise in waiting { promise(result) }
        }

        private func value<Value: Decodable>(_ request: URLRequest) -> AnyPublisher<Value, any Error> {
            authorized(request).decode(type: Value.self, decoder: JSONDecoder()).eraseToAnyPublisher()
        }

        private func authorized(_ request: URLRequest) -> AnyPublisher<Data, any Error> {
            Deferred { [self] () -> AnyPublisher<Data, any Error> in
                guard let used = tokens else { return Fail(error: PetsError.signedOut).eraseToAnyPublisher() }
                return send(request, used.accessToken)
                    .tryCatch { [self] error in
                        guard error as? PetsError == .refused(401) else { throw error }
                        return fresh(after: used).flatMap { [self] in send(request, $0.accessToken) }
                    }
                    .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
        }

        /// The tokens of another call that has renewed them meanwhile, or new ones.
        private func fresh(after used: PetTokens) -> AnyPublisher<PetTokens, any Error> {
            guard let known = tokens, known != used else { return refresh().eraseToAnyPublisher() }
            return Just(known).setFailureType(to: (any Error).self).eraseToAnyPublisher()
        }

        private func send(_ request: URLRequest, _ token: String? = nil) -> AnyPublisher<Data, any Error> {
            var request = request
            if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
            return session.dataTaskPublisher(for: request)
                .tryMap { data, response in
                    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
                    guard 200..<300 ~= status else { throw PetsError.refused(status) }
                    return data
                }
                .eraseToAnyPublisher()
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

        private func withState<Result>(_ body: (inout State) -> Result) -> Result {
            lock.withLock { body(&state) }
        }
    }

    extension Publisher {
        /// Waits for the first value, or for the error.
        func firstValue() async throws -> Output {
            for try await value in values { return value }
            throw CancellationError()
        }
    }
#endif
