import Basics
import HTTPCodec
import JSON

enum RouteKeys: FormatObject {
    static let requires = Key(
        "requires",
        .json(.requires),
        "The tokens that the route requires, by kind and state.",
        example: ["refresh": "valid", "access": ["expired", "valid"]]
    )
    static let find = Key(
        "find",
        list: .map(of: .object(SelectionKeys.self), names: .name),
        "Item selections for the cases and responses, by name, evaluated in the listed order.",
        example: ["note": ["one": "notes", "where": ["/id": "{{request.path.id}}"]]]
    )
    static let cases = Key(
        "cases",
        list: .list(of: .object(BranchKeys.self)),
        "Conditional responses. The first response whose condition holds is sent.",
        example: [["when": ["query": ["page": "0"]], "status": 400, "empty": true]]
    )
    static let hold = Key(
        "hold",
        .object(RouteHoldKeys.self),
        "The gate at which the route's requests wait for each other.",
        example: ["until": 2]
    )

    static let shape = ObjectShape(
        "route",
        "a route",
        "the responses to one method and path",
        [requires, find, cases, hold] + ResponseKeys.all + SequenceKeys.all,
        exclusive: [ResponseKeys.bodies],
        rules: ResponseKeys.rules,
        LineKeys.rules,
        SequenceKeys.rules(alsoWith: [cases]),
        discussion: """
            A route's name is a method and a path: `"GET /diaries/{id}"`. `*` matches every method; as the last part \
            of a path, it matches the rest of the path. A literal part takes precedence over a parameter, and a \
            parameter over `*`. A path with a trailing slash is a different path. `GET` also answers `HEAD`, and \
            `OPTIONS` is answered with `Allow` unless a route exists for `OPTIONS`.

            The server evaluates a request in this order: the guards before the tokens, the tokens, the guards after \
            the tokens, `find`, the `responses` that a story adds to a route with cases, the cases, and the responses. \
            A matching case then checks the tokens that it `requires`. For example, one token endpoint can define a \
            case for each grant, and one GraphQL URL can offer open and secured operations. In a route, the keys of a \
            response define the route's own response; `optional` applies to all of the route's responses.
            """
    )
}

enum FallbackKeys: FormatObject {
    static let shape = ObjectShape(
        "fallback",
        "a fallback response",
        "the response to requests that match no route",
        [RouteKeys.requires, RouteKeys.cases] + ResponseKeys.all + SequenceKeys.all,
        exclusive: [ResponseKeys.bodies],
        rules: ResponseKeys.rules,
        LineKeys.rules,
        LineKeys.noUploadRate,
        SequenceKeys.rules(alsoWith: [RouteKeys.requires, RouteKeys.cases])
    )
}

enum BranchKeys: FormatObject {
    static let when = Key(
        "when",
        .object(ConditionKeys.self),
        "The condition on the request.",
        required: true,
        example: ["query": ["page": "0"]]
    )

    static let requires = Key(
        "requires",
        .json(.requires),
        "The tokens that the case requires in addition to its route's tokens, checked after the condition.",
        example: "refresh"
    )

    static let shape = ObjectShape(
        "branch",
        "a case",
        "a response for requests that meet a condition",
        [when, requires] + ResponseKeys.all + SequenceKeys.all,
        exclusive: [ResponseKeys.bodies],
        rules: ResponseKeys.rules,
        LineKeys.rules,
        LineKeys.noUploadRate,
        SequenceKeys.rules(alsoWith: [])
    )
}

enum GuardKeys: FormatObject {
    enum Order: String, CaseIterable {
        case beforeTokens
        case afterTokens
    }

    static let name = Key(
        "name",
        .text(.any),
        "The guard's name in the log.",
        otherwise: "guard 1, …",
        example: "version"
    )
    static let when = Key(
        "when",
        .object(ConditionKeys.self),
        "The condition under which the guard responds instead of the route.",
        required: true,
        example: ["header": ["X-Version": ["exists": false]]]
    )
    static let order = Key(
        "order",
        .word(Order.self),
        default: .beforeTokens,
        "The position of the guard: before or after the token check."
    )

    static let shape = ObjectShape(
        "guardRule",
        "a guard",
        "a check on every route",
        [name, when, order] + ResponseKeys.all,
        exclusive: [ResponseKeys.bodies],
        rules: ResponseKeys.rules,
        LineKeys.rules,
        LineKeys.noUploadRate
    )
}

enum OriginKeys: FormatObject {
    static let routes = Key(
        "routes",
        list: .map(of: .restricted(.object(RouteKeys.self), [noHold]), names: .route),
        "The origin's routes, defined like the backend's routes.",
        required: true,
        example: ["GET /{name}": ["file": "fixtures/picture.png"]]
    )
    static let accepts = Key(
        "accepts",
        list: .list(of: .json(.text(.name))),
        "The token kinds that the origin may receive.",
        otherwise: "none",
        example: ["imageKey"]
    )

    static let shape = ObjectShape(
        "origin",
        "an origin",
        "another server in the story",
        [routes, accepts],
        discussion: "Each origin has its own port. Its base URL is `{{origin.NAME}}`."
    )

    private static let noHold = ObjectRule(
        .lacks(RouteKeys.hold),
        "scenario/idle-key",
        at: RouteKeys.hold,
        "\"hold\" has no effect here, because only requests to the backend can be held"
    )
}

extension ValueType<[JSONObject.Member]> {
    static var routes: Self { .map(of: .object(RouteKeys.self), names: .route) }
}

// MARK: - Reading

