package import JSON
package import Signatures

/// The rules by which a backend issues, accepts and refuses tokens.
package struct TokenRules: Sendable {
    package var kinds: [TokenKind] = []
    /// The HMAC key of every JWT with HS256, and what the names of other keys are made of.
    ///
    /// It is the scenario's and not the process's, so that tokens outlive a restart.
    package var key: [UInt8] = []
    /// Which kinds are accepted where another one is wanted.
    package var interchangeable = Interchange.none
    /// The owner of the stored copy of a granted token.
    package var stored = TokenOwner.device
    /// The tokens that a sign-in grants.
    package var signInGrants: [Grant] = []
    package var signOut = SignOutRule()
    /// The requirements for proofs of possession.
    package var proofs = ProofRules()

    package init() {}

    package func kind(named name: String) -> TokenKind? {
        kinds.first { $0.name == name }
    }
}

/// A backend's requirements for proofs of possession (RFC 9449).
package struct ProofRules: Sendable, Hashable {
    /// The time for which a nonce of the server is valid; nil where proofs need none (sections 8 and 9).
    package var nonceLifetime: Duration?
    /// The maximum difference between a proof's time and the server's.
    package var tolerance = Duration.seconds(300)
}

/// Kinds of token that a backend cannot tell from others.
package enum Interchange: Sendable, Hashable {
    case none
    case every
    /// These are taken for any other kind, and not the other way round.
    case kinds([String])

    /// Returns whether tokens of a kind are taken where another kind is wanted.
    package func includes(_ kind: String) -> Bool {
        switch self {
        case .none: false
        case .every: true
        case .kinds(let names): names.contains { $0.utf8.elementsEqual(kind.utf8) }
        }
    }
}

/// Whom a token or a stored copy belongs to.
package enum TokenOwner: String, Sendable, CaseIterable {
    case device
    case account
}

/// The effect of a sign-out on a device's tokens.
package struct SignOutRule: Sendable {
    /// Kinds that are refused from then on; `nil` for every kind.
    package var revoked: [String]?
    /// Kinds whose stored copy is dropped.
    package var forgotten: [String] = []
}

/// One kind of token: how long it lives, where it travels, and what happens when it is not accepted.
package struct TokenKind: Sendable {
    /// The format of the token's text.
    package enum Format: String, Sendable, CaseIterable {
        /// A signed JSON Web Token (RFC 7519).
        case jwt
        /// A text without meaning.
        case opaque
    }

    /// The number of live tokens of the kind.
    package enum Multiplicity: String, Sendable, CaseIterable {
        case many
        case device
        case account
    }

    package var name: String
    /// A Boolean value that indicates whether another server issues it: every text is valid that is not a token of the
    /// session's own.
    package var isForeign = false
    /// Zero for a foreign one, whose lifetime is unknown here.
    package var lifetime: Duration
    package var format: Format
    /// The algorithm that signs a JWT.
    package var algorithm: SignatureAlgorithm
    /// Claims in addition to `iat`, `exp` and `jti`.
    package var claims: TreeTemplate?
    package var hasIdentifier: Bool
    package var carriers: [TokenCarrier]
    package var rotation: Rotation?
    /// A Boolean value that indicates whether a request that it is exchanged in for other tokens uses it up, as an
    /// authorization code.
    package var isSingleUse = false
    package var multiplicity: Multiplicity
    /// Statuses of a refresh with this token that end the session permanently.
    package var terminalStatuses: [Int]
    package var rejections: [Rejection]
}

/// The effect of an exchange on the old token.
package struct Rotation: Sendable {
    /// The effect of an old token that is sent again after its grace.
    package enum Reuse: String, Sendable, CaseIterable {
        case reject
        /// Every token of the device is revoked (RFC 9700, section 4.14.2).
        case revokeDevice
        case accept
    }

    package var grace: Duration
    package var reuse: Reuse
}

/// A place in a request where a token travels.
package enum TokenCarrier: Sendable, Hashable {
    /// A header field; with a scheme, the token follows that word and a space (RFC 9110, section 11.4).
    ///
    /// The word is compared without regard to case unless it is exact, as servers have it that look for a prefix.
    case header(name: String, scheme: String?, isExact: Bool = false)
    /// A string in the JSON body.
    case body(JSONPointer)
    /// A query item.
    case query(String)
    /// A field of a form-urlencoded body, as OAuth 2 sends them (RFC 6749, appendix B).
    case form(String)
    /// A cookie (RFC 6265, section 4.2).
    case cookie(String)
    /// A part of the credentials of the scheme Basic (RFC 7617, section 2).
    case basic(BasicPart)
}

/// A part of the credentials that a request carries with the scheme Basic.
package enum BasicPart: String, Sendable, CaseIterable {
    case user
    case password
    /// Both, with a colon between them.
    case credentials
}

/// The state of a sent token at that time.
package enum TokenStanding: String, Sendable, Hashable, CaseIterable {
    case valid
    case expired
    case revoked
    /// Exchanged for a newer one.
    case superseded
    /// Superseded, and offered again before.
    case reused
    /// Of another kind than the route requires.
    case wrongKind
    /// Not this session's.
    case unknown
    /// There is something where the token should be, but not in its form, such as another scheme.
    case malformed
    case missing

    /// The standing whose response serves where a backend has none for this one.
    package var general: TokenStanding? {
        switch self {
        case .reused: .superseded
        case .superseded: .revoked
        case .malformed: .unknown
        default: nil
        }
    }
}

/// The answer to a token that is not accepted.
package struct Rejection: Sendable {
    /// The standing that it answers; `nil` for every other one.
    package var standing: TokenStanding?
    package var response: StubResponse
}

/// A token that a route requires.
package struct TokenRequirement: Sendable {
    package var kind: String
    /// The standings that let the request pass.
    package var accepted: [TokenStanding]
    /// Where the token travels on this route, instead of the kind's own places.
    package var carriers: [TokenCarrier]?
    /// The route's own responses, which come before the kind's.
    package var rejections: [Rejection]
}

/// A token that a response hands out.
package struct Grant: Sendable, Hashable {
    /// The source of the token.
    package enum Source: String, Sendable, CaseIterable {
        case new
        /// The copy that was stored when one was last granted, `null` when it was forgotten.
        case stored
        case none
    }

    package var kind: String
    package var source: Source
}
