package import Basics
package import HTTPCodec
package import JSON
package import ScenarioFormat

extension Exchange {
    /// The exchange as JSON.
    ///
    /// A body that was written as JSON is read as that JSON without white space; all others are read byte by byte.
    ///
    /// - Parameters:
    ///   - isCanonical: leaves out what differs between two runs of the same scenario: wall time, connection, how the
    ///     exchange ended, and wherever the server's port stands in the request.
    ///   - epoch: the real time from which arrivals are counted; without one they are omitted.
    package func json(canonical isCanonical: Bool = false, since epoch: MonotonicTime? = nil) -> JSONValue {
        json(in: RecordedStyle(since: epoch, isCanonical: isCanonical))
    }
}

extension Exchange: RecordedObject {
    package init() { self.init(number: 0) }

    package mutating func list(in form: inout RecordedForm) {
        var details = self.details?.content ?? ExchangeDetails.Content()
        form.member("number", &number)
        form.member("time", &time)
        if !form.style.isCanonical {
            if form.style.epoch != nil { form.member("arrivedMilliseconds", &arrival) }
            form.member("lagMilliseconds", &lag, in: .milliseconds)
            form.member("connection", &connection)
            form.member("outcome", &outcome)
            var wall = end.map { $0.since(arrival) }
            form.member("wallMilliseconds", &wall, in: .milliseconds)
            if form.isReading { end = wall.map(arrival.advanced(by:)) }
            form.member("holdMilliseconds", &details.refusalHold, in: .milliseconds)
        }
        form.member("launch", &launch, unless: 1)
        form.require(launch > 0, ["launch"], "requires a launch number, starting at 1, not \(launch)")
        form.member("process", &details.process)
        form.member("origin", &details.origin)
        var (method, target) = (request.method, form.style.isCanonical ? request.originForm : request.target)
        form.member("method", &method)
        form.member("target", &target)
        var isSecure = request.isSecure
        if !form.style.isCanonical { form.member("secure", &isSecure, unless: false) }
        form.note("path", request.path)
        form.member("route", &route, orNull: true)
        form.member("answeredBy", &details.answeredBy)
        form.member("nearest", &details.nearest)
        var status = message.status
        form.member("status", &status)
        form.member("fault", &details.fault)
        form.member("armedFault", &details.armedFault)
        form.member("committed", &details.isCommitted, unless: true)
        form.member("gate", &details.hold)
        form.member("waitMilliseconds", &details.wait, in: .milliseconds)
        form.member("device", &details.device)
        form.member("account", &details.account)
        form.member("tokens", &details.offered, or: [])
        form.member("granted", &details.granted, unless: [])
        var states = details.stateChanges.byName
        form.member("states", &states, unless: [:])
        for state in states.members {
            let isText = state.value.string != nil
            form.require(isText, ["states", state.name], "requires a string, not \(state.value.kindName)")
        }
        details.stateChanges.byName = states
        form.member("findings", &details.findings.described, unless: [])
        form.member("violations", &details.violations, unless: [])
        form.member("breaks", &details.breaks)
        details.messages.list(in: &form)
        var sent = MessagePart(fields: request.fields, body: MessageBody(bytes: request.body))
        if request.version != .http11 { sent.version = request.version.description }
        sent.trailers = request.trailers
        let made = response
        var received = MessagePart(fields: made.fields, body: MessageBody(bytes: made.body))
        form.member("request", &sent)
        form.member("response", &received)
        guard form.isReading else { return }
        self.details = ExchangeDetails(details)
        response = HTTPResponse(status: status, fields: received.fields, body: received.body.bytes)
        request = HTTPRequest(
            method: method,
            target: target,
            version: sent.version == HTTPVersion.http10.description ? .http10 : .http11,
            fields: sent.fields,
            body: sent.body.bytes
        )
        request.trailers = sent.trailers
        request.isSecure = isSecure
    }

    /// The parts of a request or a response other than its first line.
    private struct MessagePart: RecordedObject {
        var fields = HTTPFields()
        var body = MessageBody()
        /// `nil` for HTTP/1.1.
        var version: String?
        var trailers = HTTPFields()

        mutating func list(in form: inout RecordedForm) {
            form.member("headers", &fields, or: HTTPFields())
            form.member("body", &body, unless: MessageBody())
            form.member("version", &version)
            form.member("trailers", &trailers, unless: HTTPFields())
        }
    }
}

extension HTTPRequest {
    /// The target without the authority that an absolute-form has (RFC 9112, section 3.2).
    fileprivate var originForm: String {
        targetAuthority == nil ? target : query.map { "\(path)?\($0)" } ?? path
    }
}

extension ExchangeOutcome: Recorded {}
extension Fault.Kind: Recorded {}

extension NearestRoute: RecordedObject {
    package init() { self.init(route: "", difference: "") }

    package mutating func list(in form: inout RecordedForm) {
        form.member("route", &route)
        form.member("difference", &difference)
    }
}

extension GateHold: RecordedObject {
    package init() { self.init(gate: "", duration: .zero) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("name", &gate)
        var held = Optional(duration)
        if !form.style.isCanonical { form.member("heldMilliseconds", &held, in: .milliseconds) }
        duration = held ?? .zero
    }
}

extension OfferedToken: RecordedObject {
    package init() { self.init(wanted: "", standing: .missing) }

    package mutating func list(in form: inout RecordedForm) {
        var name = kind ?? wanted
        form.member("kind", &name)
        form.member("wanted", &wanted, unless: name)
        form.member("id", &id, orNull: true)
        form.member("state", &standing)
        form.member("accepted", &isAccepted)
        form.member("device", &device)
        form.member("ageSeconds", &age, in: .seconds)
        form.member("secondsLeft", &timeLeft, in: .seconds)
        // Of the tokens that are not the session's, only foreign ones are valid.
        kind = id == nil && standing != .valid ? nil : name
    }
}

