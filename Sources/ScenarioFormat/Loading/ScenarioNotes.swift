import Basics
import JSON

/// The facts about the whole from reading the parts of a scenario, which are checked at the end.
struct ScenarioNotes {
    /// Every change of a state, and every test of one.
    var changedStates: [Event.StateChange] = []
    var testedStates: [(name: String, value: String, position: JSONPosition)] = []
    /// Every device that signs in by its name, and every other mention of one.
    var signedInDevices: [String] = []
    var mentionedDevices: [(name: String, position: JSONPosition)] = []
    /// The members that items have, and those that are used.
    var members = ItemMembers()
    var tls: Scenario.PlacedTLS = []

    mutating func add(_ other: ScenarioNotes) {
        changedStates += other.changedStates
        testedStates += other.testedStates
        signedInDevices += other.signedInDevices
        mentionedDevices += other.mentionedDevices
        members.add(other.members)
        tls += other.tls
    }

    /// Reports what no single part shows.
    func check(_ builder: inout ScenarioBuilder) {
        checkStatesAreEntered(&builder)
        checkDevicesSignIn(&builder)
        members.check(&builder)
    }

    /// Finds conditions on states and values that never come true, and values that nothing needs.
    private func checkStatesAreEntered(_ builder: inout ScenarioBuilder) {
        let entered = Set(changedStates.map { "\($0.name)=\($0.value)" })
        for (name, value, position) in testedStates {
            guard let initial = builder.names.states[name]?.first, value != initial,
                !entered.contains("\(name)=\(value)")
            else { continue }
            builder.report(
                "scenario/unreachable-state",
                "the state \"\(name)\" never becomes \"\(value)\", so this condition never holds",
                at: position,
                advice: "add {\"state\": {\"\(name)\": \"\(value)\"}} to a response's \"then\" or to the events",
                // A story that changes what its backend does need not change what its backend asks.
                severity: position.document == builder.root.position.document ? .error : .warning
            )
        }
        let tested = Set(testedStates.map { "\($0.name)=\($0.value)" })
        for member in builder.root["states"].members {
            for value in StateDeclaration.written(in: member.value).dropFirst() {
                guard let text = value.string, !entered.union(tested).contains("\(member.name)=\(text)") else {
                    continue
                }
                builder.report(
                    "scenario/idle-state",
                    "the value \"\(text)\" of the state \"\(member.name)\" is never set and never used",
                    at: value.position,
                    severity: .warning
                )
            }
        }
    }

    /// Finds devices that are mentioned under a name near to one that signs in.
    ///
    /// Requests may bring further devices, so that any other name could be right.
    private func checkDevicesSignIn(_ builder: inout ScenarioBuilder) {
        for (name, position) in mentionedDevices where !signedInDevices.contains(name.exact) {
            guard builder.root["devices"] == nil,
                let meant = Suggestion.nearest(to: name, among: signedInDevices)
            else { continue }
            builder.report(
                "scenario/unknown-device",
                "no device \"\(name)\" signs in here",
                at: position,
                advice: "did you mean \"\(meant)\"?",
                severity: .warning
            )
        }
    }
}
