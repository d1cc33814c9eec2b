import Foundation

/// Puts the access token into requests, and renews it once for all who were refused.
actor TokenMiddleware: ClientMiddleware {
    typealias Tokens = Components.Schemas.Tokens

    private(set) var tokens: Tokens?
    private let renew: @Sendable (Tokens) async throws -> Operations.refresh.Output
    private var renewal: Task<Tokens?, any Error>?

    init(tokens: Tokens?, renew: @escaping @Sendable (Tokens) async throws -> Operations.refresh.Output) {
        self.tokens = tokens
        self.renew = renew
    }

    func keep(_ tokens: Tokens) { self.tokens = tokens }

    func intercept(
        _ request: HTTPRequest,
        body: Data?,
        baseURL: URL,
        operationID: String,
        next: @Sendable (HTTPRequest, Data?, URL) async throws -> (HTTPResponse, Data)
    ) async throws -> (HTTPResponse, Data) {
        guard let sent = tokens else { throw PetsError.signedOut }
        let answer = try await next(request.authorized(by: sent), body, baseURL)
        guard answer.0.status == 401 else { return answer }
        guard let fresh = try await (tokens == sent ? refresh() : tokens) else { return answer }
        return try await next(request.authorized(by: fresh), body, baseURL)
    }

    /// Fetches new tokens, once for all who want some meanwhile; none when the session is over.
    func refresh() async throws -> Tokens? {
        if let renewal { return try await renewal.value }
        guard let tokens else { return nil }
        let task = Task { try await newTokens(for: tokens) }
        renewal = task
        defer { renewal = nil }
        return try await task.value
    }

    private func newTokens(for old: Tokens) async throws -> Tokens? {
        switch try await renew(old) {
        case .ok(let new): tokens = new
        case .unauthorized: tokens = nil
        case .undocumented(let status): throw PetsError.refused(status)
        }
        return tokens
    }
}

extension HTTPRequest {
    func authorized(by tokens: Components.Schemas.Tokens) -> HTTPRequest {
        var request = self
        request.headerFields["Authorization"] = "Bearer \(tokens.accessToken)"
        return request
    }
}
