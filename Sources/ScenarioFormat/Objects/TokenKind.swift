import JSON
package import Signatures

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

    package var name = ""
    /// A Boolean value that indicates whether another server issues it: every text is valid that is not a token of the
    /// session's own.
    package var isForeign = false
    /// Zero for a foreign one, whose lifetime is unknown here.
    package var lifetime = Duration.zero
    package var format = Format.jwt
    /// The algorithm that signs a JWT.
    package var algorithm = SignatureAlgorithm.hs256
    /// The secrets of clients, by client ID: with HS256, the secret of a token's client signs it (OpenID Connect Core,
    /// section 10.1).
    package var secrets: [String: String] = [:]
    /// Claims in addition to `iat`, `exp` and `jti`, or another `iat`.
    package var claims: TreeTemplate?
    package var hasIdentifier = true
    package var carriers = [TokenCarrier(.header("Authorization"), scheme: "Bearer")]
    package var rotation: Rotation?
    /// A Boolean value that indicates whether a request that it is exchanged in for other tokens uses it up, as an
    /// authorization code.
    package var isSingleUse = false
    package var multiplicity = Multiplicity.many
    /// Statuses of a refresh with this token that end the session permanently.
    package var terminalStatuses: [Int] = []
    package var rejections: [Rejection] = []
    /// The claims as they are written: those of all kinds, and the kind's own over them.
    private var writtenClaims = JSONObject()
}

extension TokenKind: ModelObject {
    static let keys = Keys("tokenKind", "a token kind", "a token kind and its rules") {
        Key("lifetime", \.lifetime, .duration, "The lifetime of a token. 0s is allowed.").required
        carriers
        Key("format", \.format, .word, "The format of this kind's tokens.").otherwise("`format` in `tokens`")
        Key("algorithm", \.algorithm, .word, "The algorithm that signs this kind's tokens.")
            .otherwise("`algorithm` in `tokens`")
        Key(
            "secrets",
            ValueType<[(name: String, secret: String)]>.map(names: .any, of: .text(.filled)) { member, _ in
                member.value.string.map { (member.name, $0) }
            },
            "HS256 secrets, by `client`."
        ) { kind, secrets in
            kind.secrets = Dictionary(secrets.map { ($0.name, $0.secret) }) { $1 }
        }
        .example(["web": "not a secret"])
        Key("claims", .map(of: .anything, names: .claim)) { kind, tree, _ in
            kind.add(claims: tree)
        }
        .summary("Additional claims for this kind; `{{issued#/NAME}}` is data from `remember`.")
        .example(["scope": "read"])
        Key("jti", \.hasIdentifier, .boolean, "If true, this kind's tokens include a jti.")
            .otherwise("`jti` in `tokens`")
        Key("rotate", \.rotation, .choice(.of(.boolean) { $0 ? Rotation() : nil }, .object))
            .summary("If true, a token is superseded when it is exchanged for a new token of its kind.")
            .otherwise("`false`").example(["grace": "10s", "reuse": "revokeDevice"])
        Key("once", \.isSingleUse, .boolean)
            .summary("If true, a token can be exchanged only once, like an authorization code.")
        Key("live", \.multiplicity, .word)
            .summary("The maximum number of valid tokens: unlimited, one per device, or one per account.")
        Key("terminal", \.terminalStatuses, .list(of: .integer(100...999)))
            .summary("The refresh status codes that end the session permanently.").example([401])
        rejections
    }

    static let foreignKeys = Keys(
        "foreignKind",
        "a foreign token kind",
        "a token kind that another server issues",
        rules: [
            ObjectRule(
                .not(.member("foreign", .oneOf([false]))),
                "scenario/idle-key",
                at: "foreign",
                "\"foreign\": false has no effect; set a \"lifetime\" for the kind instead"
            )
        ],
        discussion: """
            Any text is `valid`, except this session's own tokens, which are `wrongKind`.
            """
    ) {
        Key("foreign", .boolean, "If true, another server, such as an identity provider, issues the tokens.").required
        carriers
        rejections
    }

    private static let carriers = Key("in", \.carriers, .oneOrMore(.carrier))
        .summary("The token's location in a request. The first location that contains a token is used.")
        .otherwise(#"`{"header": "Authorization", "scheme": "Bearer"}`"#).example(["body": "/refreshToken"])

    private static let rejections = Key("reject", \.rejections, .rejections)
        .summary("The responses to refused tokens, by token state; \"*\" applies to every other state.")
        .example(["*": ["status": 401, "empty": true]])

    /// The claims that `lifetime` and `jti` set.
    static let managedClaims = ["exp", "jti"]

    mutating func add(claims: JSONValue) {
        for member in Optional(claims).members { writtenClaims[member.name] = member.value }
    }

    mutating func finish(_ tree: JSONValue, _ builder: inout ScenarioBuilder) {
        guard !writtenClaims.members.isEmpty else { return }
        claims = builder.within {
            $0.hasIssued = true
            $0.mayOmit = true
        } read: {
            $0.templates.tree(.object(writtenClaims))
        }
        writtenClaims = JSONObject()
    }
}

/// The effect of an exchange on the old token.
package struct Rotation: Sendable, ModelObject {
    /// The effect of an old token that is sent again after its grace.
    package enum Reuse: String, Sendable, CaseIterable {
        case reject
        /// Every token of the device is revoked (RFC 9700, section 4.14.2).
        case revokeDevice
        case accept
    }

    package var grace = Duration.zero
    package var reuse = Reuse.reject

    /// The time for which the server accepts an exchanged token, if it does not expire before.
    package var usability: Duration { reuse == .accept ? DurationText.maximum : grace }

    static let keys = Keys("rotation", "\"rotate\"", "the effect of an exchange on the old token") {
        Key("grace", \.grace, .duration, "The time for which the old token remains valid.")
        Key("reuse", \.reuse, .word, "The effect of sending the old token again.")
    }
}
