import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct InterceptedPets: Sendable {
    let authenticator: PetsAuthenticator
    private let baseURL: URL
    private let open: Session
    private let session: Session

    init(baseURL: URL, tokens: PetTokens?, load: @escaping Session.Load) {
        let open = Session(load: load)
        authenticator = PetsAuthenticator(tokens: tokens) { old in
            let data = try await open.data(for: .pets(baseURL, "POST", "refresh", ["refreshToken": old.refreshToken]))
            return try JSONDecoder().decode(PetTokens.self, from: data)
        }
        self.baseURL = baseURL
        self.open = open
        session = Session(load: load, interceptor: authenticator)
    }

    func signIn(name: String, password: String) async throws -> PetTokens {
        let request = try URLRequest.pets(baseURL, "POST", "login", ["name": name, "password": password])
        let tokens = try JSONDecoder().decode(PetTokens.self, from: await open.data(for: request))
        authenticator.tokens = tokens
        return tokens
    }

    func refresh() async throws -> PetTokens {
        try await withCheckedThrowingContinuation { continuation in
            authenticator.refresh { continuation.resume(with: $0) }
        }
    }

    func pets() async throws -> [Pet] { try await value(.pets(baseURL, "GET", "pets")) }

    func pet(_ id: Pet.ID) async throws -> Pet { try await value(.pets(baseURL, "GET", "pets/\(id)")) }

    func add(_ pet: NewPet) async throws -> Pet { try await value(.pets(baseURL, "POST", "pets", pet)) }

    func remove(_ id: Pet.ID) async throws { _ = try await session.data(for: .pets(baseURL, "DELETE", "pets/\(id)")) }

    private func value<Value: Decodable>(_ request: URLRequest) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: await session.data(for: request))
    }
}

extension URLRequest {
    static func pets(_ baseURL: URL, _ method: String, _ path: String) -> URLRequest {
        var request = URLRequest(url: baseURL.appendingPathComponent(path), timeoutInterval: 15)
        request.httpMethod = method
        return request
    }

    static func pets(_ baseURL: URL, _ method: String, _ path: String, _ body: some Encodable) throws -> URLRequest {
        var request = pets(baseURL, method, path)
        request.httpBody = try JSONEncoder().encode(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return request
    }
}
