import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A correct client of the backend in the enclosing folder, which sends one request after the other.
class Notes {
    var tokens: [String: String]

    init() {
        let text = ProcessInfo.processInfo.environment["BACKLOT_TOKENS"] ?? "{}"
        tokens = Self.strings(in: Data(text.utf8))
    }

    static func strings(in data: Data) -> [String: String] {
        let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        return (object ?? [:]).compactMapValues { $0 as? String }
    }

    func send(
        _ method: String,
        _ path: String,
        body: [String: String]? = nil,
        token: String? = nil
    ) async throws -> (status: Int, data: Data) {
        let base = ProcessInfo.processInfo.environment["BACKLOT_URL"] ?? ""
        guard let url = URL(string: base + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.setValue("phone", forHTTPHeaderField: "X-Device")
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = try JSONSerialization.data(withJSONObject: body)
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, data)
    }

    /// Sends a request; refreshes once and sends it again if its token is refused.
    @discardableResult
    func call(_ method: String, _ path: String) async throws -> Int {
        let answer = try await send(method, path, token: tokens["access"])
        guard answer.status == 401, try await refresh() else { return answer.status }
        return try await send(method, path, token: tokens["access"]).status
    }

    func refresh() async throws -> Bool {
        let answer = try await send("POST", "/refresh", body: ["refreshToken": tokens["refresh"] ?? ""])
        guard answer.status == 200 else { return false }
        tokens = Self.strings(in: answer.data)
        return true
    }

    func passTime(_ duration: String) async throws {
        _ = try await send("POST", "/__backlot/clock", body: ["advance": duration])
    }
}
