package import Basics
package import JSON
import ScenarioFormat

extension Session {
    /// The devices of the session and the tokens of each, with values: only the admin API calls this.
    ///
    /// - Parameters:
    ///   - devices: how many devices are listed, the newest.
    ///   - tokens: how many tokens of each, the newest; a device says how many others it has.
    package func tokensJSON(at now: MonotonicTime, devices: Int = .max, tokens: Int = .max) -> JSONValue {
        backend.ledger.json(at: time(at: now), devices: devices, tokens: tokens, backend.foreignTokens)
    }
}

extension TokenLedger {
    fileprivate func json(at time: VirtualTime, devices limit: Int, tokens: Int, _ foreign: ForeignTokens) -> JSONValue
    {
        [
            "now": .string(time.description),
            "devices": .array(
                devices.suffix(limit).map { device in
                    var object: JSONObject = [
                        "device": .string(device.name),
                        "account": .string(device.account),
                        "tokens": .array(
                            self.tokens(of: device, newest: tokens).map {
                                $0.json(at: time, value: foreign.text($0.value))
                            }
                        ),
                    ]
                    let omitted = device.tokens.count - tokens
                    if omitted > 0 { object["omitted"] = .number(JSONNumber(omitted)) }
                    return .object(object)
                }
            ),
        ]
    }
}

extension Token {
    /// - Parameter value: The value as it is shown.
    fileprivate func json(at time: VirtualTime, value: String) -> JSONValue {
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
