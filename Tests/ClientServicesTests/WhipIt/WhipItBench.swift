import ClientServices
import Foundation
import Testing

typealias WhipItBench = Bench<WhipItService>

extension Bench<WhipItService> {
    init(_ tokens: Tokens? = .first) throws {
        try self.init(tokens) { _ in
            StubServer { request, _ in
                guard request.line == "POST /login" else { return nil }
                return .response(200, #"{"_id": "656f1c0ac91bb39798f0a001", "token": "A9", "refreshToken": "R9"}"#)
            }
        } service: { server, store, clock in
            WhipItService(
                baseURL: try #require(URL(string: "https://whipit.example/")),
                appKey: "key",
                store: store,
                transport: server,
                clock: clock
            )
        }
    }

    /// The access token is expired unless it is the new one, which a refresh gives.
    func expire(_ line: String, body: String) async {
        await server.on(line) { request, _ in request.access == "A2" ? .response(200, body) : .refusal(419) }
        await server.on("GET /refresh", .response(200, #"{"token": "A2"}"#))
    }
}

extension WhipItService: BenchedService {
    func signInAgain() async throws { try await signIn(email: "mina@example.com", password: "whip1234") }
}
