import Basics
import JSON
import Signatures

/// Expands a backend's `issuer` to its kinds of token, collections and routes.
///
/// The backend is merged over the expansion, and stories over both, so no other code depends on the issuer.
struct IssuerExpansion {
    let issuer: Issuer
    let accounts: [JSONObject.Member]
    /// The place of the issuer, where findings about its definitions are reported.
    let position: JSONPosition

    /// The keys of a backend that its issuer sets, so that the backend changes them.
    static let keys = ["tokens", "collections", "routes"]

    /// Merges a backend over the expansion of its issuer.
    ///
    /// A value that is not an object where the issuer sets one is reported and left out, so that nothing else is missing
    /// because of it.
    ///
    /// - Parameters:
    ///   - documents: the files of a story, the backend first; any of them may say something about the issuer.
    /// - Returns: the backend, whole; as it was where there is no issuer. And the lists of responses that the backend
    ///   puts before the cases of the issuer's routes.
    static func expanded(
        _ documents: [JSONValue],
        sources: SourceMap
    ) -> (backend: JSONValue, leading: Set<LeadingResponses>, findings: [Finding]) {
        var backend = documents[0]
        guard let expansion = IssuerExpansion(documents, sources: sources) else { return (backend, [], []) }
        var checker = ShapeChecker(sources: sources)
        let kinds = TokenRules.keys.list[0].declaration
        let keys = Self.keys.compactMap { Scenario.shape[$0] }
        for path in keys.map({ [$0] }) + [[keys[0], kinds]] {
            backend = checker.withoutForeign(path[...], in: backend)
        }
        var merger = ShapeMerger(sources: sources, isOverExpansion: true)
        let merged = merger.merge(backend, over: expansion.backend, along: .object(Scenario.self))
        let ordered = [["tokens", kinds.name], ["collections"], ["routes"]]
            .reduce(merged) { $0.ordered(like: backend, at: $1[...]) }
        return (ordered, merger.leading, checker.findings)
    }

    /// Creates the expansion of the issuer that the files of a story define together; nil if they define none.
    ///
    /// - Parameters:
    ///   - documents: the files of a story, the backend first.
    init?(_ documents: [JSONValue], sources: SourceMap) {
        var merger = ShapeMerger(sources: sources)
        let tree = documents.reduce(nil as JSONValue?) { known, document in
            guard let own = document["issuer"] else { return known }
            return merger.merge(own, over: known, along: .object(Issuer.self))
        }
        guard let tree, tree.object != nil else { return nil }
        issuer = Issuer(tree)
        accounts = documents[0]["accounts"].members
        position = documents[0]["issuer"]?.position ?? documents[0].position
    }

    /// The checks of bound tokens on every route: `guards` before any that the backend has.
    static func guards(_ issuer: JSONValue?) -> [JSONValue] {
        guard let issuer, issuer["dpop"] != nil else { return [] }
        let template = IssuerTemplate(conditions: [:], values: [:], position: issuer.position)
        return IssuerTemplate.root["guards"].flatMap { template.expand($0) }?.array ?? []
    }

    /// The definitions as a backend would write them, except for the guards.
    var backend: JSONValue {
        let template = IssuerTemplate(conditions: conditions, values: values, position: position)
        var backend = JSONObject()
        for key in Self.keys { backend[key] = IssuerTemplate.root[key].flatMap { template.expand($0) } }
        var routes = backend["routes"]?.object ?? [:]
        for (endpoint, other) in issuer.paths {
            for method in ["GET", "POST"] {
                guard let route = routes["\(method) \(usualPath(of: endpoint))"] else { continue }
                routes.set(JSONObject.Member(name: "\(method) \(other)", namePosition: position, value: route))
            }
        }
        backend["routes"] = JSONValue(.object(routes), at: position)
        return JSONValue(.object(backend), at: position)
    }

    private func usualPath(of endpoint: Issuer.Endpoint) -> String {
        endpoint == .discovery ? "/.well-known/\(endpoint.rawValue)" : "\(issuer.path)/\(endpoint.rawValue)"
    }
}

// MARK: What the template asks

extension IssuerExpansion {
    private static let claims = [
        "name", "given_name", "family_name", "nickname", "preferred_username", "picture", "email", "email_verified",
        "locale", "phone_number",
    ]

    private func hasAccount(with names: [String]) -> Bool {
        accounts.contains { account in names.allSatisfy { account.value[$0] != nil } }
    }

    var conditions: [String: Bool] {
        let (scopes, clients) = (issuer.scopes, issuer.clients)
        let phone = ["phone_number"]
        let email = ["email", "email_verified"]
        let profile = Self.claims.filter { !email.contains($0) && !phone.contains($0) }
        var conditions = [
            "accounts": !accounts.isEmpty, "login_hint": hasAccount(with: [issuer.user]),
            "passwords": hasAccount(with: [issuer.user, issuer.password]), "button": issuer.consent == .button,
            "public": clients.contains { $0.secret == nil }, "confidential": clients.contains { $0.secret != nil },
            "client": clients.count == 1, "pkce": issuer.requiresChallenge, "rotates": issuer.rotation.bool != false,
            "dpop": issuer.binding != nil, "dpop.required": issuer.binding == .required,
            "rs256": issuer.algorithm == .rs256, "hs256": issuer.algorithm == .hs256,
            "secrets": issuer.algorithm == .hs256 && clients.contains { $0.secret != nil },
            "refusal.description": issuer.refusal.description != nil,
            "openid": scopes.contains("openid"), "openid.default": scopes[0] == "openid",
        ]
        for name in Self.claims { conditions["claim.\(name)"] = hasAccount(with: [name]) }
        for (scope, claims) in ["profile": profile, "email": email, "phone": phone] {
            conditions["scope.\(scope)"] = scopes.contains(scope) && claims.contains { hasAccount(with: [$0]) }
        }
        return conditions
    }

