import Foundation

/// The generated client, with tokens.
struct GeneratedPets: Sendable {
    let tokens: TokenMiddleware
    let api: Client
    private let open: Client

    init(serverURL: URL, tokens stored: Components.Schemas.Tokens?, transport: any ClientTransport) {
        let open = Client(serverURL: serverURL, transport: transport)
        let tokens = TokenMiddleware(tokens: stored) {
            try await open.refresh(.init(body: .init(refreshToken: $0.refreshToken)))
        }
        self.tokens = tokens
        self.open = open
        api = Client(serverURL: serverURL, transport: transport, middlewares: [tokens])
    }

    func signIn(name: String, password: String) async throws -> Components.Schemas.Tokens {
        let tokens = try await open.signIn(.init(body: .init(name: name, password: password))).ok
        await self.tokens.keep(tokens)
        return tokens
    }

    func refresh() async throws -> Components.Schemas.Tokens {
        guard let tokens = try await tokens.refresh() else { throw PetsError.signedOut }
        return tokens
    }
}
