import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client with a bug: each request that is refused refreshes the tokens, although one refresh serves all of them.
actor ShopClient {
    struct Order: Decodable { var id: Int, paid: Bool }

    private struct Tokens: Codable { var access: String, refresh: String }

    private let baseURL: URL
    private var tokens: Tokens

    init(baseURL: URL, access: String, refresh: String) {
        self.baseURL = baseURL
        tokens = Tokens(access: access, refresh: refresh)
    }

    func order(_ id: Int) async throws -> Order {
        var (data, status) = try await send("GET", "orders/\(id)")
        if status == 401 {
            (data, _) = try await send("POST", "refresh")
            tokens = try JSONDecoder().decode(Tokens.self, from: data)
            (data, status) = try await send("GET", "orders/\(id)")
        }
        return try JSONDecoder().decode(Order.self, from: data)
    }

    private func send(_ method: String, _ path: String) async throws -> (Data, Int) {
        // URLSession counts real time, and a client's next step may take minutes if many tests run at once.
        var request = URLRequest(url: baseURL.appendingPathComponent(path))
        request.timeoutInterval = 3_600
        request.httpMethod = method
        if method == "POST" {
            request.httpBody = try JSONEncoder().encode(["refresh": tokens.refresh])
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        } else {
            request.setValue("Bearer \(tokens.access)", forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
    }
}