    var values: [String: JSONValue] {
        func text(_ lifetime: Duration) -> JSONValue { .string(DurationText.text(lifetime)) }
        func pointer(_ name: String) -> JSONValue { .string(JSONPointer(tokens: [name]).description) }
        /// A text as a literal in a placeholder.
        func literal(_ text: String) -> JSONValue { .string(JSONValue.string(text).text(.compact)) }
        let (clients, account) = (issuer.clients, accounts.first?.name ?? "")
        let secrets = clients.compactMap { client in client.secret.map { (client.id, JSONValue.string($0)) } }
        var values: [String: JSONValue] = [
            "path": .string(issuer.path), "url": .string(issuer.url),
            "user": pointer(issuer.user), "password": pointer(issuer.password),
            "account": literal(account), "account.name": .string(account),
            "client": literal(clients[0].id), "clients": .array(clients.map(\.item)),
            "secrets": .object(JSONObject(secrets)),
            "scope": literal(issuer.scopes[0]), "scopes": .array(issuer.scopes.map(JSONValue.string)),
            "access": text(issuer.access), "refresh": text(issuer.refresh), "code": text(issuer.code),
            "id": text(issuer.id), "rotate": issuer.rotation, "algorithm": .string(issuer.algorithm.rawValue),
            "refusal": .number(JSONNumber(issuer.refusal.status)),
            "scheme": issuer.binding == .required ? "DPoP" : "Bearer",
            "redirect": "{{request.parameter.redirect_uri as prefix ?? found.client#/redirect as prefix}}",
            "state": "{{request.parameter.state as pair(state) ?? \"\"}}",
        ]
        values["refusal.description"] = issuer.refusal.description.map(JSONValue.string)
        for endpoint in Issuer.Endpoint.allCases {
            let path = issuer.paths.last { $0.endpoint == endpoint }?.path ?? usualPath(of: endpoint)
            values["endpoint.\(endpoint.rawValue)"] = .string(issuer.url + path)
        }
        return values
    }
}

extension Issuer {
    /// The response to a refresh token that is not accepted: the status, and `error_description`.
    fileprivate var refusal: (status: Int, description: String?) {
        profile.flatMap { IssuerProfile.of($0).refusal }.map { ($0.status, $0.description) } ?? (400, nil)
    }
}

extension Issuer.Client {
    /// The item of the collection `oauthClients`.
    fileprivate var item: JSONValue {
        var item: JSONObject = ["id": .string(id)]
        item[secret == nil ? "public" : "secret"] = .string(secret ?? id)
        item["redirects"] = .array(redirects.map(JSONValue.string))
        if redirects.contains("*") { item["anywhere"] = .string(id) }
        // The only one need not be sent (RFC 6749, section 3.1.2.3).
        if redirects.count == 1, redirects != ["*"] { item["redirect"] = .string(redirects[0]) }
        let loopback = redirects.compactMap(LoopbackURI.withoutPort)
        if !loopback.isEmpty { item["loopback"] = .array(loopback.map(JSONValue.string)) }
        return .object(item)
    }
}

extension JSONValue {
    /// The same, but in the object at a place what the backend has written comes first, in its order.
    fileprivate func ordered(like written: JSONValue?, at path: ArraySlice<String>) -> JSONValue {
        guard let object else { return self }
        var result = JSONObject()
        if let name = path.first {
            for member in object.members {
                let isOnTheWay = member.name.exact == name.exact
                let value = isOnTheWay ? member.value.ordered(like: written?[name], at: path.dropFirst()) : member.value
                result.set(JSONObject.Member(name: member.name, namePosition: member.namePosition, value: value))
            }
        } else {
            let own = (written?.object?.members ?? []).compactMap { object.member(named: $0.name) }
            for member in own + object.members { result.set(member) }
        }
        return JSONValue(.object(result), at: position)
    }
}

extension ShapeChecker {
    /// Reports the value at a path of keys if it is not an object, and returns the tree without it.
    fileprivate mutating func withoutForeign(_ path: ArraySlice<ObjectShape.Key>, in tree: JSONValue) -> JSONValue {
        guard let key = path.first, var object = tree.object, let value = object[key.name] else { return tree }
        if path.count > 1 {
            object[key.name] = withoutForeign(path.dropFirst(), in: value)
        } else if value.object == nil {
            check(value, against: key.shape, at: JSONPointer().appending(key.name))
            object[key.name] = nil
        }
        return JSONValue(.object(object), at: tree.position)
    }
}
