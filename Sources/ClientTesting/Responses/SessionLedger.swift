import Basics
import Checking
import HTTPCodec
import JSON
import OpenAPI

/// The expected stored tokens of a client, from its earlier tokens and the responses since.
struct SessionLedger: Sendable {
    private let roles: ClientRoles
    /// By the kind of token.
    private(set) var tokens: [String: String]
    /// The tokens, other than access tokens, in whose place responses have granted others.
    private(set) var replaced: [(kind: String, token: String)] = []
    /// A Boolean value that indicates whether a success has granted null where a token should be; what is right then is
    /// undefined.
    private(set) var isUncertain = false
    /// A Boolean value that indicates whether tokens were granted at an unknown place.
    private(set) var isUnknown = false
    /// A Boolean value that indicates whether a response may have ended the session, and no refresh came after it.
    ///
    /// A call may send several requests at a time, so that a success comes after the refusal.
    private(set) var mayBeOver = false
    /// The status of the last response where that was a refusal.
    private(set) var refusal: Int?
    /// A Boolean value that indicates whether a response has granted tokens.
    private(set) var hasGranted = false
    /// The values of header fields and cookies of responses that grant tokens, some of which may be tokens.
    private var fields: Set<String> = []

    init(_ roles: ClientRoles, storing tokens: [String: String]) {
        self.roles = roles
        self.tokens = tokens
    }

    /// Returns whether a response that grants tokens has one in a header field or a cookie.
    func isGrantedInField(_ token: String) -> Bool { fields.contains(token) }

    /// Takes a response into account, in the order in which they came.
    mutating func note(_ exchange: RecordedRequest) {
        guard let operation = exchange.operation else { return }
        guard case .response(let response) = exchange.answer else {
            if roles.refresh.contains(operation.id) { mayBeOver = false }
            refusal = nil
            return
        }
        refusal = (400..<500).contains(response.status.code) ? response.status.code : nil
        let isLater = mayBeOver && !roles.refresh.contains(operation.id)
        mayBeOver = isLater || roles.mayEndSession(response.status.code, answering: operation)
        guard response.status.isSuccessful, let grants = roles.grants(of: operation) else { return }
        if grants.isEmpty { isUnknown = true }
        fields.formUnion(CapturedStrings.response(response).lazy.filter(\.place.isInHead).map(\.value))
        guard let body = try? JSONParser().parse(response.body).root else { return }
        for (kind, place) in grants {
            guard let value = place.value(in: body) else { continue }
            if let token = value.string {
                if let old = tokens[kind], old.exact != token.exact, kind != roles.kinds.access {
                    replaced.append((kind, old))
                }
                tokens[kind] = token
                hasGranted = true
            } else {
                isUncertain = true
            }
        }
    }
}
