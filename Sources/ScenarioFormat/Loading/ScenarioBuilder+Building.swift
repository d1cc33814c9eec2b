import Basics
import JSON

extension ScenarioBuilder {
    /// Reads everything; what is wrong is among the findings.
    mutating func build() -> Scenario {
        var scenario = Scenario(backend: root["backend"]?.string ?? "")
        scenario.story = story()
        scenario.contract = contract()
        scenario.undocumented = root["undocumented"]?.string.flatMap(UndocumentedRule.init)
        scenario.fill = root["fill"]?.string.flatMap(FillRule.init) ?? .off
        scenario.clock = clock()
        scenario.refusalHold = root["holdRefusals"]?.string.flatMap(DurationText.parse)
        scenario.seed = UInt64(clamping: root["seed"]?.number?.int ?? 1)
        scenario.accounts = root["accounts"].members.map {
            Account(name: $0.name, data: JSONObject(Optional($0.value).members))
        }
        scenario.deviceHeader = root["devices"]?["header"]?.string
        scenario.states = states()
        scenario.counters = root["counters"].members.map {
            CounterDeclaration(name: $0.name, start: $0.value.number?.int ?? 0)
        }
        scenario.collections = collections()
        line = LineDefaults(root["defaults"], over: LineDefaults(), builder: &self)
        line.headers = headers(root["defaults"]?["headers"], over: [])
        scenario.tokens = tokenRules()
        (scenario.earlyGuards, scenario.lateGuards) = guards()
        scenario.unmatched = root["unmatched"].map { fallback($0) }
        scenario.wrongMethod = root["wrongMethod"].map { fallback($0) }
        scenario.invalidRequest = root["invalidRequest"].map { response($0) }
        scenario.routes = routes(root["routes"])
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
        if let object = base.object, object["backend"] == nil, object["extends"] == nil {
            let meant = Suggestion.nearest(to: "backend", among: object.names)
            report(
                "scenario/missing-key",
                "this is neither a backend, which has \"backend\", nor a story, which has \"extends\"",
                at: base.position,
                advice: meant.map { "did you mean \"backend\" by \"\($0)\"?" }
            )
        } else if base["backend"] != nil, root["backend"] == nil {
            report("scenario/missing-key", "a story can rename its \"backend\", but not remove it", at: root.position)
        }
        if root["extends"] == nil {
            guard root["id"] != nil else { return nil }
        } else {
            for key in ["id", "title"] where root[key] == nil {
                report("scenario/missing-key", "a story needs \"\(key)\"", at: root.position)
            }
        }
        let reproduces = root["reproduces"]
        return Story(
            id: root["id"]?.string ?? "",
            title: root["title"]?.string ?? "",
            about: root["about"]?.string ?? "",
            reproduces: reproduces?.string.map { [$0] } ?? reproduces?.array?.compactMap(\.string) ?? [],
            bugClasses: bugClasses(),
            isUIOnly: root["uiOnly"]?.bool ?? false,
            isSilent: root["silent"]?.bool ?? false
        )
    }

    private mutating func clock() -> ClockSettings {
        guard let tree = root["clock"] else { return ClockSettings() }
        var settings = ClockSettings()
        settings.start = tree["start"]?.string.flatMap(VirtualTime.init)
        if let rate = tree["rate"]?.number?.double { settings.mode = .running(rate: rate) }
        if tree["frozen"]?.bool == true { settings.mode = .frozen }
        if tree["automatic"]?.bool == true {
            if tree["frozen"]?.bool == true, let position = tree["automatic"]?.position {
                report("scenario/rival-keys", "a frozen clock cannot be automatic; keep one", at: position)
            }
            settings.mode = .automatic
        }
        settings.skew = tree["skew"]?.string.flatMap(DurationText.parseSigned) ?? .zero
        return settings
    }

    private mutating func states() -> [StateDeclaration] {
        root["states"].members.map { member in
            let values = stateValues[member.name] ?? []
            return StateDeclaration(
                name: member.name,
                values: values,
                scope: member.value["per"]?.string.flatMap(StateDeclaration.Scope.init) ?? .session
            )
        }
    }
}
