import Foundation

extension SessionRules {
    /// The rules of Smeem's tokens.
    ///
    /// - One header field for all kinds: the access token on ordinary calls, the refresh token on `auth/token`.
    /// - 401 does not tell whether a token is expired or wrong; on `auth/token` it ends the session, elsewhere a new
    ///   access token is tried once.
    /// - Refresh tokens are not rotated. The answer repeats the one of the last sign-in, or has null after a sign-out
    ///   on another device: then the stored one goes on working until it expires.
    /// - 404 means that the member is gone, 429 that somebody else is asking for tokens at the moment.
    static func smeem(baseURL: URL, timeout: TimeInterval) -> SessionRules {
        SessionRules(
            authorize: { tokens, request in request.fields["Authorization"] = bearer(tokens.access) },
            verdict: { $0.status == 401 ? .expired : .accepted },
            refreshRequest: { tokens in
                TransportRequest(
                    .post,
                    baseURL.appendingPathComponent("api/v2/auth/token"),
                    fields: ["Authorization": bearer(tokens.refresh)],
                    timeout: timeout
                )
            },
            refreshResult: refreshResult
        )
    }

    static func bearer(_ token: String) -> String { "Bearer \(token)" }

    private static func refreshResult(_ response: TransportResponse, _ used: Tokens) -> RefreshResult {
        switch response.status {
        case 200..<300:
            do throws(ServiceProblem) {
                let renewed = try response.decoded(as: SmeemEnvelope<RenewedTokens>.self).data
                return .renewed(Tokens(access: renewed.accessToken, refresh: renewed.refreshToken ?? used.refresh))
            } catch {
                return .failed(error)
            }
        case 401: return .ended
        case 429: return .busy(.status(response))
        default: return .failed(.status(response))
        }
    }
}

/// What the server gives for a refresh token.
private struct RenewedTokens: Decodable {
    var accessToken: String
    @Nullable var refreshToken: String?
}
