import Basics
import JSON

/// A story's tree, and that of the backend to which it adds the parts that a run must play.
struct StoryAdditions {
    let root: JSONValue
    let base: JSONValue

    /// The story's additions to its backend, in the order of responses, events of the timeline, and the past.
    ///
    /// What the backend has word for word is the backend's, because an array that a story changes is written out as a
    /// whole. Left out as well is what the story expects never to happen. Guards, refusals of tokens and responses
    /// without a route are not parts: they answer mistakes.
    ///
    /// A variant has to play what it adds itself, and so has a story that extends another one; where it adds nothing, it
    /// has to play what the story below adds. Events of the past need no client, so they always count.
    ///
    /// - Parameter variant: the change that the variant is; `nil` for the story itself.
    func parts(of scenario: Scenario, variant: JSONValue?) -> [StoryPart] {
        guard root["extends"] != nil else { return [] }
        var parts: [StoryPart] = []
        for route in scenario.routes {
            let (tree, former) = (root["routes"], base["routes"])
            parts += responses(of: route, tree?[route.key.text], former?[route.key.text])
        }
        for origin in scenario.origins {
            let (tree, former) = (routes(of: origin, in: root), routes(of: origin, in: base))
            for route in origin.routes {
                let key = route.key.text
                parts += responses(of: route, tree?[key], former?[key]).map { part in
                    var part = part
                    part.origin = origin.name
                    part.name += " of \(origin.name)"
                    return part
                }
            }
        }
        parts.removeAll { isForbidden($0, by: scenario.expectations) }
        if let tls = root["tls"], isAdded(tls.position), base["tls"] != tls {
            parts.append(StoryPart(kind: .handshake, name: "\"tls\"", position: tls.position))
        }
        let past = events(scenario.given.map { ($0.event, nil) }, of: "given", "given")
        let future = scenario.timeline.map { ($0.event, Optional($0.trigger)) }
        parts += past.filter { $0.kind != .event } + events(future, of: "timeline", "the timeline")
        let written = variant?.positions
        let own = parts.filter { part in
            written?.contains(part.position) ?? (part.position.document == root.position.document)
        }
        return (own.contains { !$0.isOptional } ? own : parts) + past.filter { $0.kind == .event }
    }

    private func routes(of origin: Origin, in file: JSONValue) -> JSONValue? {
        file["origins"]?[origin.name]?["routes"]
    }

    /// Returns whether a story has written something.
    private func isAdded(_ position: JSONPosition) -> Bool {
        position.isKnown && position.document != base.position.document
    }

    private func isOptional(_ tree: JSONValue?) -> Bool {
        guard let tree, let optional = tree["optional"] else { return false }
        return isAdded(optional.position) && optional.bool == true
    }

    /// Returns whether the story expects that no such response is ever given: it waits for a client that makes a
    /// mistake.
    private func isForbidden(_ part: StoryPart, by expectations: [Expectation]) -> Bool {
        expectations.contains { expectation in
            guard case .exchanges(let pattern, let count, let relations, nil, nil) = expectation.content,
                count.atMost == 0, relations.isEmpty, pattern.isPlain, pattern.origin == part.origin,
                part.route?.exact == pattern.route.exact
            else { return false }
            return pattern.statuses.isEmpty || part.status.map(pattern.statuses.contains) ?? false
        }
    }

    // MARK: Responses

    private func responses(of route: Route, _ tree: JSONValue?, _ former: JSONValue?) -> [StoryPart] {
        guard let tree else { return [] }
        let key = route.key.text
        var parts = listed(in: route.responses, of: key, route, since: former)
        if let own = ownPart(of: route, tree, former) { parts.append(own) }
        let formerCases = former?["cases"]?.array ?? []
        for (number, (branch, tree)) in zip(route.cases, tree["cases"]?.array ?? []).enumerated() {
            guard isAdded(tree.position), !formerCases.contains(tree) else { continue }
            let name = "case \(number + 1) of \(key)"
            var own = listed(in: branch.responses, of: name, route, since: nil)
            if own.isEmpty, let response = branch.responses.own { own = [part(name, of: response, route)] }
            parts += own.map { $0.optional(if: isOptional(tree)) }
        }
        if parts.isEmpty { parts = lineParts(of: route, tree, former) }
        return parts.map { $0.optional(if: isOptional(tree)) }
    }

    private func listed(
        in sequence: ResponseSequence,
        of name: String,
        _ route: Route,
        since former: JSONValue?
    ) -> [StoryPart] {
        let known = former?["responses"]?.array ?? []
        return sequence.listed.enumerated().compactMap { number, response in
            guard isAdded(response.position), !known.contains(response.tree) else { return nil }
            var part = part("response \(number + 1) of \(name)", of: response, route)
            part.requests = number + 1
            return part.optional(if: isOptional(response.tree))
        }
    }

