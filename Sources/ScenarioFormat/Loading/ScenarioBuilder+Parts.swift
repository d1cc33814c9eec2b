import Basics
import JSON

extension ScenarioBuilder {
    /// What the story adds to its backend, in the order of responses, faults of the past, and events.
    ///
    /// What the backend has word for word is the backend's, because an array that a story changes is written out as a
    /// whole. Left out as well is what the author marks with `"optional": true`, what the story expects never to happen,
    /// and what chance decides. Guards,
    /// refusals of tokens and responses without a route are no parts: they answer mistakes.
    ///
    /// A variant has to play what it adds itself, and so has a story that extends another one; where it adds nothing, it
    /// has to play what the story below adds.
    ///
    /// - Parameter variant: the change that the variant is; `nil` for the story itself.
    func storyParts(of scenario: Scenario, variant: JSONValue?) -> [StoryPart] {
        guard root.has(ScenarioKeys.extends) else { return [] }
        var parts: [StoryPart] = []
        for route in scenario.routes {
            let (tree, former) = (root.written(ScenarioKeys.routes), base.written(ScenarioKeys.routes))
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
        parts += pastFaults(of: scenario) + timelineParts(of: scenario)
        let written = variant?.positions
        let own = parts.filter { part in
            written?.contains(part.position) ?? (part.position.document == root.position.document)
        }
        return own.isEmpty ? parts : own
    }

    private func routes(of origin: Origin, in file: JSONValue) -> JSONValue? {
        file.written(ScenarioKeys.origins)?[origin.name]?.written(OriginKeys.routes)
    }

    /// Whether a story has written something.
    private func isAdded(_ position: JSONPosition) -> Bool {
        position.isKnown && position.document != base.position.document
    }

    private func isOptional(_ tree: JSONValue?) -> Bool {
        guard let tree, let optional = tree.written(ResponseKeys.optional) else { return false }
        return isAdded(optional.position) && tree[ResponseKeys.optional]
    }

    /// Whether the story expects that no such response is ever given: it waits for a client that makes a mistake.
    private func isForbidden(_ part: StoryPart, by expectations: [Expectation]) -> Bool {
        expectations.contains { expectation in
            guard case .exchanges(let pattern, let count, let relations, nil, nil) = expectation.content,
                count.atMost == 0, relations.isEmpty, pattern.isPlain, pattern.origin == part.origin,
                part.route.map(pattern.route.hasSameUTF8) ?? false
            else { return false }
            return pattern.statuses.isEmpty || part.status.map(pattern.statuses.contains) ?? false
        }
    }

    // MARK: Responses

    private func responses(of route: Route, _ tree: JSONValue?, _ former: JSONValue?) -> [StoryPart] {
        guard let tree, !isOptional(tree) else { return [] }
        let key = route.key.text
        var parts = listed(in: route.responses, of: key, route, besides: former)
        if let own = ownPart(of: route, tree) { parts.append(own) }
        let formerCases = former[RouteKeys.cases]
        for (number, (branch, tree)) in zip(route.cases, tree[RouteKeys.cases]).enumerated() {
            guard isAdded(tree.position), !isOptional(tree), !formerCases.contains(tree) else { continue }
            let name = "case \(number + 1) of \(key)"
            parts += listed(in: branch.responses, of: name, route, besides: nil)
            guard branch.responses.listed.isEmpty else { continue }
            if let own = branch.responses.own { parts.append(part(.response, name, of: own, route)) }
        }
        return parts
    }

    private func listed(
        in sequence: ResponseSequence,
        of name: String,
        _ route: Route,
        besides former: JSONValue?
    ) -> [StoryPart] {
        let known = former[SequenceKeys.responses]
        return sequence.listed.enumerated().compactMap { number, response in
            guard isAdded(response.position), !isOptional(response.tree), !known.contains(response.tree) else {
                return nil
            }
            return part(.response, "response \(number + 1) of \(name)", of: response, route)
        }
    }

    /// The response of the route itself, where the story changes it; with a fault that the story gives it, the fault.
    private func ownPart(of route: Route, _ tree: JSONValue) -> StoryPart? {
        guard let own = route.responses.own, route.responses.listed.isEmpty else { return nil }
        let changed = Optional(tree).members.filter { ResponseKeys.own.contains($0.name) && isAdded($0.namePosition) }
        if let fault = own.fault, changed.contains(where: { $0.name == ResponseKeys.fault.name }) {
            guard fault.isCertain else { return nil }
            let name = "the fault \"\(fault.kind.rawValue)\" of \(route.key.text)"
            return part(.fault, name, of: own, route)
        }
        // Only a case of the file below can hide it.
        guard !changed.isEmpty, let cases = tree.written(RouteKeys.cases), !isAdded(cases.position) else { return nil }
        return part(.response, "the response of \(route.key.text)", of: own, route, .unlessUnasked)
    }

    private func part(
        _ kind: StoryPart.Kind,
        _ name: String,
        of response: StubResponse,
        _ route: Route,
        _ demand: StoryPart.PlayRequirement = .always
    ) -> StoryPart {
        var part = StoryPart(kind: kind, demand: demand, name: name, position: response.position, route: route.key.text)
        part.status = response.status
        return part
    }

    // MARK: Events

    private func pastFaults(of scenario: Scenario) -> [StoryPart] {
        let trees = added(to: ScenarioKeys.given)
        return scenario.given.compactMap { entry in
            guard let (number, _) = trees[entry.event.position],
                case .armFault(let fault, let route, _) = entry.event.action,
                fault.isCertain
            else { return nil }
            let name = "the fault \"\(fault.kind.rawValue)\" of \(route) (event \(number) of given)"
            return StoryPart(kind: .fault, demand: .always, name: name, position: entry.event.position, route: route)
        }
    }

    private func timelineParts(of scenario: Scenario) -> [StoryPart] {
        let trees = added(to: ScenarioKeys.timeline)
        return scenario.timeline.compactMap { entry in
            let position = entry.event.position
            guard let (number, verb) = trees[position] else { return nil }
            let place = "event \(number) of the timeline"
            var part = StoryPart(kind: .event, demand: .always, name: "\(place) (\(verb))", position: position)
            if case .armFault(let fault, let route, _) = entry.event.action, fault.isCertain {
                part.kind = .fault
                part.name = "the fault \"\(fault.kind.rawValue)\" of \(route) (\(place))"
                part.route = route
            }
            part.trigger = entry.trigger
            return part
        }
    }

    /// The events that the story adds to a list, by their places: number and what happens.
    private func added(to list: Key<[JSONValue]>) -> [JSONPosition: (number: Int, verb: String)] {
        let known = base[list]
        var found: [JSONPosition: (number: Int, verb: String)] = [:]
        for (index, tree) in root[list].enumerated() {
            guard isAdded(tree.position), !isOptional(tree), !known.contains(tree) else { continue }
            let verb = Optional(tree).members.first { Event.isVerb($0.name) }
            let object = verb.flatMap { $0.value.string ?? $0.value.int.map(String.init) }
            found[tree.position] = (index + 1, [verb?.name, object].compactMap(\.self).joined(separator: " "))
        }
        return found
    }
}

extension ExchangePattern {
    /// Whether it asks for nothing but a route and statuses.
    fileprivate var isPlain: Bool {
        launch == nil && device == nil && tokens.isEmpty && condition.isEmpty
    }
}

extension Condition {
    fileprivate var isEmpty: Bool {
        if case .all(let conditions) = self { conditions.allSatisfy(\.isEmpty) } else { false }
    }
}

extension Fault {
    /// Whether it strikes whenever it may.
    fileprivate var isCertain: Bool { probability >= 1 }
}

extension JSONValue {
    /// The places of the value and of everything in it.
    fileprivate var positions: Set<JSONPosition> {
        let inner = array ?? Optional(self).members.map(\.value)
        return inner.reduce(into: [position]) { $0.formUnion($1.positions) }
    }
}

extension ScenarioBuilder {
    /// Reads everything; what is wrong is among the findings.
    mutating func build() -> Scenario {
        var scenario = Scenario(backend: root[ScenarioKeys.backend] ?? "")
        scenario.story = story()
        scenario.contract = contract()
        scenario.undocumented = root[ScenarioKeys.undocumented]
        scenario.fill = root[ScenarioKeys.fill]
        scenario.clock = clock()
        scenario.refusalHold = root[ScenarioKeys.holdRefusals]
        scenario.seed = UInt64(clamping: root[ScenarioKeys.seed])
        scenario.accounts = root[ScenarioKeys.accounts].map {
            Account(name: $0.name, data: JSONObject(Optional($0.value).members))
        }
        scenario.deviceHeader = root[ScenarioKeys.devices][DevicesKeys.header]
        scenario.states = states()
        scenario.counters = root[ScenarioKeys.counters].map {
            CounterDeclaration(name: $0.name, start: $0.value.number?.int ?? 0)
        }
        scenario.collections = collections()
        line = LineDefaults(root[ScenarioKeys.defaults], over: LineDefaults(), builder: &self)
        line.headers = headers(root[ScenarioKeys.defaults][DefaultsKeys.headers], over: [])
        scenario.crossOrigin = crossOrigin()
        scenario.issuerPosition = base.written(ScenarioKeys.issuer)?.position
        scenario.tokens = tokenRules()
        (scenario.earlyGuards, scenario.lateGuards) = guards()
        scenario.unmatched = root[ScenarioKeys.unmatched].map { fallback($0) }
        scenario.wrongMethod = root[ScenarioKeys.wrongMethod].map { fallback($0) }
        scenario.invalidRequest = root[ScenarioKeys.invalidRequest].map { response($0) }
        scenario.routes = routes(root[ScenarioKeys.routes])
        scenario.origins = origins()
        scenario.gates = gates(of: scenario.routes)
        scenario.given = given()
        scenario.processes = root[ScenarioKeys.processes].compactMap { member in
            let beginning = member.value.string.flatMap(ProcessDeclaration.Beginning.init(rawValue:))
            return beginning.map { ProcessDeclaration(name: member.name, beginning: $0) }
        }
        scenario.timeline = timeline()
        scenario.expectations = expectations()
        scenario.exemptions = exemptions()
        checkSilence(of: scenario.expectations)
        checkStatesAreEntered()
        checkDevicesSignIn()
        checkItemMembers()
        return scenario
    }

