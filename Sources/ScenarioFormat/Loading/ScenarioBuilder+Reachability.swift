import Basics
import JSON

// What the file as a whole shows: names that are declared or used, and that nothing ever brings about.
extension ScenarioBuilder {
    /// Finds conditions on states and values that never come true, and values that nobody needs.
    mutating func checkStatesAreEntered() {
        let entered = Set(changedStates.map { "\($0.name)=\($0.value)" })
        for (name, value, position) in testedStates {
            guard let initial = stateValues[name]?.first, value != initial, !entered.contains("\(name)=\(value)") else {
                continue
            }
            report(
                "scenario/unreachable-state",
                "the state \"\(name)\" never becomes \"\(value)\", so this never holds",
                at: position,
                advice: "let a response's \"then\" or an event say {\"state\": {\"\(name)\": \"\(value)\"}}",
                // A story that changes what its backend does need not change what its backend asks.
                severity: position.document == root.position.document ? .error : .warning
            )
        }
        let tested = Set(testedStates.map { "\($0.name)=\($0.value)" })
        for member in root[ScenarioKeys.states] {
            for value in StateKeys.written(in: member.value).dropFirst() {
                guard let text = value.string, !entered.union(tested).contains("\(member.name)=\(text)") else {
                    continue
                }
                report(
                    "scenario/idle-state",
                    "nothing makes the state \"\(member.name)\" become \"\(text)\", and nothing asks for it",
                    at: value.position,
                    severity: .warning
                )
            }
        }
    }

    /// Finds devices that are mentioned under a name near to one that signs in.
    ///
    /// Requests may bring further devices, so that any other name could be right.
    mutating func checkDevicesSignIn() {
        for (name, position) in mentionedDevices where !signedInDevices.containsExactly(name) {
            guard !root.has(ScenarioKeys.devices), let meant = Suggestion.nearest(to: name, among: signedInDevices)
            else {
                continue
            }
            report(
                "scenario/unknown-device",
                "no device \"\(name)\" signs in here",
                at: position,
                advice: "did you mean \"\(meant)\"?",
                severity: .warning
            )
        }
    }
}
