package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// One request and what was answered, as the journal keeps it.
package struct Exchange: Sendable {
    /// Counts from one in each session.
    package var number: UInt64
    /// When the request had arrived, on the session's clock.
    package var time = VirtualTime(seconds: 0)
    /// When it had arrived, on the machine's clock.
    package var arrival = MonotonicTime(nanoseconds: 0)
    /// The maximum time between its arrival and the server's notice, because the server was busy.
    package var lag = Duration.zero
    package var end: MonotonicTime?
    package var outcome = ExchangeOutcome.open
    package var connection: UInt64 = 0
    /// The launch of the client in which it came.
    package var launch = 1
    /// The process of the client that sent it, where several share the session.
    package var process: String?
    /// The other server that was asked; `nil` for the backend itself.
    package var origin: String?
    /// The gate that held it.
    package var hold: GateHold?

    package var request = HTTPRequest(target: "/")
    /// The key of the route that matched.
    package var route: String?
    /// The case or guard that answered.
    package var answeredBy: String?
    package var nearest: NearestRoute?
    package var response = HTTPResponse(status: HTTPStatus(200))
    package var fault: Fault.Kind?
    /// A Boolean value that indicates whether grants and changes took place.
    package var isCommitted = true
    /// The time for which the response was held back on purpose.
    package var wait = Duration.zero
    /// The time for which it was held after that in real time, so that what was sent before it was known came first.
    package var refusalHold = Duration.zero
    package var device: String?
    package var account: String?
    package var offered: [OfferedToken] = []
    /// The tokens handed out: kind, id (`nil` for null) and where each came from.
    package var granted: [GrantedToken] = []
    package var stateChanges: [Event.StateChange] = []
    package var findings: [Finding] = []
    /// The contract violations of the request and the response.
    package var violations: [Violation] = []
    /// The reason why the response breaks the contract on purpose.
    package var breaks: String?
    /// Its messages, if it is a stream.
    package var messages = StreamMessages()
    /// A Boolean value that indicates whether the response's body lies in the scenario anyway, so that keeping it costs
    /// nothing.
    var sharesBody = false
}

/// One start of the client, or of one of its processes.
package struct LaunchIdentity: Sendable, Hashable {
    package var process: String?
    package var number: Int
}

extension Exchange {
    package var launchIdentity: LaunchIdentity { LaunchIdentity(process: process, number: launch) }
}

/// The time that an exchange was held at a gate.
package struct GateHold: Sendable, Hashable {
    package var gate: String
    /// Real time.
    package var duration: Duration

    package init(gate: String, duration: Duration) {
        self.gate = gate
        self.duration = duration
    }
}

/// A token that a response handed out.
package struct GrantedToken: Sendable, Hashable {
    package var kind: String
    /// `nil` where null was handed out.
    package var id: String?
    package var source: Grant.Source
}

extension Exchange {
    /// The earliest moment at which the request can have been sent, as far as the server knows.
    package var begin: MonotonicTime { arrival.advanced(by: .zero - lag) }

    /// About how many bytes the journal keeps for it.
    var weight: Int { JournalEntry(self).weight }
}

extension JSONNumber {
    /// Milliseconds with up to three digits after the point.
    package static func milliseconds(_ duration: Duration) -> JSONNumber {
        decimal(duration.wholeMicroseconds)
    }

    /// Seconds with up to three digits after the point.
    static func seconds(_ duration: Duration) -> JSONNumber {
        decimal(duration.wholeMicroseconds / 1_000)
    }

    /// A thousandth of a whole number, exactly.
    private static func decimal(_ thousandths: Int64) -> JSONNumber {
        let magnitude = thousandths.magnitude
        let whole = "\(thousandths < 0 ? "-" : "")\(magnitude / 1_000)"
        let rest = magnitude % 1_000
        guard rest > 0 else { return JSONNumber(whole) ?? 0 }
        var digits = String(rest + 1_000).dropFirst()
        while digits.last == "0" { digits = digits.dropLast() }
        return JSONNumber("\(whole).\(digits)") ?? 0
    }
}

extension ItemPattern {
    /// The conditions that a stored item does not meet.
    ///
    /// - Throws: where it meets all that can be decided, and an expression needs too many steps.
    package func mismatches(
        of item: JSONValue
    ) throws(TextPattern.Undecided) -> [(pointer: JSONPointer, matcher: Matcher)] {
        var mismatches: [(pointer: JSONPointer, matcher: Matcher)] = []
        var undecided: TextPattern.Undecided?
        for condition in conditions {
            do throws(TextPattern.Undecided) {
                guard try !condition.matcher.isMet(by: condition.pointer.value(in: item)) else { continue }
                mismatches.append((condition.pointer, condition.matcher))
            } catch {
                undecided = error
            }
        }
        if let undecided, mismatches.isEmpty { throw undecided }
        return mismatches
    }
}

extension Matcher {
    /// Returns whether a value is as it should be; `nil` is a value that is not there.
    ///
    /// No value meets a matcher whose operand is only known while a request is answered.
    ///
    /// - Throws: where an expression needs too many steps, so that it is not known.
    package func isMet(by value: JSONValue?) throws(TextPattern.Undecided) -> Bool { try fits(value) }
}

extension Session {
    /// The devices of the session and the tokens of each, with values: only the admin API calls this.
    ///
    /// - Parameters:
    ///   - devices: how many devices are listed, the newest.
    ///   - tokens: how many tokens of each, the newest; a device says how many others it has.
    package func tokensJSON(at now: MonotonicTime, devices: Int = .max, tokens: Int = .max) -> JSONValue {
        let time = self.time(at: now)
        return [
            "now": .string(time.description),
            "devices": .array(
                ledger.devices.suffix(devices).map { device in
                    var object: JSONObject = [
                        "device": .string(device.name),
                        "account": .string(device.account),
                        "tokens": .array(ledger.tokens(of: device, newest: tokens).map { $0.json(at: time) }),
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
