import Foundation

/// An error thrown by ``SmeemService``.
public typealias SmeemError = ServiceFailure<Smeem.Reason>

extension Smeem {
    /// The reason why a request was rejected.
    public enum Reason: RefusalReason {
        /// The server rejected the request (status 400 to 499). Except after 429, retrying does not help.
        case clientError(Refusal)
        /// The server failed to process the request (status 500 or higher). A retry may succeed.
        case serverError(Refusal)
        /// Kakao or Apple rejected the token, so the user has to sign in with the provider again. Nothing was stored.
        case socialTokenRefused(Refusal)
        /// Another member has taken the nickname. The session remains valid, and the user can choose a different nickname.
        case nicknameTaken(Nickname)

        /// Creates the reason from the response's status.
        public init(_ response: TransportResponse) {
            let refusal = Refusal(response)
            self = (400..<500).contains(response.status) ? .clientError(refusal) : .serverError(refusal)
        }

        /// The server's error response, or `nil` for a nickname that is taken.
        public var refusal: Refusal? {
            switch self {
            case .clientError(let refusal), .serverError(let refusal), .socialTokenRefused(let refusal): refusal
            case .nicknameTaken: nil
            }
        }

        /// A Boolean value that indicates whether the server failed or is too busy.
        public var isTemporary: Bool {
            switch self {
            case .serverError: true
            case .clientError(let refusal): refusal.status == 429
            default: false
            }
        }

        /// A Boolean value that indicates whether the server may have failed after it processed the request.
        public var leavesDoubt: Bool {
            guard case .serverError = self else { return false }
            return true
        }
    }
}

extension SmeemError {
    /// The server's error response, or `nil` if the error has another cause.
    public var refusal: Smeem.Refusal? { reason?.refusal }
}

extension Smeem {
    /// An error response from the server.
    ///
    /// The body uses one of three formats. For a violated rule or an exception, the message is at the top level. For a
    /// rejected token, the message is in a nested response. The web framework's errors use a separate format. The
    /// status alone determines how the client reacts.
    public struct Refusal: Sendable, Hashable {
        /// The response's status code.
        public var status: Int
        /// The server's message for users or developers, or `nil` if the message cannot be decoded.
        public var message: String?

        /// Creates an error response with a status and the server's message.
        public init(status: Int, message: String? = nil) {
            self.status = status
            self.message = message
        }

        init(_ response: TransportResponse) {
            self.init(
                status: response.status,
                message: (try? JSONDecoder().decode(Body.self, from: response.body))?.words
            )
        }

        /// The violated rule, which is the part of the message in brackets, or `nil` if the message contains no
        /// brackets.
        public var rule: String? {
            guard let message, message.hasPrefix("["), let end = message.firstIndex(of: "]") else { return nil }
            return message[message.index(after: message.startIndex)..<end].trimmingCharacters(in: .whitespaces)
        }

        private struct Body: Decodable {
            var message: String?
            var error: String?
            var body: Inner?

            struct Inner: Decodable {
                var message: String?
            }

            var words: String? { message ?? body?.message ?? error }
        }
    }
}

/// The wrapper of every JSON response to a success.
struct SmeemEnvelope<Value: Decodable>: Decodable {
    var data: Value

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        data = try container.decode(Value.self, forKey: .data)
    }
}

/// A successful response of a server that leaves out what it has nothing to say about.
struct SmeemOptionalEnvelope<Value: Decodable>: Decodable {
    var data: Value?

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        // Left out is one thing; null is another, which no server has ever sent.
        data = container.contains(.data) ? try container.decode(Value.self, forKey: .data) : nil
    }
}

/// A successful response without content, or nothing at all.
struct SmeemDone: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: SmeemEnvelopeKey.self)
        try container.requireSuccess()
        guard try container.decodeNil(forKey: .data) else {
            throw DecodingError.dataCorruptedError(forKey: .data, in: container, debugDescription: "null is expected")
        }
    }
}

enum SmeemEnvelopeKey: String, CodingKey {
    case success
    case message
    case data
}

extension KeyedDecodingContainer<SmeemEnvelopeKey> {
    fileprivate func requireSuccess() throws {
        guard try decode(Bool.self, forKey: .success) else {
            throw DecodingError.dataCorruptedError(
                forKey: .success,
                in: self,
                debugDescription: "the status indicates success, but the body indicates failure"
            )
        }
        _ = try decode(String.self, forKey: .message)
    }
}

extension SessionRules {
    /// The rules of Smeem's tokens.
    ///
    /// - One header field for all kinds: the access token on ordinary calls, the refresh token on `auth/token`.
    /// - 401 does not tell whether a token is expired or wrong; on `auth/token` it ends the session, elsewhere a new
    ///   access token is tried once.
    /// - Refresh tokens are not rotated. The response repeats the one of the last sign-in, or has null after a sign-out
    ///   on another device: then the stored one stays valid until it expires.
    /// - 404 means that the member is gone, 429 that another client is asking for tokens at the moment.
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
            RefreshResult { () throws(ServiceProblem) in
                let renewed = try response.decoded(as: SmeemEnvelope<RenewedTokens>.self).data
                return Tokens(access: renewed.accessToken, refresh: renewed.refreshToken ?? used.refresh)
            }
        case 401: .ended
        case 429: .busy(.status(response))
        default: .failed(.status(response))
        }
    }
}

/// The server's result for a refresh token.
private struct RenewedTokens: Decodable {
    var accessToken: String
    @Nullable var refreshToken: String?
}
