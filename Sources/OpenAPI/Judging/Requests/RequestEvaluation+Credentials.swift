import Basics
import HTTPCodec
import JSON

extension RequestEvaluation {
    /// Tells a request that has none of the credentials that the contract asks for.
    ///
    /// A note and no error: what a server does without credentials is just what many tests are about. Whether a
    /// credential is valid is the server's business.
    mutating func judgeCredentials() {
        guard !operation.security.isEmpty, !operation.security.contains(where: isMet) else { return }
        let alternatives = operation.security.map { alternative in
            alternative.map { words(for: $0.scheme) }.joined(separator: " and ")
        }
        violations.add(
            "contract/missing-credentials",
            .note,
            .security,
            "the request has no credentials, but the contract wants \(alternatives.joined(lastBy: "or"))",
            contract: operation.position,
            uri: operation.uri + "/security"
        )
    }

    private func isMet(_ alternative: [SecurityRequirement]) -> Bool {
        alternative.allSatisfy { requirement in
            scheme(named: requirement.scheme).map { isPresent($0.kind) } ?? true
        }
    }

    private func scheme(named name: String) -> SecurityScheme? {
        judge.contract.securitySchemes.first { $0.name.hasSameUTF8(as: name) }
    }

    private func isPresent(_ kind: SecurityScheme.Kind) -> Bool {
        switch kind {
        case .apiKey(.header, let name): request.fields.contains(name)
        case .apiKey(.query, let name): !(request.query.map { WirePairs(query: $0) } ?? .none).indices(of: name).isEmpty
        case .apiKey(.cookie, let name):
            !WirePairs(cookies: request.fields.values(of: "Cookie")).indices(of: name).isEmpty
        case .apiKey(.path, _): true
        case .http(let scheme): hasAuthorization(scheme)
        case .oauth2, .openIDConnect: hasAuthorization("bearer")
        // The transport knows it, and it is not seen here.
        case .mutualTLS: true
        }
    }

    /// Whether Authorization begins with that scheme, in either case (RFC 9110, section 11.1).
    private func hasAuthorization(_ scheme: String) -> Bool {
        guard let value = request.fields.bytes(of: "Authorization") else { return false }
        if FieldName.isSame(value.prefix { $0 != 0x20 }, scheme.utf8) { return true }
        return request.fields.values(of: "Authorization").dropFirst().contains { value in
            FieldName.isSame(value.utf8.prefix { $0 != 0x20 }, scheme.utf8)
        }
    }

    private func words(for name: String) -> String {
        switch scheme(named: name)?.kind {
        case .apiKey(let location, let key)?: "\(Self.place(location)) \"\(key)\""
        case .http(let scheme)?: "Authorization with the scheme \(scheme)"
        case .oauth2?, .openIDConnect?: "Authorization with the scheme bearer"
        case .mutualTLS?: "a client certificate"
        case nil: "the security scheme \"\(name)\""
        }
    }

    private static func place(_ location: Parameter.Location) -> String {
        location == .query ? "the query parameter" : "the \(location.rawValue)"
    }
}
