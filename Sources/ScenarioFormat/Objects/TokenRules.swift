import Basics
import JSON

/// The rules by which a backend issues, accepts and refuses tokens.
package struct TokenRules: Sendable {
    package var kinds: [TokenKind] = []
    /// The HMAC key of every JWT with HS256, and what the names of other keys are made of.
    ///
    /// It is the scenario's and not the process's, so that tokens outlive a restart.
    package var key: [UInt8] = []
    /// The kinds that are accepted for each other.
    package var interchangeable = Interchange.none
    /// The owner of the stored copy of a granted token.
    package var stored = TokenOwner.device
    /// The tokens that a sign-in grants.
    package var signInGrants: [Grant] = []
    package var signOut = SignOutRule()
    /// The requirements for proofs of possession.
    package var proofs = ProofRules()
    /// The rules of a kind that has none itself.
    private var common = TokenKind()

    package init() {}

    package func kind(named name: String) -> TokenKind? {
        kinds.first { $0.name == name }
    }
}

extension TokenRules: ModelObject {
    static let keys = Keys(
        "tokens",
        "\"tokens\"",
        "the backend's token rules",
        discussion: """
            A token is `valid`, `expired`, `revoked`, `superseded`, `reused`, `wrongKind`, `unknown`, `malformed` or \
            `missing`. If the scenario defines several accounts, the claims should identify the account, because equal \
            tokens are treated as the same token.
            """
    ) {
        Key("kinds", .map(of: .variants([TokenKind.shape, TokenKind.foreignKeys.shape]), names: .name))
            .summary("The token kinds, by name.").required.example(["access": ["lifetime": "15m"]])
        Key("format", \.common.format, .word, "The token format.")
        Key("algorithm", \.common.algorithm, .word)
            .summary(
                "The algorithm that signs JWTs. The placeholder `jwks` contains the public keys. RSA keys are fixed and public."
            )
        Key("key", \.key, .of(.text(.filled)) { Array($0.utf8) })
            .summary("The signing key. The key is stable, so tokens remain valid after a restart.")
            .otherwise("derived from the backend's name").example("not a secret")
        Key("claims", .map(of: .anything, names: .claim)) { rules, tree, _ in
            rules.common.add(claims: tree)
        }
        .summary("Claims in every JWT in addition to exp and jti; placeholders allowed.")
        .example(["sub": "{{account.id}}"])
        Key("jti", \.common.hasIdentifier, .boolean)
            .summary(
                "If true, each JWT contains a unique identifier. Otherwise, tokens issued in the same second are equal."
            )
        Key("dpop", \.proofs, .object, "The requirements for proofs of possession (RFC 9449).")
            .otherwise("no nonce, and an `iat` at most 5m from the server's time")
        Key(
            "interchangeable",
            \.interchangeable,
            .choice(
                .of(.boolean) { $0 ? .every : Interchange.none },
                .of(.list(of: .name(of: .ownKind(for: "interchange")), count: 1...Int.max), Interchange.kinds)
            ),
            """
            If true, a token of any kind is accepted in place of another kind; a list names the accepted kinds. Only the \
            lifetime is checked.
            """
        )
        .otherwise("`false`").example(["refresh"])
        Key("stored", \.stored, .word, "The owner of the server's copy of a granted token.")
        Key("signIn", \.signInGrants, .grants, "The token kinds that a \"signIn\" event grants.")
            .otherwise("a new token of every kind").example(["access": "new"])
        Key("signOut", \.signOut, .object, "The effect of a sign-out.")
            .otherwise("the device's tokens are revoked")
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        kinds = tree["kinds"].members.map { member in
            builder.expectForeignStates(of: member.name, in: member.value["reject"])
            var kind = common
            kind.name = member.name
            kind.isForeign = builder.names.foreignKinds.contains(member.name.exact)
            TokenKind.keys.fill(&kind, member.value, &builder)
            kind.finish(member.value, &builder)
            if kind.rotation != nil, kind.mayRepeatItself { builder.reportEqualTokens(of: kind, in: member.value) }
            return kind
        }
    }
}

extension TokenKind {
    /// A Boolean value that indicates whether two of its tokens that are issued in the same second may be equal.
    fileprivate var mayRepeatItself: Bool {
        guard format == .jwt, !hasIdentifier, !isForeign else { return false }
        return !(claims?.placeholders ?? []).flatMap(\.sources).contains { source in
            switch source {
            case .counter, .uuid, .randomHex: true
            default: false
            }
        }
    }
}

extension ScenarioBuilder {
    fileprivate mutating func reportEqualTokens(of kind: TokenKind, in tree: JSONValue) {
        report(
            "scenario/equal-tokens",
            "a token of the kind \"\(kind.name)\" that is issued in the same second as the one that it replaces is equal to "
                + "it, because \"jti\" is false",
            at: tree["rotate"]?.position ?? tree.position,
            advice: "remove \"jti\": false, unless the backend's tokens are equal, too",
            severity: .note
        )
    }

    mutating func tokenRules() -> TokenRules {
        guard let tree = root["tokens"] else { return TokenRules() }
        var rules = TokenRules()
        rules.key = Array("backlot signs for \(root["backend"]?.string ?? "no backend")".utf8)
        rules.signInGrants = names.ownKinds.map { Grant(kind: $0, source: .new) }
        return TokenRules.keys.read(tree, over: rules, &self) ?? rules
    }
}

/// A backend's requirements for proofs of possession (RFC 9449).
package struct ProofRules: Sendable, Hashable, ModelObject {
    /// The time for which a nonce of the server is valid; nil where proofs need none (sections 8 and 9).
    package var nonceLifetime: Duration?
    /// The maximum difference between a proof's time and the server's.
    package var tolerance = Duration.seconds(300)

    static let keys = Keys("proofRules", "\"dpop\"", "the requirements for proofs of possession") {
        Key("nonce", \.nonceLifetime, .duration, "The lifetime of a server nonce.")
            .otherwise("no nonce is required").example("5m")
        Key("tolerance", \.tolerance, .duration, "The maximum difference between `iat` and the server's time.")
    }
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
        case .kinds(let names): names.contains { $0.exact == kind.exact }
        }
    }
}

/// Whom a token or a stored copy belongs to.
package enum TokenOwner: String, Sendable, CaseIterable {
    case device
    case account
}

/// The effect of a sign-out on a device's tokens.
package struct SignOutRule: Sendable, ModelObject {
    /// Kinds that are refused from then on; `nil` for every kind.
    package var revoked: [String]?
    /// Kinds whose stored copy is dropped.
    package var forgotten: [String] = []

    static let keys = Keys("signOutRule", "\"signOut\"", "the effect of a sign-out on a device's tokens") {
        Key("revoke", \.revoked, .list(of: .name(of: .ownKind(for: "revoke"))))
            .summary("The token kinds that the server refuses after the sign-out.")
            .otherwise("every kind").example(["refresh"])
        Key("forget", \.forgotten, .list(of: .name(of: .ownKind(for: "forget"))))
            .summary("The token kinds whose stored copies the server deletes.").example(["refresh"])
    }
}

extension ValueType<[Grant]> {
    static var grants: Self {
        map(names: .name, of: .words(Grant.Source.self)) { member, builder in
            builder.expect(member.name, of: .ownKind(for: "grant"), at: member.namePosition)
            return member.value.string.flatMap(Grant.Source.init).map { Grant(kind: member.name, source: $0) }
        }
        .shared("grants")
    }
}
