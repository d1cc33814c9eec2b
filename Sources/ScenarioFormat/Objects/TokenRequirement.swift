import Basics
package import JSON

/// A token that a route requires.
package struct TokenRequirement: Sendable {
    package var kind = ""
    /// The standings that let the request pass.
    package var accepted = [TokenStanding.valid]
    /// The locations of the token on this route, instead of the kind's own locations.
    package var carriers: [TokenCarrier]?
    /// The route's own responses, which come before the kind's.
    package var rejections: [Rejection] = []
    package var position = JSONPosition.unknown
}

extension TokenRequirement: ModelObject {
    static let keys = Keys(
        "requirement",
        "a token requirement",
        "a route's requirements for a token",
        discussion: """
            If no response is defined for a state, the server uses the response for another state: `superseded` for \
            `reused`, `revoked` for `superseded`, `unknown` for `malformed`, and `*` for every other state.
            """
    ) {
        Key("is", \.accepted, .tokenStates, "The accepted token states.")
            .otherwise("`\"valid\"`").example(["valid", "expired"])
        Key("in", \.carriers, .oneOrMore(.carrier), "The token's location on this route.")
            .otherwise("the location that the kind defines").example(["query": "token"])
        Key("reject", \.rejections, .rejections)
            .summary("On this route, these responses to refused tokens take precedence over the kind's responses.")
            .example(["expired": ["status": 419, "empty": true]])
    }
}

extension ValueType<[TokenRequirement]> {
    /// One kind, several kinds, or an object of kinds and what each must be.
    static var requirements: Self {
        let type = ValueType<TokenRequirement>.choice(
            .of(.tokenState) { TokenRequirement(accepted: [$0]) },
            .of(.list(of: .tokenState, count: 1...Int.max)) { TokenRequirement(accepted: $0) },
            .object
        )
        let kind = ValueType<String>.name(of: .tokenKind)
        let named = ValueType<TokenRequirement>(kind.shape) { tree, builder in
            kind.read(tree, &builder).map { TokenRequirement(kind: $0, position: tree.position) }
        }
        return choice(
            .of(named) { [$0] },
            .list(of: named),
            .map(names: .name, of: type.shape) { member, builder in
                builder.expect(member.name, of: .tokenKind, at: member.namePosition)
                for states in [member.value, member.value["is"], member.value["reject"]] {
                    builder.expectForeignStates(of: member.name, in: states)
                }
                var requirement = builder.read(member.value, as: type)
                requirement?.kind = member.name
                requirement?.position = member.namePosition
                return requirement
            }
        )
        .shared("requires")
    }
}

extension ValueType<TokenStanding> {
    static var tokenState: Self { word.shared("tokenState") }
}

extension ValueType<[TokenStanding]> {
    static var tokenStates: Self { oneOrMore(.tokenState).shared("tokenStates") }
}

/// The answer to a token that is not accepted.
package struct Rejection: Sendable {
    /// The standing that it answers; `nil` for every other one.
    package var standing: TokenStanding?
    package var response: StubResponse
}

extension ValueType<[Rejection]> {
    static var rejections: Self {
        let states = TextForm.oneOf(["*"] + TokenStanding.allCases.map(\.rawValue))
        return map(names: states, of: .object(StubResponse.self)) { member, builder in
            Rejection(standing: TokenStanding(rawValue: member.name), response: builder.response(member.value))
        }
        .shared("rejections")
    }
}

// Kinds that another server issues.
extension ScenarioBuilder {
    /// Reports a kind that is not declared, and one whose tokens are not the backend's to do something with.
    @discardableResult
    mutating func expectOwnKind(_ name: String, at position: JSONPosition, for purpose: String) -> Bool {
        guard expect(name, of: .tokenKind, at: position) else { return false }
        guard names.foreignKinds.contains(name.exact) else { return true }
        report(
            "scenario/foreign-kind",
            "this backend cannot \(purpose) a \"\(name)\" token, because another server issues it",
            at: position
        )
        return false
    }

    /// Reports states that no foreign token is ever in.
    ///
    /// - Parameter tree: one state, several, or an object whose members are named by them.
    mutating func expectForeignStates(of kind: String, in tree: JSONValue?) {
        guard let tree, names.foreignKinds.contains(kind.exact) else { return }
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
                "this backend cannot determine whether a \"\(kind)\" token is \(standing.rawValue), "
                    + "because another server issues it",
                at: position,
                advice: "use \(states)"
            )
        }
    }

    private static let foreignStates: [TokenStanding] = [.valid, .wrongKind, .malformed, .missing]
}
