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
            route.responses = ResponseSequence(tree, always: tree["cases"] == nil, &self)
            route.listsFirst = listsFirst(in: tree)
            // A route's own response has looked for itself.
            if route.responses.own == nil, let etag = tree["etag"], let name = etag.string {
                _ = expectFound(name, at: etag.position)
            }
            if let notes = notes(since: start) { parts.keep(ReadParts.Part(tree: member, value: route, notes: notes)) }
            return route
        }
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
            key.check(at: member.namePosition, &self)
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
