import Foundation

extension SessionRules {
    /// How kiwIT's tokens live.
    ///
    /// - An access token lives for an hour, a refresh token for 15 days. Nothing but 401 says that a token is bad.
    /// - An account has one refresh token: renewing exchanges both, and a sign-in elsewhere takes it away.
    /// - A refresh token that is refused (401) ends the session. A server of July 2024 breaks over one that has
    ///   expired (500), so a 500 ends the session as well when the token says of itself that its time is over. Any
    ///   other fault may pass, and costs nobody the session.
    static func kiwIT(baseURL: URL, clock: any ServiceClock, timeout: TimeInterval) -> SessionRules {
        SessionRules(
            authorize: { tokens, request in request.fields["Authorization"] = "Bearer \(tokens.access)" },
            verdict: { response in response.status == 401 ? .expired : .accepted },
            refreshRequest: { tokens in
                TransportRequest(
                    .patch,
                    baseURL.appendingPathComponent("user").appendingPathComponent("refresh"),
                    fields: ["Content-Type": "application/json"],
                    body: try? JSONEncoder().encode(["refreshToken": tokens.refresh]),
                    timeout: timeout
                )
            },
            refreshResult: { response, tokens in
                switch response.status {
                case 200: renewed(by: response)
                case 401: .ended
                case 500 where WebToken(tokens.refresh).hasExpired(at: clock.now): .ended
                case 429: .busy(.status(response))
                default: .failed(.status(response))
                }
            }
        )
    }

    private static func renewed(by response: TransportResponse) -> RefreshResult {
        do {
            return .renewed(try response.decoded(as: KiwIT.TokenPair.self).tokens)
        } catch {
            return .failed(error)
        }
    }
}
