import Foundation

extension SessionRules {
    /// RunwithU's tokens: raw, with the service key beside them, and a refresh token that stays the same.
    ///
    /// - An access token that has expired answers 419. One that the server cannot place answers 401, which happens to
    ///   a request that a refresh has overtaken, so it is worth a refresh, too.
    /// - The refresh takes both tokens. 409 says that the access token is still good; 401, 403 and 418 end the
    ///   session, and nothing else does.
    static func runwithU(_ baseURL: URL, key: HeaderFields, timeout: TimeInterval) -> SessionRules {
        SessionRules(
            authorize: { tokens, request in request.fields["Authorization"] = tokens.access },
            verdict: { $0.status == 419 || $0.status == 401 ? .expired : .accepted },
            refreshRequest: { tokens in
                var fields = key
                fields["Authorization"] = tokens.access
                fields["Refresh"] = tokens.refresh
                let url = baseURL.appendingPathComponent("v1/auth/refresh")
                return TransportRequest(.get, url, fields: fields, timeout: timeout)
            },
            refreshResult: { response, tokens in
                switch response.status {
                case 200: renewed(response, tokens)
                case 409: .stillFresh
                case 401, 403, 418: .ended
                case 429: .busy(.status(response))
                default: .failed(.status(response))
                }
            }
        )
    }

    private static func renewed(_ response: TransportResponse, _ tokens: Tokens) -> RefreshResult {
        do throws(ServiceProblem) {
            let fresh = try response.decoded(as: RunwithUNewToken.self)
            return .renewed(Tokens(access: fresh.accessToken, refresh: tokens.refresh))
        } catch {
            return .failed(error)
        }
    }
}

/// The answer to a refresh.
struct RunwithUNewToken: Codable, Sendable {
    var accessToken: String

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try members.decodeToken(.accessToken)
    }
}