    private mutating func story() -> Story? {
        if let object = base.object, !base.has(ScenarioKeys.backend), !base.has(ScenarioKeys.extends) {
            let meant = Suggestion.nearest(to: "backend", among: object.names)
            report(
                "scenario/missing-key",
                "this is neither a backend, which has \"backend\", nor a story, which has \"extends\"",
                at: base.position,
                advice: meant.map { "did you mean \"backend\" by \"\($0)\"?" }
            )
        } else if base.has(ScenarioKeys.backend), !root.has(ScenarioKeys.backend) {
            report("scenario/missing-key", "a story can rename its \"backend\", but not remove it", at: root.position)
        }
        let isStory = root.has(ScenarioKeys.extends)
        guard isStory || root.has(ScenarioKeys.id) else { return nil }
        for key in [ScenarioKeys.id, ScenarioKeys.title] where isStory && !root.has(key) {
            report("scenario/missing-key", "a story needs \"\(key.name)\"", at: root.position)
        }
        return Story(
            id: root[ScenarioKeys.id] ?? "",
            title: root[ScenarioKeys.title] ?? "",
            about: root[ScenarioKeys.about] ?? "",
            reproduces: reproduced(),
            bugClasses: bugClasses(),
            isUIOnly: root[ScenarioKeys.uiOnly],
            isSilent: root[ScenarioKeys.silent]
        )
    }