extension ScenarioBuilder {
    mutating func routes(_ members: [JSONObject.Member]) -> [Route] {
        let keys = readRouteKeys(of: members)
        let defaults = line
        defer {
            line = defaults
            scope = everywhere
        }
        return zip(members, keys).compactMap { member, key in
            guard let key else { return nil }
            if let known = parts.route(member) {
                noted.add(known.notes)
                return known.value
            }
            let start = beginPart()
            let tree = member.value
            scope = everywhere
            scope.pathParameters = key.template.parameterNames
            line = LineDefaults(tree, over: defaults, builder: &self)
            let uploadRate = line.uploadRate
            let requirements = requirements(tree[RouteKeys.requires])
            let route = Route(
                key: key,
                requirements: requirements,
                finds: finds(tree[RouteKeys.find]),
                cases: tree[RouteKeys.cases].map { branch($0) },
                responses: sequence(tree, always: !tree.has(RouteKeys.cases)),
                position: member.namePosition,
                listsFirst: listsFirst(in: tree),
                uploadRate: uploadRate
            )
            // A route's own response has looked for itself.
            if route.responses.own == nil, let etag = tree[NegotiationKeys.etag], let name = etag.string {
                _ = expectFound(name, at: etag.position)
            }
            if let notes = notes(since: start) { parts.keep(ReadParts.Part(tree: member, value: route, notes: notes)) }
            return route
        }
    }

    /// Reads what is answered where no route is.
    ///
    /// With cases or tokens to look at, it has a response next to them only if it says so.
    mutating func fallback(_ tree: JSONValue) -> Fallback {
        let outer = line
        defer { line = outer }
        line = LineDefaults(tree, over: outer, builder: &self)
        return Fallback(
            requirements: requirements(tree[RouteKeys.requires]),
            cases: tree[RouteKeys.cases].map { branch($0) },
            listsFirst: listsFirst(in: tree),
            responses: sequence(tree, always: !tree.has(RouteKeys.cases) && !tree.has(RouteKeys.requires))
        )
    }

    private mutating func branch(_ tree: JSONValue) -> Branch {
        let condition = condition(tree[BranchKeys.when])
        let requirements = requirements(tree[BranchKeys.requires])
        let outer = line
        defer { line = outer }
        line = LineDefaults(tree, over: outer, builder: &self)
        return Branch(condition: condition, requirements: requirements, responses: sequence(tree, always: true))
    }

    /// Reads the routes' names in order; `nil` for one that is not a route.
    private mutating func readRouteKeys(of members: [JSONObject.Member]) -> [RouteKey?] {
        var known: [String: JSONObject.Member] = [:]
        return members.map { member in
            // The shape check reports a name that is not a route.
            guard let key = try? RouteKey(parsing: member.name) else { return nil }
            checkMethod(of: key, at: member.namePosition)
            if let rival = known.updateValue(member, forKey: key.identity) { reportSame(rival, member) }
            return key
        }
    }

    private mutating func reportSame(_ first: JSONObject.Member, _ second: JSONObject.Member) {
        let isOtherFile = first.namePosition.document != second.namePosition.document
        report(
            "scenario/same-route",
            "\"\(second.name)\" and \"\(first.name)\" match the same requests",
            at: second.namePosition,
            advice: isOtherFile
                ? "to change the other file's route, use the same key"
                : "use one route, with \"cases\" for the difference"
        )
    }

    private mutating func checkMethod(of key: RouteKey, at position: JSONPosition) {
        guard
            let method = key.method?.rawValue, !Self.registeredMethods.contains(method),
            let meant = Suggestion.nearest(to: method, among: Self.registeredMethods)
        else { return }
        report(
            "scenario/unusual-method",
            "\"\(method)\" is not a standard method",
            at: position,
            advice: "did you mean \"\(meant) \(key.template)\"?",
            severity: .warning
        )
    }

    /// Methods that are registered with IANA and could be meant; another one is legal, but near to these a slip.
    private static let registeredMethods = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "QUERY", "COPY", "LOCK", "MOVE", "LINK",
        "UNLINK", "UNLOCK", "MERGE", "SEARCH", "REPORT", "PROPFIND", "PROPPATCH", "MKCOL", "ACL", "BIND", "PURGE",
    ]

    mutating func guards() -> (early: [Guard], late: [Guard]) {
        // A guard looks at every route, and at the parameters of those that have them.
        scope.pathParameters = routeNames.flatMap { (try? RouteKey(parsing: $0))?.template.parameterNames ?? [] }
            .reduce(into: []) { names, name in if !names.containsExactly(name) { names.append(name) } }
        defer { scope.pathParameters = [] }
        var early: [Guard] = []
        var late: [Guard] = []
        let trees = IssuerExpansion.guards(root.written(ScenarioKeys.issuer)) + root[ScenarioKeys.guards]
        for (index, tree) in trees.enumerated() {
            let rule = Guard(
                name: tree[GuardKeys.name] ?? "guard \(index + 1)",
                condition: condition(tree[GuardKeys.when]),
                response: response(tree)
            )
            switch tree[GuardKeys.order] {
            case .beforeTokens: early.append(rule)
            case .afterTokens: late.append(rule)
            }
        }
        return (early, late)
    }

    mutating func expectRoute(_ key: String, at position: JSONPosition) {
        expect(key, among: routeNames, as: "route", at: position)
    }

    // MARK: Other servers of the story

    /// Reads the story's other servers, whose routes are as those of the backend.
    mutating func origins() -> [Origin] {
        root[ScenarioKeys.origins].map { member in
            Origin(
                name: member.name,
                routes: routes(member.value[OriginKeys.routes]),
                acceptedKinds: kindList(member.value[OriginKeys.accepts]),
                position: member.namePosition
            )
        }
    }
}

extension RouteKey {
    /// The same for two keys that match the very same requests.
    fileprivate var identity: String { "\(method?.rawValue ?? "*") \(template.shape)" }
}
