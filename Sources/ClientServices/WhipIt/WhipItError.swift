import Foundation

/// An error thrown by ``WhipItService``.
public typealias WhipItError = ServiceFailure<WhipIt.Reason>

extension WhipIt {
    /// The reason why a request was rejected, with a message for users, usually in Korean.
    public enum Reason: RefusalReason {
        /// The server returned a documented error status.
        case status(Status, message: String?)
        /// The server or an intermediary returned an undocumented status, such as 413 or 503.
        case unknownStatus(Int, message: String?)

        /// Creates the reason from the response's status and message.
        public init(_ response: TransportResponse) {
            self =
                Status(rawValue: response.status).map { .status($0, message: response.message) }
                ?? .unknownStatus(response.status, message: response.message)
        }

        /// A Boolean value that indicates whether the server failed or is too busy.
        public var isTemporary: Bool {
            switch self {
            case .status(let status, _): status == .tooManyCalls || status == .serverError
            case .unknownStatus(let status, _): status >= 500
            }
        }
    }
}

extension WhipItError {
    /// The documented error status, or `nil` if the error has another cause.
    public var status: WhipIt.Status? {
        guard case .status(let status, _) = reason else { return nil }
        return status
    }
}

extension SessionRules {
    /// Raw tokens in `Authorization` and `Refresh`, and statuses of the server's own.
    ///
    /// 419 alone asks for a refresh. 401 and 418 end the session wherever they come from: no refresh could help. 403
    /// is about the user and not the token, and 420 about the app's key: neither changes the session.
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
                    RefreshResult { () throws(ServiceProblem) in
                        let renewed = try response.decoded(as: RenewedAccess.self)
                        return Tokens(access: renewed.token.text, refresh: tokens.refresh)
                    }
                case 409: .stillFresh
                case 401, 403, 418: .ended
                case 429, 500..<600: .busy(.status(response))
                // 419 too: a refresh to allow a refresh would never end.
                default: .failed(.status(response))
                }
            }
        )
    }
}

/// The result of a refresh, which never contains a new refresh token.
private struct RenewedAccess: Decodable {
    var token: GrantedToken
}
