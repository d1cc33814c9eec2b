package import JSON
import ScenarioFormat

extension Session {
    /// The devices of the session and every token of each, with values: who asks for them is at home here.
    package func tokensJSON(at now: RealTime) -> JSONValue {
        let time = self.time(at: now)
        return [
            "now": .string(time.description),
            "devices": .array(
                ledger.devices.map { device in
                    [
                        "device": .string(device.name),
                        "account": .string(device.account),
                        "tokens": .array(
                            ledger.tokens(of: device).map { $0.json(at: time) }
                        ),
                    ]
                }
            ),
        ]
    }
}

extension Token {
    fileprivate func json(at time: VirtualTime) -> JSONValue {
        var object = JSONObject()
        object["kind"] = .string(kind)
        object["id"] = .string(id)
        object["value"] = .string(value)
        object["state"] = .string(standing(now: time).rawValue)
        object["issuedAt"] = .string(issued.description)
        object["expiresAt"] = .string(expires.description)
        object["secondsLeft"] = .number(.seconds(expires - time))
        object["family"] = .number(JSONNumber(family))
        if let parent { object["parent"] = .string(parent) }
        return .object(object)
    }
}
