import Foundation

extension SessionRules {
    /// Raw tokens in `Authorization` and `Refresh`, and statuses of the server's own.
    ///
    /// 419 alone asks for a refresh. 401 and 418 end the session wherever they come from, for no refresh could help. 403
    /// speaks of the user and not of the token, and 420 of the app's key: both leave the session as it is.
    static func whipIt(baseURL: URL, appKey: String, timeout: TimeInterval) -> SessionRules {
        let address = baseURL.appendingPathComponent("refresh")
        return SessionRules(
            authorize: { tokens, request in request.fields["Authorization"] = tokens.access },
            verdict: { response in
                switch response.status {
                case 419: .expired
                case 401, 418: .refused
                default: .accepted
                }
            },
            refreshRequest: { tokens in
                let fields: HeaderFields = [
                    "SesacKey": appKey, "Authorization": tokens.access, "Refresh": tokens.refresh,
                ]
                return TransportRequest(.get, address, fields: fields, timeout: min(10, timeout))
            },
            refreshResult: { response, tokens in
                switch response.status {
                case 200..<300:
                    do throws(ServiceProblem) {
                        let renewed = try response.decoded(as: RenewedAccess.self)
                        return .renewed(Tokens(access: renewed.token, refresh: tokens.refresh))
                    } catch {
                        return .failed(error)
                    }
                case 409:
                    return .stillFresh
                case 401, 403, 418:
                    return .ended
                case 429, 500..<600:
                    return .busy(.status(response))
                default:
                    // 419 too: whoever refreshes in order to refresh never ends.
                    return .failed(.status(response))
                }
            }
        )
    }
}

/// What a refresh brings: never a new refresh token.
private struct RenewedAccess: Decodable {
    var token: String

    enum CodingKeys: CodingKey { case token }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decodeToken(.token)
    }
}