    private mutating func clock() -> ClockSettings {
        guard let tree = root[ScenarioKeys.clock] else { return ClockSettings() }
        var settings = ClockSettings()
        settings.start = tree[ClockKeys.start]
        settings.mode = .running(rate: tree[ClockKeys.rate])
        if tree[ClockKeys.frozen] { settings.mode = .frozen }
        if tree[ClockKeys.automatic] {
            if tree[ClockKeys.frozen], let position = tree.written(ClockKeys.automatic)?.position {
                report("scenario/rival-keys", "a frozen clock cannot be automatic; keep one", at: position)
            }
            settings.mode = .automatic
        }
        settings.skew = tree[ClockKeys.skew]
        return settings
    }

    private mutating func states() -> [StateDeclaration] {
        root[ScenarioKeys.states].map { member in
            StateDeclaration(
                name: member.name,
                values: stateValues[member.name] ?? [],
                scope: member.value[StateKeys.per]
            )
        }
    }

    /// The contract that the scenario names; whether it can be read is found when it is read.
    mutating func contract() -> ContractReference? {
        guard let tree = root[ScenarioKeys.contract] else {
            for idle in [root.member(ScenarioKeys.undocumented), root.member(ScenarioKeys.fill)] {
                reportIdle(idle, "without a \"contract\"", severity: .warning)
            }
            return nil
        }
        guard let name = tree.string, FilePath.isPath(name) else { return nil }
        do {
            let path = try assets.locate(name, from: sources.path(of: tree.position) ?? "")
            return ContractReference(path: path, position: tree.position)
        } catch {
            report("scenario/contract", error.message, at: tree.position, advice: error.advice)
            return nil
        }
    }