extension TokenStanding: Recorded {}

extension GrantedToken: RecordedObject {
    package init() { self.init(kind: "", source: .new) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("kind", &kind)
        form.member("id", &id, orNull: true)
        form.member("source", &source)
    }
}

extension Grant.Source: Recorded {}

extension Violation: RecordedObject {
    package init() {
        self.init("", .note, in: .request, part: "", message: "", place: "", contractPointer: "")
    }

    package mutating func list(in form: inout RecordedForm) {
        form.member("id", &id)
        form.member("severity", &severity)
        form.member("in", &side)
        form.member("part", &part)
        form.member("pointer", &pointer)
        form.member("message", &message)
        form.member("contract", &contractPointer)
        form.member("place", &place)
        form.member("source", &source)
        form.member("deliberate", &isDeliberate, unless: false)
    }

    /// The violation as the journal and problem documents show it.
    package var json: JSONValue { .object(object()) }
}

extension Violation.Side: Recorded {}
extension Finding.Severity: Recorded {}

extension [Event.StateChange] {
    /// The names of the states and their values.
    fileprivate var byName: JSONObject {
        get { JSONObject(map { ($0.name, JSONValue.string($0.value)) }) }
        set { self = newValue.members.map { Event.StateChange(name: $0.name, value: $0.value.string ?? "") } }
    }
}

// MARK: Messages

extension HTTPMethod: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        let name = try String(json, in: style)
        guard HTTPFields.isName(name) else { throw json.problem("requires a method such as \"GET\", not \"\(name)\"") }
        self.init(rawValue: name)
    }
}

extension HTTPStatus: Recorded {
    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        let code = try Int(json, in: style)
        guard let status = HTTPStatus(exactly: code) else {
            throw json.problem("requires a status from 100 to 999, not \(json.value.text())")
        }
        self = status
    }

    package func json(in style: RecordedStyle) -> JSONValue { code.json(in: style) }
}

/// Pairs of a name and a value; a canonical document leaves out those that name the server's port.
extension HTTPFields: Recorded {
    private static let fieldsWithPort: Set<String> = ["host", "origin", "referer"]

    package init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        self.init()
        for field in try json.elements() {
            let pair = try field.elements()
            guard pair.count == 2 else { throw field.problem("requires a name and a value") }
            let name = try String(pair[0], in: style)
            guard append(name, try String(pair[1], in: style)) else {
                throw pair[0].problem("requires a field name")
            }
        }
    }

    package func json(in style: RecordedStyle) -> JSONValue {
        .array(
            compactMap { name, value in
                style.isCanonical && Self.fieldsWithPort.contains(name.lowercased())
                    ? nil : [.string(name), .string(value)]
            }
        )
    }
}

/// A body as what it is: JSON, text, or bytes in Base64.
private struct MessageBody: Recorded, Equatable {
    /// The maximum depth of a body that is written as JSON, so that the whole document can be read again.
    private static let depth = 480
    /// The maximum number of values of a body that is written as JSON; a longer one is written as text.
    private static let mostValues = 1_000_000

    var bytes: [UInt8] = []

    init(bytes: [UInt8] = []) { self.bytes = bytes }

    init(_ json: RecordedValue, in style: RecordedStyle) throws(RecordingProblem) {
        if let json = json.value["json"] {
            bytes = json.utf8(.compact)
        } else if let text = json.optional("text") {
            bytes = Array(try String(text, in: style).utf8)
        } else {
            let base64 = try json.member("base64")
            guard let decoded = Base64.decode(try String(base64, in: style)) else {
                throw base64.problem("requires bytes in Base64 (RFC 4648, section 4)")
            }
            bytes = decoded
        }
    }

    func json(in style: RecordedStyle) -> JSONValue {
        if !JSONParser.exceeds(Self.mostValues, in: bytes),
            let document = try? JSONParser(maximumDepth: Self.depth).parse(bytes)
        {
            return ["json": document.root]
        }
        if let text = String(validUTF8: bytes) { return ["text": .string(text)] }
        return ["base64": .string(Base64.encode(bytes))]
    }
}

// MARK: Findings

extension [Finding] {
    /// The findings as the lines that they are printed in.
    fileprivate var described: [String] {
        get { map(\.description) }
        set { self = newValue.map(Finding.init(described:)) }
    }
}

extension Finding {
    /// Reads a finding back from the line that ``description`` makes of it; its place stays a text.
    init(described text: String) {
        var rest = Array(text.utf8)[...]
        var (place, severity, id) = (Place?.none, Severity.note, "")
        if rest.last == UInt8(ascii: "]"), let bracket = rest.lastIndex(of: UInt8(ascii: "[")), bracket > 0 {
            id = String(decoding: rest[(bracket + 1)...].dropLast(), as: UTF8.self)
            rest = rest[..<(bracket - 1)]
        }
        let marks = Severity.allCases.compactMap { severity in
            rest.firstIndex(of: Array("\(severity.rawValue): ".utf8)).map { (severity: severity, start: $0) }
        }
        if let mark = marks.min(by: { $0.start < $1.start }) {
            severity = mark.severity
            let before = rest[..<mark.start].dropLast(2)
            if !before.isEmpty { place = Place(file: String(decoding: before, as: UTF8.self)) }
            rest = rest[(mark.start + mark.severity.rawValue.utf8.count + 2)...]
        }
        self.init(severity, id: id, String(decoding: rest, as: UTF8.self), at: place)
    }
}

extension ArraySlice<UInt8> {
    /// Returns the first position of some bytes.
    fileprivate func firstIndex(of bytes: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: bytes) }
    }
}
