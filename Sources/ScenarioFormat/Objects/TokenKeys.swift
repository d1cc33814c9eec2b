import Basics
import JSON
import Signatures

enum TokensKeys: FormatObject {
    static let kinds = Key(
        "kinds",
        list: .map(of: .variants([TokenKindKeys.self, ForeignKindKeys.self]), names: .name),
        "The token kinds, by name.",
        required: true,
        example: ["access": ["lifetime": "15m"]]
    )
    static let format = Key("format", .word(TokenKind.Format.self), default: .jwt, "The token format.")
    static let algorithm = Key(
        "algorithm",
        .word(SignatureAlgorithm.self),
        default: .hs256,
        "The algorithm that signs JWTs. The placeholder `jwks` contains the public keys. RSA keys are fixed and public."
    )
    static let key = Key(
        "key",
        .text(.filled),
        "The signing key. The key is stable, so tokens remain valid after a restart.",
        otherwise: "derived from the backend's name",
        example: "not a secret"
    )
    static let claims = Key(
        "claims",
        list: .map(of: .anything, names: .claim),
        "Claims of every JWT in addition to iat and exp; placeholders allowed.",
        example: ["sub": "{{account.id}}"]
    )
    static let jti = Key(
        "jti",
        .boolean,
        default: false,
        "If true, each JWT has a unique identifier. Otherwise, tokens issued in the same second are equal."
    )
    static let dpop = Key(
        "dpop",
        .object(ProofRuleKeys.self),
        "The requirements for proofs of possession (RFC 9449).",
        otherwise: "no nonce, and an `iat` at most 5m from the server's time"
    )
    static let interchangeable = Key(
        "interchangeable",
        .json(.choice([.boolean, .list(of: .text(.name), count: 1...Int.max)])),
        """
        If true, a token of any kind is accepted in place of another kind; a list names the accepted kinds. Only the \
        lifetime is checked.
        """,
        otherwise: "`false`",
        example: ["refresh"]
    )
    static let stored = Key(
        "stored",
        .word(TokenOwner.self),
        default: .device,
        "The owner of the server's copy of a granted token."
    )
    static let signIn = Key(
        "signIn",
        list: .grants,
        "The token kinds that a \"signIn\" event grants.",
        otherwise: "a new token of every kind",
        example: ["access": "new"]
    )
    static let signOut = Key(
        "signOut",
        .object(SignOutRuleKeys.self),
        "The effect of a sign-out.",
        otherwise: "the device's tokens are revoked"
    )

    /// The claims that the clock and `jti` set.
    static let managedClaims = ["iat", "exp", "jti"]

    static let shape = ObjectShape(
        "tokens",
        "\"tokens\"",
        "the backend's token rules",
        [kinds, format, algorithm, key, claims, jti, dpop, interchangeable, stored, signIn, signOut],
        discussion: """
            A token is `valid`, `expired`, `revoked`, `superseded`, `reused`, `wrongKind`, `unknown`, `malformed` or \
            `missing`. With several accounts, the claims should identify the account, because equal tokens are treated \
            as the same token.
            """
    )
}

enum TokenKindKeys: FormatObject {
    static let lifetime = Key("lifetime", .duration, "The lifetime of a token. 0s is allowed.", required: true)
    static let format = Key(
        "format",
        .word(TokenKind.Format.self),
        "The format of this kind's tokens.",
        otherwise: "`format` of `tokens`"
    )
    static let algorithm = Key(
        "algorithm",
        .word(SignatureAlgorithm.self),
        "The algorithm that signs this kind's tokens.",
        otherwise: "`algorithm` of `tokens`"
    )
    static let claims = Key(
        "claims",
        list: .map(of: .anything, names: .claim),
        "Additional claims for this kind; `{{issued#/NAME}}` is data from `remember`.",
        example: ["scope": "read"]
    )
    static let jti = Key(
        "jti",
        .boolean,
        "If true, this kind's tokens include a jti.",
        otherwise: "`jti` of `tokens`"
    )
    static let rotate = Key(
        "rotate",
        .json(.choice([.boolean, .object(RotationKeys.self)])),
        "If true, a token is superseded when it is exchanged for a new token of its kind.",
        otherwise: "`false`",
        example: ["grace": "10s", "reuse": "revokeDevice"]
    )
    static let once = Key(
        "once",
        .boolean,
        default: false,
        "If true, a token can be exchanged only once, like an authorization code."
    )
    static let live = Key(
        "live",
        .word(TokenKind.Multiplicity.self),
        default: .many,
        "The maximum number of valid tokens: unlimited, one per device, or one per account."
    )
    static let terminal = Key(
        "terminal",
        list: .list(of: .integer(100...999)),
        "The refresh status codes that end the session permanently.",
        example: [401]
    )

