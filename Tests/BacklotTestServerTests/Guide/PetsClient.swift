import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The client that the guide tests: it refreshes its access token once, however many requests are refused.
actor PetsClient {
    struct Pet: Decodable, Equatable { var id: Int, name: String }
    struct SignedOut: Error {}

    private struct Tokens: Decodable { var accessToken: String, refreshToken: String }

    private let baseURL: URL
    private let session: URLSession
    private var tokens: Tokens
    private var refreshing: Task<Tokens, any Error>?

    init(baseURL: URL, access: String, refresh: String, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.session = session
        tokens = Tokens(accessToken: access, refreshToken: refresh)
    }

    func pets() async throws -> [Pet] { try await send("GET", nil) }

    func add(_ name: String) async throws -> Pet { try await send("POST", ["name": name]) }

    private func send<Value: Decodable>(_ method: String, _ body: [String: String]?) async throws -> Value {
        let token = tokens.accessToken
        var (data, status) = try await request(method, "pets", body, token)
        if status == 401 {
            if tokens.accessToken == token { try await refresh() }
            (data, status) = try await request(method, "pets", body, tokens.accessToken)
        }
        if status == 401 { throw SignedOut() }
        return try JSONDecoder().decode(Value.self, from: data)
    }

    private func refresh() async throws {
        let task =
            refreshing
            ?? Task {
                let (data, status) = try await request("POST", "refresh", ["refreshToken": tokens.refreshToken], nil)
                if status == 401 { throw SignedOut() }
                return try JSONDecoder().decode(Tokens.self, from: data)
            }
        refreshing = task
        defer { refreshing = nil }
        tokens = try await task.value
    }

    private func request(
        _ method: String,
        _ path: String,
        _ body: [String: String]?,
        _ token: String?
    ) async throws -> (Data, Int) {
        var request = URLRequest(url: baseURL.appendingPathComponent(path))
        // URLSession counts real time, and a client's next step may take minutes if many tests run at once.
        request.timeoutInterval = 3_600
        request.httpMethod = method
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.httpBody = try JSONEncoder().encode(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        let (data, response) = try await session.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
