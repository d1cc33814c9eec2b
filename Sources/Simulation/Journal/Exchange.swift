package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

/// One request and what was answered, as the journal keeps it.
package struct Exchange: Sendable {
    /// The end of an exchange on the wire.
    package enum Outcome: String, Sendable {
        case open
        case sent
        case clientGone
        case faulted
    }

    /// Counts from one in each session.
    package var number: UInt64
    /// When the request had arrived, on the session's clock.
    package var time: VirtualTime
    /// When it had arrived, on the machine's clock.
    package var arrival: RealTime
    /// The maximum time between its arrival and the server's notice, because the server was busy.
    package var lag = Duration.zero
    package var end: RealTime?
    package var outcome = Outcome.open
    package var connection: UInt64
    /// The launch of the client in which it came.
    package var launch = 1
    /// The process of the client that sent it, where several share the session.
    package var process: String?
    /// The other server that was asked; `nil` for the backend itself.
    package var origin: String?
    /// The gate that held it.
    package var hold: GateHold?

    package var request: HTTPRequest
    /// The key of the route that matched.
    package var route: String?
    /// The case or guard that answered.
    package var answeredBy: String?
    package var nearest: NearestRoute?
    package var response: HTTPResponse
    package var fault: Fault.Kind?
    /// A Boolean value that indicates whether grants and changes took place.
    package var isCommitted: Bool
    /// The time for which the response was held back on purpose.
    package var wait: Duration
    /// The time for which it was held after that in real time, so that what was sent before it was known came first.
    package var refusalHold = Duration.zero
    package var device: String?
    package var account: String?
    package var offered: [OfferedToken]
    /// The tokens handed out: kind, id (`nil` for null) and where each came from.
    package var granted: [GrantedToken]
    package var stateChanges: [Event.StateChange]
    package var findings: [Finding]
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
    package var begin: RealTime { arrival.shifted(by: .zero - lag) }

    /// About how many bytes the journal keeps for it.
    var weight: Int { JournalEntry(self).weight }
}

extension Exchange {
    /// The exchange as JSON.
    ///
    /// - Parameters:
    ///   - isCanonical: leaves out what differs between two runs of the same scenario: wall time, connection, how the
    ///     exchange ended, and wherever the server's port stands in the request.
    ///   - epoch: the real time from which arrivals are counted; without one they are omitted.
    package func json(canonical isCanonical: Bool = false, since epoch: RealTime? = nil) -> JSONValue {
        var object = JSONObject()
        object["number"] = .number(JSONNumber(Int(clamping: number)))
        object["time"] = .string(time.description)
        if !isCanonical {
            if let epoch { object["arrivedMilliseconds"] = .number(.milliseconds(arrival.offset(from: epoch))) }
            if lag > .zero { object["lagMilliseconds"] = .number(.milliseconds(lag)) }
            object["connection"] = .number(JSONNumber(Int(clamping: connection)))
            object["outcome"] = .string(outcome.rawValue)
            if let end { object["wallMilliseconds"] = .number(JSONNumber.milliseconds(end.since(arrival))) }
            if refusalHold > .zero { object["holdMilliseconds"] = .number(.milliseconds(refusalHold)) }
        }
        if launch != 1 { object["launch"] = .number(JSONNumber(launch)) }
        if let process { object["process"] = .string(process) }
        if let origin { object["origin"] = .string(origin) }
        object["method"] = .string(request.method.rawValue)
        object["target"] = .string(isCanonical ? request.originForm : request.target)
        object["path"] = .string(request.path)
        object["route"] = route.map(JSONValue.string) ?? .null
        if let answeredBy { object["answeredBy"] = .string(answeredBy) }
        if let nearest {
            object["nearest"] = ["route": .string(nearest.route), "difference": .string(nearest.difference)]
        }
        object["status"] = .number(JSONNumber(response.status.code))
        if let fault { object["fault"] = .string(fault.rawValue) }
        if !isCommitted { object["committed"] = false }
        if let hold { object["gate"] = hold.json(canonical: isCanonical) }
        if wait > .zero { object["waitMilliseconds"] = .number(.milliseconds(wait)) }
        if let device { object["device"] = .string(device) }
        if let account { object["account"] = .string(account) }
        object["tokens"] = .array(offered.map(\.json))
        if !granted.isEmpty { object["granted"] = .array(granted.map(\.json)) }
        if !stateChanges.isEmpty {
            object["states"] = .object(
                JSONObject(stateChanges.map { ($0.name, JSONValue.string($0.value)) })
            )
        }
        if !findings.isEmpty { object["findings"] = .array(findings.map { .string($0.description) }) }
        if !violations.isEmpty { object["violations"] = .array(violations.map(\.json)) }
        if let breaks { object["breaks"] = .string(breaks) }
        if !messages.isEmpty { object["messages"] = messages.json(canonical: isCanonical, since: epoch) }
        if messages.dropped > 0 { object["droppedMessages"] = .number(JSONNumber(messages.dropped)) }
        var asked = message(request.fields, request.body, canonical: isCanonical)
        if request.version != .http11 { asked["version"] = .string(request.version.description) }
        if !request.trailers.isEmpty { asked["trailers"] = Self.list(request.trailers) }
        object["request"] = .object(asked)
        object["response"] = .object(message(response.fields, response.body, canonical: isCanonical))
        return .object(object)
    }

