import ScenarioFormat

extension Session {
    /// Goes on with another version of the scenario, and keeps what still has a meaning in it.
    ///
    /// Clock, tokens, journal and the counts of responses stay. States stay where the new version knows the state and
    /// the value, counters where it knows the counter. Items stay where the new version's collection begins with
    /// the same ones; any other collection starts anew. The past is not enacted again; the timeline is entered anew
    /// with what still lies ahead, and what an exchange has set off already stays on the agenda. Gates stay that have
    /// the same name, with whoever stands there; the others let go.
    package mutating func replace(_ stage: CompiledScenario, at now: RealTime) {
        leaveGates(missingIn: stage.scenario, at: now)
        let time = catchUp(at: now)
        let former = self.stage.scenario
        self.stage = stage
        let script = stage.script
        states = states.filter { key, value in script.stateScopes[key.name]?.values.contains(value) ?? false }
        let known = Dictionary(
            stage.scenario.counters.map { ($0.name, $0.start) },
            uniquingKeysWith: { first, _ in first }
        )
        counters = known.merging(counters.filter { known[$0.key] != nil }) { _, current in current }
        renewStore(after: former)
        sequences = sequences.filter { script.hasRoute($0.key.route) }
        armedFaults.removeAll { !script.hasRoute($0.route) }
        let parts = Set(stage.scenario.parts.map(\.name))
        plays = plays.filter { parts.contains($0.key) }
        heads.removeAll()
        agenda.removeTimedEvents()
        enterTimeline(after: time)
        enterGates(at: now)
    }
}
