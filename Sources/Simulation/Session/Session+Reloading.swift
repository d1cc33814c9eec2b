import ScenarioFormat

extension Session {
    /// Goes on with another version of the scenario, and keeps what still has a meaning in it.
    ///
    /// Clock, tokens, journal and the counts of replies stay. States stay where the new version knows the state and
    /// the value, counters where it knows the counter. The past is not enacted again; the timeline is entered anew
    /// with what still lies ahead.
    package mutating func replace(_ stage: CompiledScenario, at now: RealTime) {
        let time = catchUp(at: now)
        self.stage = stage
        states = states.filter { key, value in stage.stateScopes[key.name]?.values.contains(value) ?? false }
        let known = Dictionary(
            stage.scenario.counters.map { ($0.name, $0.start) },
            uniquingKeysWith: { first, _ in first }
        )
        counters = known.merging(counters.filter { known[$0.key] != nil }) { _, current in current }
        sequences = sequences.filter { stage.hasRoute($0.key.route) }
        armedFaults.removeAll { !stage.hasRoute($0.route) }
        agenda.removeEvents()
        for entry in stage.scenario.timeline {
            guard case .at(let delay) = entry.trigger, start + delay > time else { continue }
            agenda.add(.event(entry.event), due: start + delay)
        }
    }
}
