package import JSON
import ScenarioFormat

/// What a session shows of itself to the admin API.
extension Session {
    package func clockJSON(at now: RealTime) -> JSONValue {
        var object = JSONObject()
        object["now"] = .string(time(at: now).description)
        object["start"] = .string(start.description)
        switch clock.mode {
        case .running(let rate):
            object["mode"] = "running"
            object["rate"] = JSONNumber(rate).map(JSONValue.number)
        case .frozen: object["mode"] = "frozen"
        case .automatic: object["mode"] = "automatic"
        }
        if clock.skew != .zero { object["skew"] = .string(DurationText.text(clock.skew)) }
        return .object(object)
    }

    package var statesJSON: JSONValue {
        var states = JSONObject()
        for state in stateValues {
            states[state.owner.map { "\(state.name) of \($0)" } ?? state.name] = .string(state.value)
        }
        return [
            "states": .object(states),
            "counters": .object(JSONObject(counterValues.map { ($0.name, JSONValue.number(JSONNumber($0.value))) })),
        ]
    }

    package var faultsJSON: JSONValue {
        [
            "armed": .array(
                armedFaults.map { armed in
                    [
                        "fault": .string(armed.fault.kind.rawValue),
                        "route": .string(armed.route),
                        "times": .number(JSONNumber(armed.remaining)),
                    ]
                }
            )
        ]
    }

    /// Forgets what has happened; numbers go on.
    package mutating func clearJournal() {
        journal.removeAll()
    }
}
