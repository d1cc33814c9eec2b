import HTTPCodec
package import JSON
import ScenarioFormat

extension Session {
    /// Every gate: what it waits for, what it has held, and who stands at it.
    package func gatesJSON(at now: RealTime) -> JSONValue {
        ["gates": .array(gates.posts.map { $0.json(at: max(now, latest)) })]
    }
}

extension GateState {
    fileprivate func json(at now: RealTime) -> JSONValue {
        var object = JSONObject()
        object["name"] = .string(gate.name)
        object["waitsFor"] = .string(account.waitsFor)
        if let timeout { object["opensInMilliseconds"] = .number(.milliseconds(timeout.since(now))) }
        object["timesLeft"] = .number(JSONNumber(max(0, gate.times - account.openings.count)))
        object["openings"] = .array(account.openings.map(\.json))
        object["held"] = .array(row.map { $0.json(at: now) })
        return .object(object)
    }
}

extension GateStatistics.Opening {
    fileprivate var json: JSONValue {
        [
            "cause": .string(cause.rawValue),
            "exchanges": .array(exchanges.map { .number(JSONNumber(Int(clamping: $0))) }),
        ]
    }
}

extension HeldRequest {
    fileprivate func json(at now: RealTime) -> JSONValue {
        var object = JSONObject()
        object["method"] = .string(request.method.rawValue)
        object["target"] = .string(request.target)
        if let exchange { object["exchange"] = .number(JSONNumber(Int(clamping: exchange))) }
        object["heldMilliseconds"] = .number(.milliseconds(now.since(arrival)))
        return .object(object)
    }
}
