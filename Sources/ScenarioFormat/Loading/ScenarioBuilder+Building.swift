import Basics
import JSON

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
        scenario.tokens = tokenRules()
        (scenario.earlyGuards, scenario.lateGuards) = guards()
        scenario.unmatched = root[ScenarioKeys.unmatched].map { fallback($0) }
        scenario.wrongMethod = root[ScenarioKeys.wrongMethod].map { fallback($0) }
        scenario.invalidRequest = root[ScenarioKeys.invalidRequest].map { response($0) }
        scenario.routes = routes(root[ScenarioKeys.routes])
        scenario.origins = origins()
        scenario.gates = gates(of: scenario.routes)
        scenario.given = given()
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
            reproduces: root[ScenarioKeys.reproduces],
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
            let idle = [root.member(ScenarioKeys.undocumented), root.member(ScenarioKeys.fill)].compactMap(\.self)
            for member in idle {
                report(
                    "scenario/idle-key",
                    "\"\(member.name)\" means nothing without a \"contract\"",
                    at: member.namePosition,
                    severity: .warning
                )
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
            if let first = known.updateValue(member.name, forKey: number) {
                report(
                    "scenario/rival-keys",
                    "\"\(first)\" and \"\(member.name)\" are the same rule; keep one",
                    at: member.namePosition
                )
            }
            return Exemption(rule: member.name, reason: reason, position: member.namePosition)
        }
    }

    /// The numbers of the rules that a client with the story's bugs fails.
    mutating func bugClasses() -> [String] {
        var known: [String: String] = [:]
        return root[ScenarioKeys.bugClasses].compactMap { written in
            guard let name = written.string, let number = RuleNames.number(of: name) else { return nil }
            guard let first = known.updateValue(name, forKey: number) else { return number }
            report(
                "scenario/rival-keys",
                "\"\(first)\" and \"\(name)\" are the same rule; keep one",
                at: written.position
            )
            return nil
        }
    }

    /// Finds what a story wants to be sent by a client that it wants to send nothing.
    mutating func checkSilence(of expectations: [Expectation]) {
        guard root[ScenarioKeys.silent] else { return }
        for expectation in expectations where expectation.content.wantsRequests {
            report(
                "scenario/broken-silence",
                "this wants a request, but the story is silent",
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
