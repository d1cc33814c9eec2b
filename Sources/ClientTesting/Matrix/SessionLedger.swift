import HTTPCodec
import JSON
import OpenAPI

/// What a client should have stored, from what it had and what the server has answered since.
struct SessionLedger: Sendable {
    private let roles: ClientRoles
    /// By the kind of token.
    private(set) var tokens: [String: String]
    /// Whether a success has granted null where a token should be; nobody knows what is right then.
    private(set) var isUncertain = false
    /// Whether tokens were granted at a place that nobody knows.
    private(set) var isUnknown = false
    /// Whether the last answer may end the session.
    private(set) var mayBeOver = false
    /// The status of the last answer where that was a refusal.
    private(set) var refusal: Int?
    /// Whether an answer has granted tokens.
    private(set) var hasGranted = false

    init(_ roles: ClientRoles, storing tokens: [String: String]) {
        self.roles = roles
        self.tokens = tokens
    }

    /// Takes an answer into account, in the order in which they came.
    mutating func note(_ exchange: RecordedRequest) {
        guard let operation = exchange.operation else { return }
        guard case .response(let response) = exchange.answer else {
            mayBeOver = false
            refusal = nil
            return
        }
        refusal = (400..<500).contains(response.status.code) ? response.status.code : nil
        mayBeOver = roles.mayEndSession(response.status.code, answering: operation)
        guard response.status.isSuccessful, let grants = roles.grants(of: operation) else { return }
        if grants.isEmpty { isUnknown = true }
        guard let body = try? JSONParser().parse(response.body).root else { return }
        for (kind, place) in grants {
            guard let value = place.value(in: body) else { continue }
            if let token = value.string {
                tokens[kind] = token
                hasGranted = true
            } else {
                isUncertain = true
            }
        }
    }
}
