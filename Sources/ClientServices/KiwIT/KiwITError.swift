import Foundation

/// An error thrown by ``KiwITService``.
///
/// The backend's error responses have a status but no body.
public enum KiwITError: ServiceError, Hashable {
    /// No response was received. The associated value describes the reason.
    case transport(TransportFailure)
    /// The response reports success, but its body is empty although the operation returns a body.
    case emptyBody
    /// The response reports success, but its body cannot be decoded.
    case unreadable(UndecodableResponse)
    /// The server rejected the request (400), because a value is taken or unknown, or because the action was already
    /// performed or is not possible yet.
    case invalidRequestBody
    /// The session has ended, and its tokens were deleted (401, even with new tokens).
    case invalidToken(SessionEvent.Reason)
    /// The server failed (500).
    case invalidContent
    /// The server or an intermediary returned any other status.
    case unexpectedStatus(Int)
    /// No user is signed in. The request was not sent.
    case signedOut
    /// The tokens cannot be read, saved or deleted. The associated value is the store's message.
    case storage(String)
    /// The request could not be encoded. The associated value describes the reason.
    case unsendable(String)
}

extension KiwITError: ServiceWords {
    /// A Boolean value that indicates whether a later retry may succeed.
    ///
    /// If the value is `true`, the app should offer to retry.
    public var isTemporary: Bool {
        switch self {
        case .transport(let failure): failure.isTemporary
        case .invalidContent: true
        case .unexpectedStatus(let status): status == 429 || status >= 500
        default: false
        }
    }

    /// A Boolean value that indicates whether the server may have processed the request without confirming it.
    ///
    /// Check the current state before you retry an operation that must not be performed twice.
    public var leavesDoubt: Bool {
        switch self {
        case .transport(let failure): !failure.isBeforeSending
        case .emptyBody, .unreadable, .invalidContent, .unexpectedStatus: true
        case .invalidRequestBody, .invalidToken, .signedOut, .storage, .unsendable: false
        }
    }

    /// A Boolean value that indicates whether the user has to sign in, because no user is signed in or the session has
    /// ended.
    public var needsSignIn: Bool {
        switch self {
        case .signedOut, .invalidToken: true
        default: false
        }
    }

    init(_ problem: ServiceProblem) {
        self =
            switch problem {
            case .transport(let failure): .transport(failure)
            case .undecodable(let response): response.body.isEmpty ? .emptyBody : .unreadable(response)
            case .status(let response): KiwITError(status: response.status)
            case .signedOut: .signedOut
            case .sessionEnded(let reason): .invalidToken(reason)
            case .storage(let reason): .storage(reason)
            case .unsendable(let reason): .unsendable(reason)
            }
    }

    private init(status: Int) {
        self =
            switch status {
            case 204: .emptyBody
            case 400: .invalidRequestBody
            case 500: .invalidContent
            default: .unexpectedStatus(status)
            }
    }
}

extension SessionRules {
    /// The lifetimes of kiwIT's tokens.
    ///
    /// - An access token is valid for an hour, and a refresh token for 15 days. Only the status 401 means that a token
    ///   is not valid.
    /// - An account has one refresh token: a refresh replaces both tokens, and a sign-in on another device ends the
    ///   refresh token.
    /// - A refused refresh token (401) ends the session. The July 2024 version of the server responds to an expired
    ///   refresh token with 500, so a 500 also ends the session if the token itself states that it has expired. Any
    ///   other fault may be temporary and does not end the session.
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
                case 200:
                    RefreshResult { () throws(ServiceProblem) in
                        try response.decoded(as: KiwIT.TokenPair.self).tokens
                    }
                case 401: .ended
                case 500 where WebToken(tokens.refresh).hasExpired(at: clock.now): .ended
                case 429: .busy(.status(response))
                default: .failed(.status(response))
                }
            }
        )
    }
}

/// The data of a JSON Web Token (RFC 7519) that is visible without its key.
struct WebToken: Sendable {
    /// When it expires, as it says itself; `nil` when it does not say so.
    let expiry: Date?

    init(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(Claims.self, from: payload)
        else {
            expiry = nil
            return
        }
        expiry = claims.exp.map(Date.init(timeIntervalSince1970:))
    }

    func hasExpired(at moment: Date) -> Bool {
        expiry.map { $0 <= moment } ?? false
    }

    private struct Claims: Decodable {
        var exp: TimeInterval?
    }
}

extension Data {
    /// Decodes the alphabet of URLs, without padding (RFC 4648, section 5).
    fileprivate init?(base64URL text: Substring) {
        var usual = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        while usual.utf8.count % 4 != 0 { usual += "=" }
        self.init(base64Encoded: usual)
    }
}