    static let shape = ObjectShape(
        "tokenKind",
        "a token kind",
        "a token kind and its rules",
        [
            lifetime, TokenKind.carriers, format, algorithm, claims, jti, rotate, once, live, terminal,
            TokenKind.rejections,
        ]
    )
}

enum ForeignKindKeys: FormatObject {
    static let foreign = Key(
        "foreign",
        .boolean,
        "If true, another server, such as an identity provider, issues the tokens.",
        required: true
    )

    static let shape = ObjectShape(
        "foreignKind",
        "a foreign token kind",
        "a token kind that another server issues",
        [foreign, TokenKind.carriers, TokenKind.rejections],
        rules: [
            ObjectRule(
                .not(.member(foreign, .oneOf([false]))),
                "scenario/idle-key",
                at: foreign,
                "\"foreign\": false has no effect; set a \"lifetime\" for the kind instead"
            )
        ],
        discussion: """
            Any text is `valid`, except this session's own tokens, which are `wrongKind`.
            """
    )
}

extension TokenKind {
    fileprivate static let carriers = Key(
        "in",
        list: .oneOrMore(.json(.carrier)),
        "The token's location in a request. The first location that contains a token is used.",
        otherwise: #"`{"header": "Authorization", "scheme": "Bearer"}`"#,
        example: ["body": "/refreshToken"]
    )
    fileprivate static let rejections = Key(
        "reject",
        list: .rejections,
        "The responses to refused tokens, by token state; \"*\" applies to every other state.",
        example: ["*": ["status": 401, "empty": true]]
    )
}

enum RotationKeys: FormatObject {
    static let grace = Key("grace", .duration, default: .zero, "The time for which the old token remains valid.")
    static let reuse = Key(
        "reuse",
        .word(Rotation.Reuse.self),
        default: .reject,
        "The effect of sending the old token again."
    )

    static let shape = ObjectShape(
        "rotation",
        "\"rotate\"",
        "the effect of an exchange on the old token",
        [grace, reuse]
    )
}

enum ProofRuleKeys: FormatObject {
    static let nonce = Key(
        "nonce",
        .duration,
        "The lifetime of a server nonce.",
        otherwise: "no nonce is required",
        example: "5m"
    )
    static let tolerance = Key(
        "tolerance",
        .duration,
        default: .seconds(300),
        "The maximum difference between `iat` and the server's time."
    )

    static let shape = ObjectShape(
        "proofRules",
        "\"dpop\"",
        "the requirements for proofs of possession",
        [nonce, tolerance]
    )
}

enum SignOutRuleKeys: FormatObject {
    static let revoke = Key(
        "revoke",
        list: .list(of: .json(.text(.name))),
        "The token kinds that the server refuses after the sign-out.",
        otherwise: "every kind",
        example: ["refresh"]
    )
    static let forget = Key(
        "forget",
        list: .list(of: .json(.text(.name))),
        "The token kinds whose stored copies the server deletes.",
        example: ["refresh"]
    )

    static let shape = ObjectShape(
        "signOutRule",
        "\"signOut\"",
        "the effect of a sign-out on a device's tokens",
        [revoke, forget]
    )
}

// MARK: - Where tokens travel

enum HeaderCarrierKeys: FormatObject {
    static let header = Key("header", .text(.fieldName), "The name of the header field.", required: true)
    static let scheme = Key(
        "scheme",
        .text(.token),
        "The authentication scheme before the token.",
        otherwise: "no scheme; the whole value is the token",
        example: "Bearer"
    )
    static let exactScheme = Key(
        "exactScheme",
        .boolean,
        default: false,
        """
        If true, the scheme is case-sensitive and must be followed by a single space, as on a server that compares a \
        prefix. Any other value is malformed.
        """
    )

