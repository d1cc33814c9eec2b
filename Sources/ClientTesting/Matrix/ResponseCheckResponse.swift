import OpenAPI

/// What a client is answered in one cell of a matrix.
struct ResponseCheckResponse: Sendable {
    enum Kind: Sendable, Hashable {
        case success(Int)
        case refusal(Int)
        /// Neither: a redirection, for one.
        case other(Int)
        case fault(ConnectionFault)
        /// Refused because the token has expired, and answered once there are new ones.
        case expiredOnce(Int)
        /// Refused because the token has expired, and there are no new ones for this reason.
        case refreshTrouble(String)
    }

    /// Such as `401`, `200 newcomer`, `reset` or `419 once`.
    var label: String
    var kind: Kind
    var script: ResponsePlan
    /// What the contract documents; `nil` for what no contract does.
    var response: DocumentedResponse?
    /// Why it is not tried.
    var skipped: String?

    var isOffline: Bool { kind == .fault(.refused) }
}

extension ResponseCheckResponse {
    /// The answer in the words of a finding.
    var words: String {
        switch kind {
        case .success, .refusal, .other: "answered \(label)"
        case .fault(.refused): "with nobody listening"
        case .fault(.reset): "with the connection reset"
        case .fault(.empty): "with the connection closed before a response"
        case .fault(.cut): "with the connection closed within the body"
        case .fault(.malformed): "answered with bytes that are no HTTP"
        case .fault(.never): "never answered"
        case .expiredOnce(let status): "answered \(status) once, and well after a refresh"
        case .refreshTrouble(let trouble): "answered that the token has expired, with the refresh \(trouble)"
        }
    }
}