    /// The response of the route itself, where the story changes it; with a fault that the story gives it, the fault.
    private func ownPart(of route: Route, _ tree: JSONValue, _ former: JSONValue?) -> StoryPart? {
        guard let own = route.responses.own, route.responses.listed.isEmpty || route.responses.afterLast == .own
        else { return nil }
        let changed = changes(of: Set(StubResponse.ownKeys), in: tree, since: former)
        guard !changed.isEmpty || former == nil else { return nil }
        let key = route.key.text
        var part = part("the response of \(key)", of: own, route)
        if let first = changed.first { part.position = first.value.position }
        part.requests += route.responses.listed.count
        if let fault = own.fault, changed.contains(where: { $0.name == "fault" }) {
            part.name = "the fault \"\(fault.kind.rawValue)\" of \(key)"
        } else {
            // The backend's fault is not a part of the story.
            (part.kind, part.isRandom) = (.response, false)
        }
        return part
    }

    /// The story's settings for all responses of a route, such as their latency, if it adds no response to it.
    private func lineParts(of route: Route, _ tree: JSONValue, _ former: JSONValue?) -> [StoryPart] {
        changes(of: Set(StubResponse.routeKeys.map(\.name)), in: tree, since: former).map { member in
            let key = route.key.text
            var part = StoryPart(kind: .response, name: "the \(member.name) of \(key)", position: member.value.position)
            part.route = key
            // A case or a response that says it itself is left as it was.
            let cases = zip(route.cases, tree["cases"]?.array ?? []).filter {
                !Optional($1).memberNames.contains(member.name)
            }
            part.responses = ([route.responses] + cases.map(\.0.responses)).flatMap(\.all).filter { response in
                response.position == tree.position || !Optional(response.tree).memberNames.contains(member.name)
            }.map(\.position)
            return part
        }
    }

    /// The members with some of these names that the story writes, unless the backend has them word for word.
    private func changes(of names: Set<String>, in tree: JSONValue, since former: JSONValue?) -> [JSONObject.Member] {
        Optional(tree).members.filter { member in
            names.contains(member.name) && isAdded(member.namePosition) && former?[member.name] != member.value
        }
    }

    /// A response that the story adds; one with a fault is played only where the fault occurs.
    private func part(_ name: String, of response: StubResponse, _ route: Route) -> StoryPart {
        var part = StoryPart(kind: response.fault == nil ? .response : .fault, name: name, position: response.position)
        part.isRandom = response.fault?.isCertain == false
        (part.route, part.status, part.responses) = (route.key.text, response.status, [response.position])
        return part
    }

    // MARK: Events

    /// The events that the story adds to a list.
    private func events(
        _ entries: [(event: Event, trigger: TimelineEntry.Trigger?)],
        of key: String,
        _ list: String
    ) -> [StoryPart] {
        let trees = added(to: key)
        return entries.compactMap { event, trigger in
            guard let (number, verb, isOptional) = trees[event.position] else { return nil }
            let place = "event \(number) of \(list)"
            var part = StoryPart(kind: .event, name: "\(place) (\(verb))", position: event.position)
            if case .armFault(let fault, let route, let times) = event.action {
                part.kind = .fault
                part.name = "the fault \"\(fault.kind.rawValue)\" of \(route) (\(place))"
                part.route = route
                part.isRandom = !fault.isCertain
                // Of those that chance picks, one shows the client what the story is about.
                part.times = fault.isCertain ? times : 1
                part.requests = part.times
            }
            if case .tls = event.action { part.kind = .handshake }
            part.trigger = trigger
            return part.optional(if: isOptional)
        }
    }

    /// The events that the story adds to a list, by their places: number and what happens.
    private func added(to list: String) -> [JSONPosition: (number: Int, verb: String, isOptional: Bool)] {
        let known = base[list]?.array ?? []
        var found: [JSONPosition: (number: Int, verb: String, isOptional: Bool)] = [:]
        for (index, tree) in (root[list]?.array ?? []).enumerated() {
            guard isAdded(tree.position), !known.contains(tree) else { continue }
            let verb = Optional(tree).members.first { Event.isVerb($0.name) }
            let object = verb.flatMap { $0.value.string ?? $0.value.int.map(String.init) }
            let words = [verb?.name, object].compactMap(\.self).joined(separator: " ")
            found[tree.position] = (index + 1, words, isOptional(tree))
        }
        return found
    }
}

extension StoryPart {
    fileprivate func optional(if isOptional: Bool) -> StoryPart {
        var part = self
        if isOptional { part.isOptional = true }
        return part
    }
}

extension Fault {
    /// A Boolean value that indicates whether it strikes whenever it may.
    fileprivate var isCertain: Bool { probability >= 1 }
}

extension JSONValue {
    /// The places of the value and of everything in it.
    fileprivate var positions: Set<JSONPosition> {
        let inner = array ?? Optional(self).members.map(\.value)
        return inner.reduce(into: [position]) { $0.formUnion($1.positions) }
    }
}
