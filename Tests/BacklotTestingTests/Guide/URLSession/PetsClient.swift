import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

actor PetsClient {
    private(set) var tokens: PetTokens?
    private let baseURL: URL
    private let session: URLSession
    private var renewal: Task<PetTokens, any Error>?

    init(baseURL: URL, tokens: PetTokens?, session: URLSession = URLSession(configuration: .ephemeral)) {
        self.baseURL = baseURL
        self.tokens = tokens
        self.session = session
    }

    func signIn(name: String, password: String) async throws -> PetTokens {
        let tokens: PetTokens = try decode(
            await send("POST", "login", JSONEncoder().encode(["name": name, "password": password]))
        )
        self.tokens = tokens
        return tokens
    }

    func pets() async throws -> [Pet] { try await decode(call("GET", "pets")) }

    func pet(_ id: Pet.ID) async throws -> Pet { try await decode(call("GET", "pets/\(id)")) }

    func add(_ pet: NewPet) async throws -> Pet { try await decode(call("POST", "pets", JSONEncoder().encode(pet))) }

    func remove(_ id: Pet.ID) async throws { _ = try await call("DELETE", "pets/\(id)") }

    /// Fetches new tokens, once for all who want some meanwhile.
    func refresh() async throws -> PetTokens {
        if let renewal { return try await renewal.value }
        guard let tokens else { throw PetsError.signedOut }
        let task = Task { try await renew(tokens) }
        renewal = task
        defer { renewal = nil }
        return try await task.value
    }

    private func renew(_ old: PetTokens) async throws -> PetTokens {
        do {
            let body = try JSONEncoder().encode(["refreshToken": old.refreshToken])
            let new: PetTokens = try await decode(send("POST", "refresh", body))
            tokens = new
            return new
        } catch PetsError.refused(401) {
            tokens = nil
            throw PetsError.signedOut
        }
    }

    private func call(_ method: String, _ path: String, _ body: Data? = nil) async throws -> Data {
        guard let tokens else { throw PetsError.signedOut }
        do {
            return try await send(method, path, body, tokens.accessToken)
        } catch PetsError.refused(401) {
            // Another call may have got new tokens while this one was under way.
            let known = self.tokens
            let fresh = if let known, known != tokens { known } else { try await refresh() }
            return try await send(method, path, body, fresh.accessToken)
        }
    }

    private func send(_ method: String, _ path: String, _ body: Data? = nil, _ token: String? = nil) async throws
        -> Data
    {
        var request = URLRequest(url: baseURL.appendingPathComponent(path), timeoutInterval: 15)
        request.httpMethod = method
        request.httpBody = body
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard 200..<300 ~= status else { throw PetsError.refused(status) }
        return data
    }

    private func decode<Value: Decodable>(_ data: Data) throws -> Value {
        try JSONDecoder().decode(Value.self, from: data)
    }
}
