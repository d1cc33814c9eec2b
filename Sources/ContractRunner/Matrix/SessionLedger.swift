import HTTPWire
import JSONText
import OpenAPIContracts

/// What a client should have stored, from what it had and what the server has answered since.
struct SessionLedger: Sendable {
    private let roles: ClientRoles
    /// By the kind of token.
    private(set) var tokens: [String: String]
    /// Kinds of which a success has granted nothing, where it should have; nobody knows what is right then.
    private(set) var isUncertain = false
    /// Whether the last answer may end the session.
    private(set) var mayBeOver = false
    /// Whether an answer has granted tokens.
    private(set) var hasGranted = false

    init(_ roles: ClientRoles, storing tokens: [String: String]) {
        self.roles = roles
        self.tokens = tokens
    }

    /// Takes an answer into account, in the order in which they came.
    mutating func note(_ exchange: RecordedRequest) {
        guard let operation = exchange.operation else { return }
        guard case .reply(let response) = exchange.answer else {
            mayBeOver = false
            return
        }
        mayBeOver = roles.mayEndSession(response.status.code, answering: operation)
        guard response.status.isSuccessful,
            roles.signIn.contains(operation.id) || roles.refresh.contains(operation.id)
        else { return }
        let granted = Self.tokens(grantedBy: response)
        for (kind, token) in granted {
            if let token {
                tokens[kind] = token
                hasGranted = true
            } else {
                isUncertain = true
            }
        }
    }

    /// The tokens in an answer by their kinds; `nil` for one that is null.
    private static func tokens(grantedBy response: HTTPResponse) -> [(kind: String, token: String?)] {
        guard let body = try? JSONParser().parse(response.body).root else { return [] }
        return TokenFinder.tokens(grantedBy: body).map { found in
            (found.role == .access ? "access" : "refresh", found.pointer.value(in: body)?.string)
        }
    }
}