    mutating func exemptions() -> [Exemption] {
        var known: [String: String] = [:]
        return root[ScenarioKeys.exceptions].compactMap { member in
            guard let reason = member.value.string, let number = RuleNames.number(of: member.name) else {
                return nil
            }
            let first = known.updateValue(member.name, forKey: number)
            expectOther(rule: member.name, than: first, at: member.namePosition)
            return Exemption(rule: member.name, reason: reason, position: member.namePosition)
        }
    }

    /// The bugs that the story brings back; where the backend says which there are, each is one of them.
    private mutating func reproduced() -> [String] {
        let known = root[ScenarioKeys.bugs].map(\.name)
        if !known.isEmpty, let written = root.written(ScenarioKeys.reproduces) {
            for tree in written.array ?? [written] {
                if let name = tree.string { expect(name, among: known, as: "bug", at: tree.position) }
            }
        }
        return root[ScenarioKeys.reproduces]
    }

    /// The numbers of the rules that a client with the story's bugs fails.
    mutating func bugClasses() -> [String] {
        var known: [String: String] = [:]
        return root[ScenarioKeys.bugClasses].compactMap { written in
            guard let name = written.string, let number = RuleNames.number(of: name) else { return nil }
            let first = known.updateValue(name, forKey: number)
            expectOther(rule: name, than: first, at: written.position)
            return first == nil ? number : nil
        }
    }

    private mutating func expectOther(rule name: String, than first: String?, at position: JSONPosition) {
        guard let first else { return }
        report("scenario/rival-keys", "\"\(first)\" and \"\(name)\" are the same rule; keep one", at: position)
    }

    /// Finds requests that a story expects of a client that is to send nothing.
    mutating func checkSilence(of expectations: [Expectation]) {
        guard root[ScenarioKeys.silent] else { return }
        for expectation in expectations where expectation.content.wantsRequests {
            report(
                "scenario/broken-silence",
                "this requires a request, but the story is silent",
                at: expectation.position,
                advice: "expect \"count\": 0, or leave out \"silent\""
            )
        }
    }
}

extension Expectation.Content {
    fileprivate var wantsRequests: Bool {
        switch self {
        case .exchanges(_, let count, _, _, _): count.atLeast > 0
        case .order: true
        default: false
        }
    }
}
