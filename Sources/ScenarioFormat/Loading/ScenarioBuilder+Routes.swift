import Basics
import HTTPCodec
import JSON

extension ScenarioBuilder {
    mutating func routes(_ tree: JSONValue?) -> [Route] {
        let keys = readRouteKeys(of: tree)
        let defaults = line
        defer {
            line = defaults
            scope = TemplateScope()
        }
        return zip(tree.members, keys).compactMap { member, key in
            guard let key else { return nil }
            if let known = parts.route(member) {
                take(known.notes)
                return known.value
            }
            let start = beginPart()
            scope = TemplateScope(pathParameters: key.template.parameterNames)
            line = LineDefaults(member.value, over: defaults, builder: &self)
            let uploadRate = line.uploadRate
            let requirements = requirements(member.value["requires"])
            let route = Route(
                key: key,
                requirements: requirements,
                finds: finds(member.value["find"]),
                cases: (member.value["cases"]?.array ?? []).map { branch($0) },
                responses: sequence(member.value, always: member.value["cases"] == nil),
                position: member.namePosition,
                listsFirst: listsFirst(in: member.value),
                uploadRate: uploadRate
            )
            if let notes = notes(since: start) { parts.keep(ReadParts.Part(tree: member, value: route, notes: notes)) }
            return route
        }
    }

    /// Reads what is answered where no route is.
    ///
    /// With cases or tokens to look at, it has a response beside them only if it says so.
    mutating func fallback(_ tree: JSONValue) -> Fallback {
        let outer = line
        defer { line = outer }
        line = LineDefaults(tree, over: outer, builder: &self)
        expectNoUploadRate(in: tree)
        return Fallback(
            requirements: requirements(tree["requires"]),
            cases: (tree["cases"]?.array ?? []).map { branch($0) },
            listsFirst: listsFirst(in: tree),
            responses: sequence(tree, always: tree["cases"] == nil && tree["requires"] == nil)
        )
    }

    /// Whether a story has added the listed responses to the cases of the file that it extends.
    func listsFirst(in tree: JSONValue) -> Bool {
        guard let responses = tree["responses"], let cases = tree["cases"] else { return false }
        return leading.contains(LeadingResponses(responses: responses.position, cases: cases.position))
    }

    private mutating func branch(_ tree: JSONValue) -> Branch {
        let condition = condition(tree["when"])
        let outer = line
        defer { line = outer }
        line = LineDefaults(tree, over: outer, builder: &self)
        expectNoUploadRate(in: tree)
        return Branch(condition: condition, responses: sequence(tree, always: true))
    }

    /// Reads the routes' names in their order; `nil` for one that is no route.
    private mutating func readRouteKeys(of tree: JSONValue?) -> [RouteKey?] {
        var known: [String: JSONObject.Member] = [:]
        return tree.members.map { member in
            guard let key = routeKey(member) else { return nil }
            checkMethod(of: key, at: member.namePosition)
            if let rival = known.updateValue(member, forKey: key.identity) { reportSame(rival, member) }
            return key
        }
    }

    private mutating func routeKey(_ member: JSONObject.Member) -> RouteKey? {
        do {
            return try RouteKey(parsing: member.name)
        } catch {
            report("scenario/bad-route", error.message, at: member.namePosition, advice: error.advice)
            return nil
        }
    }

    private mutating func reportSame(_ first: JSONObject.Member, _ second: JSONObject.Member) {
        let isOtherFile = first.namePosition.document != second.namePosition.document
        report(
            "scenario/same-route",
            "\"\(second.name)\" and \"\(first.name)\" match the same requests and can never be told apart",
            at: second.namePosition,
            advice: isOtherFile
                ? "to change the other file's route, write its key as it is there"
                : "tell them apart with \"cases\" in one route"
        )
    }

    private mutating func checkMethod(of key: RouteKey, at position: JSONPosition) {
        guard
            let method = key.method?.rawValue, !Self.registeredMethods.contains(method),
            let meant = Suggestion.nearest(to: method, among: Self.registeredMethods)
        else { return }
        report(
            "scenario/unusual-method",
            "\"\(method)\" is no method that clients know",
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
        for (index, tree) in (root["guards"]?.array ?? []).enumerated() {
            expectNoUploadRate(in: tree)
            let rule = Guard(
                name: tree["name"]?.string ?? "guard \(index + 1)",
                condition: condition(tree["when"]),
                response: response(tree)
            )
            if tree["order"]?.string == "afterTokens" { late.append(rule) } else { early.append(rule) }
        }
        return (early, late)
    }

    mutating func expectRoute(_ key: String, at position: JSONPosition) {
        expect(key, among: routeNames, as: "route", at: position)
    }
}

extension RouteKey {
    /// The same for two keys that match the very same requests.
    fileprivate var identity: String { "\(method?.rawValue ?? "*") \(template.shape)" }
}
