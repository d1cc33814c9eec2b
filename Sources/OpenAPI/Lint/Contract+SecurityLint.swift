import Basics

extension Contract {
    /// Operations that want credentials and do not say what happens without.
    func securityFindings() -> [Finding] {
        operations.compactMap { operation in
            let isSecured = !operation.security.isEmpty && !operation.security.contains(where: \.isEmpty)
            guard isSecured, !operation.responses.contains(where: \.tellsOfRefusal) else { return nil }
            return Finding(
                .warning,
                id: "contract/no-unauthorized-response",
                "\(operation.label.shortened) wants credentials, but documents no response for when they are missing"
                    .printable,
                at: place(of: operation.position, operation: operation.label),
                advice: "add a response for 401"
            )
        }
    }
}

extension DocumentedResponse {
    /// Whether this may be the answer to somebody without valid credentials.
    fileprivate var tellsOfRefusal: Bool {
        switch status {
        case .other, .range(4), .code(401), .code(403): return true
        case .range: return false
        case .code(let code):
            // Some backends have codes of their own for it, such as 419 for a token that has expired.
            guard 400..<500 ~= code else { return false }
            let words = ["unauthor", "authent", "token", "credential", "expired", "forbidden", "key"]
            let summary = summary.lowercased()
            return code == 419 || words.contains { summary.contains($0) }
        }
    }
}