    private func message(_ fields: HTTPFields, _ body: [UInt8], canonical isCanonical: Bool) -> JSONObject {
        var object = JSONObject()
        object["headers"] = Self.list(
            fields.filter { !isCanonical || !Self.fieldsWithPort.contains($0.lowercased()) }
        )
        if !body.isEmpty { object["body"] = Self.body(body) }
        return object
    }

    private static func list(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { [.string($0.name), .string($0.value)] })
    }

    /// The maximum depth of a body that is written as JSON, so that the whole document can be read again.
    private static let bodyDepth = 480

    private static let fieldsWithPort: Set<String> = ["host", "origin", "referer"]

    /// A body as what it is: JSON, text, or bytes in Base64.
    private static func body(_ bytes: [UInt8]) -> JSONValue {
        if let document = try? JSONParser(maximumDepth: bodyDepth).parse(bytes) { return ["json": document.root] }
        if let text = String(validUTF8: bytes) { return ["text": .string(text)] }
        return ["base64": .string(Base64.encode(bytes))]
    }
}

extension HTTPRequest {
    /// The target without the authority that an absolute-form has (RFC 9112, section 3.2).
    fileprivate var originForm: String {
        targetAuthority == nil ? target : query.map { "\(path)?\($0)" } ?? path
    }
}

extension GateHold {
    fileprivate func json(canonical isCanonical: Bool) -> JSONValue {
        var object = JSONObject()
        object["name"] = .string(gate)
        if !isCanonical { object["heldMilliseconds"] = .number(.milliseconds(duration)) }
        return .object(object)
    }
}

extension OfferedToken {
    var json: JSONValue {
        var object = JSONObject()
        object["kind"] = .string(kind ?? wanted)
        if let kind, kind != wanted { object["wanted"] = .string(wanted) }
        object["id"] = id.map(JSONValue.string) ?? .null
        object["state"] = .string(standing.rawValue)
        if let isAccepted { object["accepted"] = .bool(isAccepted) }
        if let device { object["device"] = .string(device) }
        if let age { object["ageSeconds"] = .number(.seconds(age)) }
        if let timeLeft { object["secondsLeft"] = .number(.seconds(timeLeft)) }
        return .object(object)
    }
}

extension GrantedToken {
    fileprivate var json: JSONValue {
        ["kind": .string(kind), "id": id.map(JSONValue.string) ?? .null, "source": .string(source.rawValue)]
    }
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
    package func tokensJSON(at now: RealTime, devices: Int = .max, tokens: Int = .max) -> JSONValue {
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