    static let shape = ObjectShape(
        "headerCarrier",
        "a token's \"in\"",
        "a token in a header field, with or without a scheme",
        [header, scheme, exactScheme],
        rules: [.idle(exactScheme, unless: .has(scheme), "without \"scheme\"")]
    )
}

enum BodyCarrierKeys: FormatObject {
    static let body = Key("body", .text(.pointer), "The token's location in the JSON body.", required: true)

    static let shape = ObjectShape("bodyCarrier", "a token's \"in\"", "a token in the JSON body", [body])
}

enum QueryCarrierKeys: FormatObject {
    static let query = Key("query", .text(.filled), "The name of the query item.", required: true, example: "token")

    static let shape = ObjectShape("queryCarrier", "a token's \"in\"", "a token in the query", [query])
}

enum FormCarrierKeys: FormatObject {
    static let form = Key(
        "form",
        .text(.filled),
        "The field name in the form-urlencoded body.",
        required: true,
        example: "refresh_token"
    )

    static let shape = ObjectShape(
        "formCarrier",
        "a token's \"in\"",
        "a token in a form-urlencoded body, as OAuth 2 sends it",
        [form]
    )
}

enum CookieCarrierKeys: FormatObject {
    static let cookie = Key("cookie", .text(.token), "The name of the cookie.", required: true, example: "sid")

    static let shape = ObjectShape("cookieCarrier", "a token's \"in\"", "a token in a cookie", [cookie])
}

enum BasicCarrierKeys: FormatObject {
    static let basic = Key(
        "basic",
        .word(BasicPart.self),
        "The part that contains the token; \"credentials\" means both parts, joined by a colon.",
        required: true
    )

    static let shape = ObjectShape(
        "basicCarrier",
        "a token's \"in\"",
        "a token in the HTTP Basic credentials",
        [basic]
    )
}

enum RequirementKeys: FormatObject {
    static let `is` = Key(
        "is",
        .json(.tokenStates),
        "The accepted token states.",
        otherwise: "`\"valid\"`",
        example: ["valid", "expired"]
    )
    static let carriers = Key(
        "in",
        list: .oneOrMore(.json(.carrier)),
        "The token's location on this route.",
        otherwise: "the location that the kind defines",
        example: ["query": "token"]
    )
    static let reject = Key(
        "reject",
        list: .rejections,
        "The responses to refused tokens on this route. They take precedence over the kind's responses.",
        example: ["expired": ["status": 419, "empty": true]]
    )

    static let shape = ObjectShape(
        "requirement",
        "a token requirement",
        "a route's requirements for a token",
        [`is`, carriers, reject],
        discussion: """
            If a state has no response, `reused` is answered like `superseded`, `superseded` like `revoked`, \
            `malformed` like `unknown`, and every other state like `*`.
            """
    )
}

extension Shape {
    static let carrier = Shape.shared(
        "carrier",
        .variants([
            HeaderCarrierKeys.self, BodyCarrierKeys.self, QueryCarrierKeys.self, FormCarrierKeys.self,
            CookieCarrierKeys.self, BasicCarrierKeys.self,
        ])
    )
    static let tokenStates = Shape.shared("tokenStates", .oneOrMore(.shared("tokenState", .words(TokenStanding.self))))
    fileprivate static let rejections = Shape.shared(
        "rejections",
        .map(of: .object(ResponseKeys.self), names: .oneOf(["*"] + TokenStanding.allCases.map(\.rawValue)))
    )
    static let grants = Shape.shared("grants", .map(of: .words(Grant.Source.self), names: .name))
    static let requires = Shape.shared(
        "requires",
        .choice([
            .text(.name),
            .list(of: .text(.name)),
            .map(
                of: .choice([
                    .shared("tokenState", .words(TokenStanding.self)),
                    .list(of: .shared("tokenState", .words(TokenStanding.self)), count: 1...Int.max),
                    .object(RequirementKeys.self),
                ]),
                names: .name
            ),
        ])
    )
}

extension ValueType<[JSONObject.Member]> {
    static var grants: Self { Self(shape: .grants) { Optional($0).members } }
    static var rejections: Self { Self(shape: .rejections) { Optional($0).members } }
}

// MARK: - Reading

