import Foundation

/// An error thrown by ``WhipItService``.
public enum WhipItError: ServiceError, Hashable {
    /// The server returned a documented error status and a message for users, usually in Korean.
    case refused(WhipIt.Status, message: String?)
    /// The server or an intermediary returned an undocumented status, such as 413 or 503.
    case unknownStatus(Int, message: String?)
    /// No response was received. If ``TransportFailure/isBeforeSending`` is false, the server may have processed the
    /// request.
    case transport(TransportFailure)
    /// The server reported success, but the response cannot be decoded.
    case unreadable(UndecodableResponse)
    /// No user is signed in. The request was not sent.
    case signedOut
    /// The session has ended, and its tokens were deleted. ``SessionEvent/ended(_:)`` is reported once as well.
    case sessionEnded(SessionEvent.Reason)
    /// The tokens cannot be read, saved or deleted. The associated value describes the reason.
    case storage(String)
    /// The arguments are invalid, so the request was not sent. The associated value describes the reason.
    case unsendable(String)
}

extension WhipItError: ServiceWords {
    init(_ problem: ServiceProblem) {
        switch problem {
        case .transport(let failure):
            self = .transport(failure)
        case .status(let response):
            self =
                WhipIt.Status(rawValue: response.status).map { .refused($0, message: response.message) }
                ?? .unknownStatus(response.status, message: response.message)
        case .undecodable(let response): self = .unreadable(response)
        case .signedOut: self = .signedOut
        case .sessionEnded(let reason): self = .sessionEnded(reason)
        case .storage(let reason): self = .storage(reason)
        case .unsendable(let reason): self = .unsendable(reason)
        }
    }

    /// The documented error status, or `nil` if the error has another cause.
    public var status: WhipIt.Status? {
        guard case .refused(let status, _) = self else { return nil }
        return status
    }

    /// A Boolean value that indicates whether a later retry may succeed.
    ///
    /// If the value is `true`, the app should offer to retry.
    public var isTemporary: Bool {
        switch self {
        case .transport(let failure): failure.isTemporary
        case .refused(let status, _): status == .tooManyCalls || status == .serverError
        case .unknownStatus(let status, _): status >= 500
        default: false
        }
    }

    /// A Boolean value that indicates whether the server may have processed the request.
    public var leavesDoubt: Bool {
        switch self {
        case .transport(let failure): !failure.isBeforeSending
        case .unreadable: true
        default: false
        }
    }

    /// A Boolean value that indicates whether the user has to sign in, because no user is signed in or the session has
    /// ended.
    public var needsSignIn: Bool {
        switch self {
        case .signedOut, .sessionEnded: true
        default: false
        }
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
                        return Tokens(access: renewed.token, refresh: tokens.refresh)
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
    var token: String

    enum CodingKeys: CodingKey { case token }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        token = try container.decodeToken(.token)
    }
}
