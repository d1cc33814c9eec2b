extension ObjectShape {
    static let tokens = ObjectShape([
        Key(
            "kinds",
            .map(of: .variants([.tokenKind, .foreignKind]), names: .name),
            "The kinds of token, by name.",
            required: true
        ),
        Key("format", .text(.oneOf(["jwt", "opaque"])), "JWT (HS256) unless told otherwise."),
        Key("key", .text(.filled), "The signing key. Stable, so that tokens outlive a restart."),
        Key(
            "claims",
            .map(of: .anything, names: .any),
            "Claims of every JWT besides iat and exp; placeholders allowed."
        ),
        Key(
            "jti",
            .boolean,
            "Whether each JWT has an identifier of its own. Without it, twins of one second are equal."
        ),
        Key(
            "interchangeable",
            .choice([.boolean, .list(of: .text(.name), count: 1...Int.max)]),
            "Whether any kind is accepted where another is wanted, or which kinds are."
        ),
        Key("stored", .text(.oneOf(["device", "account"])), "Whose slot holds the stored copy of a granted token."),
        Key("signIn", .grants, "What a sign-in grants; a new token of every kind if not said."),
        Key("signOut", .object(.signOutRule), "What a sign-out does; it revokes the device's tokens if not said."),
    ])

    static let tokenKind = ObjectShape([
        Key("lifetime", .text(.duration), "How long a token is valid. 0s is legal.", required: true),
        kindCarriers,
        Key("format", .text(.oneOf(["jwt", "opaque"])), "The format of this kind."),
        Key("claims", .map(of: .anything, names: .any), "Further claims of this kind."),
        Key("jti", .boolean, "Whether this kind has a jti."),
        Key("rotate", .choice([.boolean, .object(.rotation)]), "Whether exchanging a token makes it superseded."),
        Key(
            "live",
            .text(.oneOf(["many", "device", "account"])),
            "How many are live at once: any number, one a device or one an account."
        ),
        Key("terminal", .list(of: .integer(100...999)), "Statuses of a refresh that end the session for good."),
        kindRejections,
    ])

    static let foreignKind = ObjectShape([
        Key(
            "foreign",
            .boolean,
            "true: somebody else issues it, so that every text is good that is no token of this backend.",
            required: true
        ),
        kindCarriers, kindRejections,
    ])

    private static let kindCarriers = Key(
        "in",
        .choice([.carrier, .list(of: .carrier, count: 1...Int.max)]),
        "Where the token travels; the first place that has one counts."
    )
    private static let kindRejections = Key(
        "reject",
        .rejections,
        "The answer by the state of the token; \"*\" stands for every other."
    )

    static let rotation = ObjectShape([
        Key("grace", .text(.duration), "How long the old token goes on working."),
        Key(
            "reuse",
            .text(.oneOf(["reject", "revokeDevice", "accept"])),
            "What an old token offered again does. Rejected unless told otherwise."
        ),
    ])

    static let signOutRule = ObjectShape([
        Key("revoke", .list(of: .text(.name)), "Kinds that the server refuses from then on; every kind if not said."),
        Key("forget", .list(of: .text(.name)), "Kinds whose stored copy the server drops."),
    ])

    static let headerCarrier = ObjectShape([
        Key("header", .text(.fieldName), "The header field.", required: true),
        Key("scheme", .text(.token), "The word before the token, such as Bearer. None: the value is the token."),
        Key(
            "exactScheme",
            .boolean,
            "Whether the word has to be in the same letters, with a single space after it; anything else is malformed."
        ),
    ])
    static let bodyCarrier = ObjectShape([
        Key("body", .text(.pointer), "Where in the JSON body.", required: true)
    ])
    static let queryCarrier = ObjectShape([
        Key("query", .text(.filled), "The query item.", required: true)
    ])

    static let requirement = ObjectShape([
        Key("is", .tokenStates, "The states that let the request pass; valid if not said."),
        Key(
            "in",
            .choice([.carrier, .list(of: .carrier, count: 1...Int.max)]),
            "Where the token travels on this route."
        ),
        Key("reject", .rejections, "Answers of this route, before those of the kind."),
    ])
}

extension Shape {
    static let carrier = Shape.variants([.headerCarrier, .bodyCarrier, .queryCarrier])
    static let tokenState = Shape.text(.oneOf(TokenStanding.allCases.map(\.rawValue)))
    static let tokenStates = Shape.choice([tokenState, .list(of: tokenState, count: 1...Int.max)])
    static let rejections = Shape.map(
        of: .object(.response),
        names: .oneOf(["*"] + TokenStanding.allCases.map(\.rawValue))
    )
    static let grants = Shape.map(of: .text(.oneOf(Grant.Source.allCases.map(\.rawValue))), names: .name)
    static let requires = Shape.choice([
        .text(.name),
        .list(of: .text(.name)),
        .map(
            of: .choice([tokenState, .list(of: tokenState, count: 1...Int.max), .object(.requirement)]),
            names: .name
        ),
    ])
}