extension ScenarioBuilder {
    mutating func tokenRules() -> TokenRules {
        var rules = TokenRules()
        guard let tree = root[ScenarioKeys.tokens] else { return rules }
        let secret = tree[TokensKeys.key] ?? "backlot signs for \(root[ScenarioKeys.backend] ?? "no backend")"
        rules.key = Array(secret.utf8)
        if let written = tree[TokensKeys.interchangeable] { rules.interchangeable = interchange(written) }
        rules.stored = tree[TokensKeys.stored]
        if let proofs = tree[TokensKeys.dpop] {
            rules.proofs.nonceLifetime = proofs[ProofRuleKeys.nonce]
            rules.proofs.tolerance = proofs[ProofRuleKeys.tolerance]
        }
        rules.kinds = tree[TokensKeys.kinds].map { kind($0, in: tree) }
        rules.signInGrants =
            tree.has(TokensKeys.signIn)
            ? grants(tree[TokensKeys.signIn])
            : kinds.filter { !foreignKinds.containsExactly($0) }.map { Grant(kind: $0, source: .new) }
        if let signOut = tree[TokensKeys.signOut] {
            let revoked = signOut[SignOutRuleKeys.revoke]
            rules.signOut = SignOutRule(
                revoked: signOut.has(SignOutRuleKeys.revoke) ? kindList(revoked, for: "revoke") : nil,
                forgotten: kindList(signOut[SignOutRuleKeys.forget], for: "forget")
            )
        }
        return rules
    }

    private mutating func interchange(_ tree: JSONValue) -> Interchange {
        guard let kinds = tree.array else { return tree.bool == true ? .every : .none }
        return .kinds(kindList(kinds, for: "interchange"))
    }

    /// - Parameter purpose: the backend's action, which is only possible with its own tokens.
    mutating func kindList(_ values: [JSONValue], for purpose: String? = nil) -> [String] {
        values.compactMap { value in
            guard let name = value.string else { return nil }
            if let purpose {
                expectOwnKind(name, at: value.position, for: purpose)
            } else {
                expect(name, among: kinds, as: "token kind", at: value.position)
            }
            return name
        }
    }

    private mutating func kind(_ member: JSONObject.Member, in rules: JSONValue) -> TokenKind {
        let tree = member.value
        let carriers =
            tree.has(TokenKind.carriers)
            ? carriers(tree[TokenKind.carriers]) : [.header(name: "Authorization", scheme: "Bearer")]
        expectForeignStates(of: member.name, in: tree.written(TokenKind.rejections))
        return TokenKind(
            name: member.name,
            isForeign: foreignKinds.containsExactly(member.name),
            lifetime: tree[TokenKindKeys.lifetime] ?? .zero,
            format: tree[TokenKindKeys.format] ?? rules[TokensKeys.format],
            algorithm: tree[TokenKindKeys.algorithm] ?? rules[TokensKeys.algorithm],
            claims: claims(rules[TokensKeys.claims] + tree[TokenKindKeys.claims]),
            hasIdentifier: tree[TokenKindKeys.jti] ?? rules[TokensKeys.jti],
            carriers: carriers,
            rotation: rotation(tree[TokenKindKeys.rotate]),
            isSingleUse: tree[TokenKindKeys.once],
            multiplicity: tree[TokenKindKeys.live],
            terminalStatuses: tree[TokenKindKeys.terminal],
            rejections: rejections(tree[TokenKind.rejections])
        )
    }

    /// The claims of all kinds with the kind's own over them, as one object; `nil` without claims.
    private mutating func claims(_ members: [JSONObject.Member]) -> TreeTemplate? {
        var claims = JSONObject()
        for member in members { claims[member.name] = member.value }
        guard !claims.members.isEmpty else { return nil }
        return within {
            $0.hasIssued = true
            $0.mayOmit = true
        } read: {
            $0.templates.tree(.object(claims))
        }
    }

    private func rotation(_ tree: JSONValue?) -> Rotation? {
        guard let tree, tree.bool != false else { return nil }
        return Rotation(grace: tree[RotationKeys.grace], reuse: tree[RotationKeys.reuse])
    }

