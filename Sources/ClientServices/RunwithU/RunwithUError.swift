import Foundation

/// An error thrown by ``RunwithUService``.
public typealias RunwithUError = ServiceFailure<RunwithU.Reason>

extension RunwithU {
    /// The reason why a request was rejected, with a message for users in Korean.
    public enum Reason: RefusalReason {
        /// A required value is missing or invalid, a file is too large, or a payment is invalid (400).
        case invalidRequest(message: String?)
        /// The account does not exist, or the password is wrong (401 at sign-in).
        case wrongCredentials(message: String?)
        /// The nickname contains whitespace (402).
        case whitespaceInNickname(message: String?)
        /// The user is not permitted to perform this operation (403).
        case forbidden(message: String?)
        /// The address or the nickname is taken, or the payment was already validated (409).
        case alreadyDone(message: String?)
        /// The post or account does not exist, or the post could not be stored (410).
        case notFound(message: String?)
        /// The server rejected the app's service key (420).
        case appKeyRefused(message: String?)
        /// The client sent too many requests (429). A later retry may succeed.
        case tooManyCalls(message: String?)
        /// The path does not exist (444), for example because an image was deleted.
        case unknownAddress(message: String?)
        /// The post belongs to another user (445).
        case notYours(message: String?)
        /// The server failed (500 or higher).
        case server(status: Int, message: String?)
        /// The server returned an undocumented status.
        case unexpectedStatus(Int, message: String?)
        /// The server did not receive all files for a post, so the post was not created.
        case incompleteUpload(expected: Int, received: Int)
        /// The group is full. The request was not sent.
        case groupIsFull
        /// The payment provider reported that nothing was paid. The associated value is the provider's message.
        case paymentFailed(String?)
        /// The provider reported a successful payment, but the server has no receipt.
        case paymentUnconfirmed(message: String?)

        /// Creates the reason from the response's status and message.
        public init(_ response: TransportResponse) {
            let message = response.message
            self =
                switch response.status {
                case 400: .invalidRequest(message: message)
                case 401: .wrongCredentials(message: message)
                case 402: .whitespaceInNickname(message: message)
                case 403: .forbidden(message: message)
                case 409: .alreadyDone(message: message)
                case 410: .notFound(message: message)
                case 420: .appKeyRefused(message: message)
                case 429: .tooManyCalls(message: message)
                case 444: .unknownAddress(message: message)
                case 445: .notYours(message: message)
                case 500...599: .server(status: response.status, message: message)
                default: .unexpectedStatus(response.status, message: message)
                }
        }

        /// A Boolean value that indicates whether the server failed or is too busy.
        public var isTemporary: Bool {
            switch self {
            case .tooManyCalls, .server: true
            default: false
            }
        }
    }
}

extension SessionRules {
    /// RunwithU's tokens: raw, with the service key next to them, and a refresh token that stays the same.
    ///
    /// - An access token that has expired gets 419. One that the server cannot place gets 401, which happens to
    ///   a request that a refresh has overtaken, so it is worth a refresh, too.
    /// - The refresh takes both tokens. 409 says that the access token is still valid; 401, 403 and 418 end the
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
                case 200:
                    RefreshResult { () throws(ServiceProblem) in
                        let fresh = try response.decoded(as: RunwithUNewToken.self)
                        return Tokens(access: fresh.accessToken.text, refresh: tokens.refresh)
                    }
                case 409: .stillFresh
                case 401, 403, 418: .ended
                case 429: .busy(.status(response))
                default: .failed(.status(response))
                }
            }
        )
    }
}

/// The response to a refresh.
private struct RunwithUNewToken: Decodable {
    var accessToken: GrantedToken
}
