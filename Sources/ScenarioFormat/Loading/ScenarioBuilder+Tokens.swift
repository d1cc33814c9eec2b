import Basics
import JSON

extension ScenarioBuilder {
    mutating func tokenRules() -> TokenRules {
        var rules = TokenRules()
        guard let tree = root["tokens"] else { return rules }
        let secret = tree["key"]?.string ?? "backlot signs for \(root["backend"]?.string ?? "nobody")"
        rules.key = Array(secret.utf8)
        rules.interchangeable = interchange(tree["interchangeable"])
        rules.stored = tree["stored"]?.string.flatMap(TokenOwner.init) ?? .device
        rules.kinds = tree["kinds"].members.map { kind($0, in: tree) }
        rules.signInGrants =
            tree["signIn"] == nil
            ? kinds.filter { !foreignKinds.containsExactly($0) }.map { Grant(kind: $0, source: .new) }
            : grants(tree["signIn"])
        if let signOut = tree["signOut"] {
            rules.signOut = SignOutRule(
                revoked: signOut["revoke"].map { kindList($0, for: "revoke") },
                forgotten: signOut["forget"].map { kindList($0, for: "forget") } ?? []
            )
        }
        return rules
    }

    private mutating func interchange(_ tree: JSONValue?) -> Interchange {
        guard let tree else { return .none }
        return tree.array == nil ? (tree.bool == true ? .every : .none) : .kinds(kindList(tree, for: "interchange"))
    }

    /// - Parameter purpose: what the backend does with them, where it can do that only with tokens of its own.
    mutating func kindList(_ tree: JSONValue, for purpose: String? = nil) -> [String] {
        (tree.array ?? []).compactMap { value in
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
        let format = (tree["format"] ?? rules["format"])?.string.flatMap(TokenKind.Format.init) ?? .jwt
        let carriers = carriers(tree["in"]) ?? [.header(name: "Authorization", scheme: "Bearer")]
        expectForeignStates(of: member.name, in: tree["reject"])
        if let foreign = tree["foreign"], foreign.bool == false {
            report(
                "scenario/idle-key",
                "\"foreign\": false means nothing; give the kind a \"lifetime\" instead",
                at: foreign.position
            )
        }
        return TokenKind(
            name: member.name,
            isForeign: foreignKinds.containsExactly(member.name),
            lifetime: tree["lifetime"]?.string.flatMap(DurationText.parse) ?? .zero,
            format: format,
            claims: claims(rules["claims"], tree["claims"]),
            hasIdentifier: (tree["jti"] ?? rules["jti"])?.bool ?? false,
            carriers: carriers,
            rotation: rotation(tree["rotate"]),
            multiplicity: tree["live"]?.string.flatMap(TokenKind.Multiplicity.init) ?? .many,
            terminalStatuses: tree["terminal"]?.array?.compactMap(\.number?.int) ?? [],
            rejections: rejections(tree["reject"])
        )
    }

    /// The claims of all kinds with the kind's own over them, as one object; `nil` when there are none.
    private mutating func claims(_ common: JSONValue?, _ own: JSONValue?) -> ValueTemplate? {
        var claims = JSONObject()
        for member in common.members + own.members {
            if ["iat", "exp", "jti"].contains(member.name) {
                report(
                    "scenario/managed-claim",
                    "the claim \"\(member.name)\" is the clock's and not yours to set",
                    at: member.namePosition,
                    advice: "use \"lifetime\", \"jti\" or the clock's \"skew\""
                )
                continue
            }
            claims[member.name] = member.value
        }
        return claims.members.isEmpty ? nil : templates.value(.object(claims))
    }

    private func rotation(_ tree: JSONValue?) -> Rotation? {
        guard let tree, tree.bool != false else { return nil }
        return Rotation(
            grace: tree["grace"]?.string.flatMap(DurationText.parse) ?? .zero,
            reuse: tree["reuse"]?.string.flatMap(Rotation.Reuse.init) ?? .reject
        )
    }

    mutating func carriers(_ tree: JSONValue?) -> [TokenCarrier]? {
        guard let tree else { return nil }
        return (tree.array ?? [tree]).compactMap { tree in
            if let name = tree["header"]?.string { return header(name, tree) }
            if let pointer = tree["body"]?.string.flatMap({ JSONPointer($0) }) { return .body(pointer) }
            return tree["query"]?.string.map(TokenCarrier.query)
        }
    }

    private mutating func header(_ name: String, _ tree: JSONValue) -> TokenCarrier {
        let scheme = tree["scheme"]?.string
        if scheme == nil, let exact = tree.object?.member(named: "exactScheme") {
            report("scenario/idle-key", "\"exactScheme\" means nothing without \"scheme\"", at: exact.namePosition)
        }
        return .header(name: name, scheme: scheme, isExact: tree["exactScheme"]?.bool ?? false)
    }

    mutating func rejections(_ tree: JSONValue?) -> [Rejection] {
        tree.members.map { Rejection(standing: TokenStanding(rawValue: $0.name), response: response($0.value)) }
    }

    mutating func grants(_ tree: JSONValue?) -> [Grant] {
        tree.members.compactMap { member in
            expectOwnKind(member.name, at: member.namePosition, for: "grant")
            return member.value.string.flatMap(Grant.Source.init).map { Grant(kind: member.name, source: $0) }
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
        for states in [tree, tree?["is"], tree?["reject"]] { expectForeignStates(of: kind, in: states) }
        let isObject = tree?.object != nil
        let states = isObject ? standings(tree?["is"]) : standings(tree)
        return TokenRequirement(
            kind: kind,
            accepted: states.isEmpty ? [.valid] : states,
            carriers: isObject ? carriers(tree?["in"]) : nil,
            rejections: isObject ? rejections(tree?["reject"]) : []
        )
    }

    func standings(_ tree: JSONValue?) -> [TokenStanding] {
        guard let tree else { return [] }
        return (tree.array ?? [tree]).compactMap { $0.string.flatMap(TokenStanding.init) }
    }
}
