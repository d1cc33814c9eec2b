import OpenAPI

/// The challenges of a 401, which every 401 has to have (RFC 9110, section 15.5.2).
enum AuthenticationChallenge {
    /// A challenge for each scheme that an operation documents, or that its contract does where the operation documents
    /// none, such as one that signs in.
    static func values(for operation: Operation, in contract: Contract) -> [String] {
        let names = operation.security.flatMap { $0 }.map(\.scheme)
        let own = names.compactMap { name in contract.securitySchemes.first { $0.name == name } }
        var values: [String] = []
        for scheme in own.isEmpty ? contract.securitySchemes : own {
            guard let value = value(scheme.kind), !values.contains(value) else { continue }
            values.append(value)
        }
        return values.isEmpty ? [bearer] : values
    }

    private static let realm = "realm=\"backlot\""
    /// Also the challenge of keys and cookies, for which no scheme is registered.
    private static let bearer = "Bearer \(realm)"

    private static func value(_ kind: SecurityScheme.Kind) -> String? {
        switch kind {
        case .http(scheme: "basic"): "Basic \(realm), charset=\"UTF-8\""
        case .http(scheme: "digest"): "Digest \(realm), qop=\"auth\", algorithm=SHA-256, nonce=\"YmFja2xvdA\""
        case .http(scheme: "negotiate"): "Negotiate"
        case .http(scheme: "dpop"): "DPoP \(realm), algs=\"ES256\""
        case .http(let scheme): "\(scheme.prefix(1).uppercased())\(scheme.dropFirst()) \(realm)"
        case .oauth2, .openIDConnect: bearer
        case .apiKey, .mutualTLS: nil
        }
    }
}
