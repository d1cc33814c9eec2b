import Basics

/// Proof Key for Code Exchange (RFC 7636).
package enum ProofKey {
    /// The derivation of a challenge from its verifier.
    package enum Method: String, Sendable, Hashable, CaseIterable {
        case plain
        case s256 = "S256"
    }

    /// The challenge of a verifier by the method `S256`: its SHA-256 in Base64url (section 4.2).
    package static func challenge(of verifier: String) -> String {
        Base64.encodeURL(SHA256.hash(Array(verifier.utf8)))
    }

    /// Returns whether a text can be a verifier, or a challenge: 43 to 128 unreserved characters (sections 4.1 and
    /// 4.2).
    package static func isWellFormed(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(\.isUnreserved)
    }

    /// Returns whether a verifier is well-formed and the one of the challenge (section 4.6).
    package static func verifies(_ verifier: String, challenge: String, method: Method) -> Bool {
        guard isWellFormed(verifier) else { return false }
        let expected = method == .plain ? verifier : Self.challenge(of: verifier)
        return expected.exact == challenge.exact
    }
}

/// The hashes by which an ID token names what was issued with it (OpenID Connect Core 1.0, section 3.1.3.6).
package enum TokenHash {
    /// `at_hash` of an access token or `c_hash` of a code: the left half of its SHA-256 in Base64url.
    package static func half(of token: String) -> String {
        Base64.encodeURL(Array(SHA256.hash(Array(token.utf8)).prefix(16)))
    }

    /// `ath` of a proof of possession: the whole SHA-256 in Base64url (RFC 9449, section 4.2).
    package static func whole(of token: String) -> String {
        Base64.encodeURL(SHA256.hash(Array(token.utf8)))
    }
}
