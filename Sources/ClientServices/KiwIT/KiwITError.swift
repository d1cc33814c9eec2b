import Foundation

/// An error thrown by ``KiwITService``.
public typealias KiwITError = ServiceFailure<KiwIT.Reason>

extension KiwIT {
    /// The reason why a request was rejected, by the status alone: the backend's error responses have no body.
    public enum Reason: RefusalReason {
        /// A value is taken or unknown, or the action was already performed or is not possible yet (400).
        case invalidRequestBody
        /// The server failed (500).
        case invalidContent
        /// The server or an intermediary returned any other status.
        case unexpectedStatus(Int)

        /// Creates the reason from the response's status.
        public init(_ response: TransportResponse) {
            self =
                switch response.status {
                case 400: .invalidRequestBody
                case 500: .invalidContent
                default: .unexpectedStatus(response.status)
                }
        }

        /// A Boolean value that indicates whether the server failed or is too busy.
        public var isTemporary: Bool {
            switch self {
            case .invalidRequestBody: false
            case .invalidContent: true
            case .unexpectedStatus(let status): status == 429 || status >= 500
            }
        }

        /// A Boolean value that indicates whether the server may have processed the request.
        public var leavesDoubt: Bool { self != .invalidRequestBody }
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
