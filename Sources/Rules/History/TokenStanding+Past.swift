import ScenarioFormat

extension TokenStanding {
    /// Whether a token that is so was good once, and a refresh brings a better one.
    var isDead: Bool {
        switch self {
        case .expired, .revoked, .superseded, .reused: true
        case .valid, .wrongKind, .unknown, .malformed, .missing: false
        }
    }

    /// What had become of such a token, as the words after "which".
    var pastWords: String {
        switch self {
        case .expired: "had expired"
        case .revoked: "had been revoked"
        case .superseded: "had been replaced"
        case .reused: "had been replaced and used again"
        case .valid, .wrongKind, .unknown, .malformed, .missing: "was \(words)"
        }
    }
}
