import Basics
import HTTPCodec
import JSON

extension ScenarioBuilder {
    mutating func routes(_ members: [JSONObject.Member]) -> [Route] {
        let keys = readRouteKeys(of: members)
        let defaults = line
        defer {
            line = defaults
            scope = names.vocabulary
        }
        return zip(members, keys).compactMap { member, key in
            guard let key else { return nil }
            if let known = parts.route(member) {
                noted.add(known.notes)
                return known.value
            }
            let start = beginPart()
            let tree = member.value
            scope = names.vocabulary
            scope.pathParameters = key.template.parameterNames
            scope.hasRate = tree["rate"] != nil
            line = defaults
            readDefaults(tree)
            var route = Route(key: key, position: member.namePosition, uploadRate: line.uploadRate)
            Route.keys.fill(&route, tree, &self)
            route.responses = sequence(tree, always: tree["cases"] == nil)
            route.listsFirst = listsFirst(in: tree)
            // A route's own response has looked for itself.
            if route.responses.own == nil, let etag = tree["etag"], let name = etag.string {
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
        readDefaults(tree)
        var fallback = Fallback()
        Fallback.keys.fill(&fallback, tree, &self)
        fallback.listsFirst = listsFirst(in: tree)
        fallback.responses = sequence(tree, always: tree["cases"] == nil && tree["requires"] == nil)
        return fallback
    }

    /// Reads the listed responses of a route or a case, and its own one next to them.
    ///
    /// - Parameter always: whether there is an own response even if nothing is said about it.
    mutating func sequence(_ tree: JSONValue, always: Bool) -> ResponseSequence {
        var sequence = ResponseSequence()
        for key in ResponseSequence.keys { key.read(tree, into: &sequence, &self) }
        let said = Optional(tree).members.first { StubResponse.ownKeys.contains($0.name) }
        sequence.own = said != nil || (always && sequence.listed.isEmpty) ? response(tree) : nil
        sequence.ownPosition = said?.namePosition
        let written = tree["afterLast"]
        // After a story's list, the route continues as in the extended file, also with a case.
        let goesOn = sequence.own != nil || listsFirst(in: tree)
        if written == nil { sequence.afterLast = goesOn ? .own : .repeatLast }
        let afterLast = sequence.afterLast
        if let written, afterLast == .own, !goesOn {
            report(
                "scenario/no-own-response",
                "\"afterLast\": \"own\" requires a response next to \"responses\"",
                at: written.position,
                advice: "add a status or a body to the route, or write \"repeat\""
            )
        }
        if let written, listsFirst(in: tree), afterLast != .own { expectOwnAfterLast(written, of: tree) }
        // A story that says it of a route in another file means that the route's own response is not given any more.
        let isOverridden = written.map { $0.position.document != said?.namePosition.document } ?? false
        if let said, !sequence.listed.isEmpty, afterLast != .own, !isOverridden {
            report(
                "scenario/idle-key",
                "\"\(said.name)\" has no effect next to \"responses\", because \"afterLast\" is"
                    + " \"\(afterLast.rawValue)\"",
                at: said.namePosition,
                advice: "remove this key, or set \"afterLast\": \"own\" to send the route's own response afterward"
            )
        }
        return sequence
    }

    /// Refuses a list that precedes the cases of a route and that would hide them permanently, because the extended file
    /// sets this for its own list.
    private mutating func expectOwnAfterLast(_ written: JSONValue, of tree: JSONValue) {
        guard let responses = tree.object?.member(named: "responses"),
            written.position.document != responses.namePosition.document
        else { return }
        report(
            "scenario/inherited-after-last",
            "these responses precede the route's cases, and \"afterLast\": \(written.text(.compact)), set at"
                + " \(sources.place(of: written.position)), would hide the cases permanently",
            at: responses.namePosition,
            advice: "also set \"afterLast\" here; \"own\" continues with the cases"
        )
    }

    /// Returns whether a story has added the listed responses to the cases of the file that it extends.
    func listsFirst(in tree: JSONValue) -> Bool {
        guard let responses = tree["responses"], let cases = tree["cases"] else {
            return false
        }
        return leading.contains(LeadingResponses(responses: responses.position, cases: cases.position))
    }

    /// Reads the routes' names in order; `nil` for one that is not a route.
    private mutating func readRouteKeys(of members: [JSONObject.Member]) -> [RouteKey?] {
        var known: [String: JSONObject.Member] = [:]
        return members.map { member in
            // The shape check reports a name that is not a route.
            guard let key = try? RouteKey(parsing: member.name) else { return nil }
            checkMethod(of: key, at: member.namePosition)
            checkPath(of: key, at: member.namePosition)
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
                ? "to change the other file's route, use the same route key"
                : "use one route, with \"cases\" for the difference"
        )
    }

    /// Refuses a path that the server keeps for its admin API and for the names of sessions.
    private mutating func checkPath(of key: RouteKey, at position: JSONPosition) {
        guard let reserved = ReservedPath.allCases.first(where: { $0.rest(of: key.template.text) != nil }) else {
            return
        }
        report(
            "scenario/bad-route",
            "the server keeps the path \(reserved.rawValue) for itself, so no request reaches this route",
            at: position,
            advice: "choose another path"
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
        scope.pathParameters = names.routes.flatMap { (try? RouteKey(parsing: $0))?.template.parameterNames ?? [] }
            .reduce(into: []) { names, name in if !names.contains(name.exact) { names.append(name) } }
        defer { scope.pathParameters = [] }
        let trees = IssuerExpansion.guards(root["issuer"]) + (root["guards"]?.array ?? [])
        let guards = trees.enumerated().compactMap { index, tree in
            Guard.keys.read(tree, over: Guard(name: "guard \(index + 1)"), &self)
        }
        return (guards.filter { $0.order == .beforeTokens }, guards.filter { $0.order == .afterTokens })
    }

    mutating func expectRoute(_ key: String, at position: JSONPosition) {
        expect(key, among: names.routes, as: "route", at: position)
    }
}

extension RouteKey {
    /// The same for two keys that match the very same requests.
    fileprivate var identity: String { "\(method?.rawValue ?? "*") \(template.shape)" }
}
