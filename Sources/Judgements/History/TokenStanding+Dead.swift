import ScenarioFormat

extension TokenStanding {
    /// Whether a token that is so was good once, and a refresh brings a better one.
    var isDead: Bool {
        switch self {
        case .expired, .revoked, .superseded, .reused: true
        case .valid, .wrongKind, .unknown, .malformed, .missing: false
        }
    }
}
