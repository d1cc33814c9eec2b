import JSON
import JSONSchema
import OpenAPI

/// The requirements of security.
extension ContractComparison {
    /// The requirement of an alternative: how a client proves who it is, under any name of the scheme.
    private struct Proof: Hashable {
        var kind: SecurityScheme.Kind?
        var name: String
        var scopes: Set<String>
        /// The flows that tokens come from, each with its addresses.
        var origins: Set<[String?]>

        init(_ requirement: SecurityRequirement, in contract: Contract) {
            let scheme = contract.securitySchemes.first { $0.name == requirement.scheme }
            kind = scheme?.kind
            // The names of fields have no case (RFC 9110, section 5.1).
            if case .apiKey(.header, let name) = kind { kind = .apiKey(location: .header, name: name.lowercased()) }
            let flows = scheme?.flows.map { [$0.name, $0.tokenURL, $0.refreshURL, $0.authorizationURL] } ?? []
            origins = Set(flows + [[scheme?.discoveryURL]])
            name = kind == nil ? requirement.scheme : ""
            scopes = Set(requirement.scopes)
        }

        /// Returns whether a client that does this does what another proof asks for.
        func meets(_ other: Proof) -> Bool {
            kind == other.kind && name == other.name && scopes.isSuperset(of: other.scopes)
                && origins.isSubset(of: other.origins)
        }
    }

    private static func alternatives(_ operation: OpenAPI.Operation, in contract: Contract) -> [[Proof]] {
        let alternatives = operation.security.isEmpty ? [[]] : operation.security
        return alternatives.map { $0.map { Proof($0, in: contract) } }
    }

    /// A client that met one of the old alternatives must meet one of the new ones.
    mutating func compareSecurity(_ before: OpenAPI.Operation, _ after: OpenAPI.Operation) {
        let earlier = Self.alternatives(before, in: old.contract)
        let later = Self.alternatives(after, in: new.contract)
        guard Set(earlier.map { Set($0) }) != Set(later.map { Set($0) }) else { return }
        let refused = earlier.filter { proofs in
            !later.contains { needed in needed.allSatisfy { need in proofs.contains { $0.meets(need) } } }
        }
        let sentence =
            refused.contains([])
            ? "security is required"
            : refused.isEmpty
                ? "the security requirements still accept all earlier credentials"
                : "the security requirements have changed"
        let position = after.security.isEmpty ? after.position : securityPosition(after, new.contract)
        tell(
            "security",
            sentence,
            // A client may ignore the credentials of a webhook.
            refused.isEmpty ? .safe : requests == .request ? .breaks : .depends,
            at: position,
            old: securityPosition(before, old.contract)
        )
    }

    private func securityPosition(_ operation: OpenAPI.Operation, _ contract: Contract) -> JSONPosition {
        let own = contract.schemas.registry.resolve(operation.uri, against: operation.uri)?.value["security"]
        return (own ?? contract.value(at: JSONPointer(tokens: ["security"])))?.position ?? operation.position
    }
}