    mutating func carriers(_ trees: [JSONValue]) -> [TokenCarrier] {
        trees.compactMap { tree in
            if let name = tree[HeaderCarrierKeys.header] { return header(name, tree) }
            if let pointer = tree[BodyCarrierKeys.body].flatMap({ JSONPointer($0) }) { return .body(pointer) }
            if let field = tree[FormCarrierKeys.form] { return .form(field) }
            if let name = tree[CookieCarrierKeys.cookie] { return .cookie(name) }
            if let part = tree[BasicCarrierKeys.basic] { return .basic(part) }
            return tree[QueryCarrierKeys.query].map(TokenCarrier.query)
        }
    }

    private mutating func header(_ name: String, _ tree: JSONValue) -> TokenCarrier {
        let scheme = tree[HeaderCarrierKeys.scheme]
        return .header(name: name, scheme: scheme, isExact: tree[HeaderCarrierKeys.exactScheme])
    }

    private mutating func rejections(_ members: [JSONObject.Member]) -> [Rejection] {
        members.map { Rejection(standing: TokenStanding(rawValue: $0.name), response: response($0.value)) }
    }

    mutating func grants(_ members: [JSONObject.Member]) -> [Grant] {
        members.compactMap { member in
            expectOwnKind(member.name, at: member.namePosition, for: "grant")
            return ValueType.word(Grant.Source.self).read(member.value).map { Grant(kind: member.name, source: $0) }
        }
    }

    /// Reads `"access"`, `["access", "refresh"]`, or an object of kinds and what each must be.
    mutating func requirements(_ tree: JSONValue?) -> [TokenRequirement] {
        guard let tree else { return [] }
        if tree.object == nil {
            return (tree.array ?? [tree]).compactMap { value in
                value.string.map { requirement($0, at: value.position, nil) }
            }
        }
        return Optional(tree).members.map { requirement($0.name, at: $0.namePosition, $0.value) }
    }

    private mutating func requirement(
        _ kind: String,
        at position: JSONPosition,
        _ tree: JSONValue?
    ) -> TokenRequirement {
        expect(kind, among: kinds, as: "token kind", at: position)
        let object = tree?.object == nil ? nil : tree
        for states in [tree, object.written(RequirementKeys.is), object.written(RequirementKeys.reject)] {
            expectForeignStates(of: kind, in: states)
        }
        let states = standings(object == nil ? tree : object[RequirementKeys.is])
        return TokenRequirement(
            kind: kind,
            accepted: states.isEmpty ? [.valid] : states,
            carriers: object?.has(RequirementKeys.carriers) == true ? carriers(object[RequirementKeys.carriers]) : nil,
            rejections: rejections(object[RequirementKeys.reject])
        )
    }

    func standings(_ tree: JSONValue?) -> [TokenStanding] {
        guard let tree else { return [] }
        return (tree.array ?? [tree]).compactMap(ValueType.word(TokenStanding.self).read)
    }

    // MARK: Kinds that another server issues

    /// Reports a kind that is not declared, and one whose tokens are not the backend's to do something with.
    mutating func expectOwnKind(_ name: String, at position: JSONPosition, for purpose: String) {
        guard expect(name, among: kinds, as: "token kind", at: position), foreignKinds.containsExactly(name) else {
            return
        }
        report(
            "scenario/foreign-kind",
            "this backend cannot \(purpose) a \"\(name)\" token, because another server issues it",
            at: position
        )
    }

    /// Reports states that no foreign token is ever in.
    ///
    /// - Parameter tree: one state, several, or an object whose members are named by them.
    mutating func expectForeignStates(of kind: String, in tree: JSONValue?) {
        guard let tree, foreignKinds.containsExactly(kind) else { return }
        let written =
            tree.object == nil
            ? (tree.array ?? [tree]).map { ($0.string, $0.position) }
            : Optional(tree).members.map { (Optional($0.name), $0.namePosition) }
        for (name, position) in written {
            guard let standing = name.flatMap(TokenStanding.init), !Self.foreignStates.contains(standing) else {
                continue
            }
            let states = Self.foreignStates.map(\.rawValue).joined(lastBy: "or")
            report(
                "scenario/foreign-kind",
                "a \"\(kind)\" token is never \(standing.rawValue), because another server issues it",
                at: position,
                advice: "use \(states)"
            )
        }
    }

    private static let foreignStates: [TokenStanding] = [.valid, .wrongKind, .malformed, .missing]
}
