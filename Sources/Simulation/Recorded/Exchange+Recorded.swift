import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Exchange {
    /// Reads an exchange as the journal tells it.
    ///
    /// A body that was written as JSON is read as that JSON without white space; all others are read byte by byte.
    ///
    /// - Parameter epoch: the real moment from which the document counts its milliseconds.
    package init(_ json: RecordedValue, since epoch: RealTime) throws(RecordingProblem) {
        let offset = try json.member("arrivedMilliseconds").milliseconds()
        number = try json.member("number").count()
        time = try json.member("time").moment()
        let arrival = epoch.shifted(by: offset)
        self.arrival = arrival
        if let wall = json.optional("wallMilliseconds") { end = arrival.shifted(by: try wall.milliseconds()) }
        lag = try json.optional("lagMilliseconds")?.milliseconds() ?? .zero
        refusalHold = try json.optional("holdMilliseconds")?.milliseconds() ?? .zero
        outcome = try json.member("outcome").choice(among: [.open, .sent, .clientGone, .faulted])
        connection = try json.member("connection").count()
        launch = try json.optional("launch")?.launch() ?? 1
        process = try json.optional("process")?.string()
        origin = try json.optional("origin")?.string()
        if let gate = json.optional("gate") {
            hold = GateHold(
                gate: try gate.member("name").string(),
                duration: try gate.member("heldMilliseconds").milliseconds()
            )
        }
        request = try HTTPRequest(json)
        route = try json.optional("route")?.string()
        answeredBy = try json.optional("answeredBy")?.string()
        if let nearest = json.optional("nearest") {
            self.nearest = NearestRoute(
                route: try nearest.member("route").string(),
                difference: try nearest.member("difference").string()
            )
        }
        response = try HTTPResponse(json)
        fault = try json.optional("fault")?.choice(among: Fault.Kind.allCases)
        isCommitted = try json.optional("committed")?.bool() ?? true
        wait = try json.optional("waitMilliseconds")?.milliseconds() ?? .zero
        device = try json.optional("device")?.string()
        account = try json.optional("account")?.string()
        (offered, granted, stateChanges, findings, violations) = ([], [], [], [], [])
        for token in try json.list("tokens") { offered.append(try OfferedToken(token)) }
        for token in try json.list("granted") { granted.append(try GrantedToken(token)) }
        for state in try json.optional("states")?.members() ?? [] {
            stateChanges.append(Event.StateChange(name: state.name, value: try state.value.string()))
        }
        for finding in try json.list("findings") { findings.append(Finding(described: try finding.string())) }
        for violation in try json.list("violations") { violations.append(try Violation(violation)) }
        breaks = try json.optional("breaks")?.string()
        messages = try StreamMessages(json, since: epoch)
    }
}

extension OfferedToken {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        let kind = try json.member("kind").string()
        let id = try json.optional("id")?.string()
        let standing = try json.member("state").choice(among: TokenStanding.allCases)
        self.init(
            wanted: try json.optional("wanted")?.string() ?? kind,
            // Of the tokens that are not the session's, only foreign ones are valid.
            kind: id == nil && standing != .valid ? nil : kind,
            id: id,
            standing: standing,
            isAccepted: try json.optional("accepted")?.bool(),
            device: try json.optional("device")?.string(),
            age: try json.optional("ageSeconds")?.seconds(),
            timeLeft: try json.optional("secondsLeft")?.seconds()
        )
    }
}

extension GrantedToken {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        self.init(
            kind: try json.member("kind").string(),
            id: try json.optional("id")?.string(),
            source: try json.member("source").choice(among: Grant.Source.allCases)
        )
    }
}

extension HTTPRequest {
    /// Reads the request of an exchange as the journal tells it.
    init(_ exchange: RecordedValue) throws(RecordingProblem) {
        let message = try exchange.member("request")
        let method = try exchange.member("method")
        let name = try method.string()
        guard HTTPFields.isName(name) else {
            throw method.problem("requires a method such as \"GET\", not \"\(name)\"")
        }
        self.init(
            method: HTTPMethod(rawValue: name),
            target: try exchange.member("target").string(),
            version: try message.optional("version")?.string() == "HTTP/1.0" ? .http10 : .http11,
            fields: try HTTPFields(message, "headers"),
            body: try message.body()
        )
        trailers = try HTTPFields(message, "trailers")
    }
}

extension HTTPResponse {
    /// Reads the response of an exchange as the journal tells it.
    init(_ exchange: RecordedValue) throws(RecordingProblem) {
        let message = try exchange.member("response")
        let code = try exchange.member("status")
        guard let status = HTTPStatus(exactly: try code.int()) else {
            throw code.problem("requires a status from 100 to 999, not \(code.value.text())")
        }
        self.init(status: status, fields: try HTTPFields(message, "headers"), body: try message.body())
    }
}

extension HTTPFields {
    fileprivate init(_ message: RecordedValue, _ name: String) throws(RecordingProblem) {
        self.init()
        for field in try message.list(name) {
            let pair = try field.elements()
            guard pair.count == 2 else { throw field.problem("requires a name and a value") }
            let name = try pair[0].string()
            guard append(name, try pair[1].string()) else {
                throw pair[0].problem("requires the name of a field")
            }
        }
    }
}

extension RecordedValue {
    fileprivate func body() throws(RecordingProblem) -> [UInt8] {
        guard let body = optional("body") else { return [] }
        if let json = body.value["json"] { return json.utf8(.compact) }
        if let text = body.optional("text") { return Array(try text.string().utf8) }
        let base64 = try body.member("base64")
        guard let bytes = Base64.decode(try base64.string()) else {
            throw base64.problem("requires bytes in Base64 (RFC 4648, section 4)")
        }
        return bytes
    }
}

extension Violation {
    /// Reads a violation as the journal tells it.
    init(_ json: RecordedValue) throws(RecordingProblem) {
        self.init(
            try json.member("id").string(),
            try json.member("severity").choice(among: Finding.Severity.allCases),
            in: try json.member("in").choice(among: [.request, .response]),
            part: try json.member("part").string(),
            pointer: try json.optional("pointer")?.string(),
            message: try json.member("message").string(),
            place: try json.member("place").string(),
            contractPointer: try json.member("contract").string()
        )
        source = try json.optional("source")?.string()
        isDeliberate = try json.optional("deliberate")?.bool() ?? false
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
