import Basics
import HTTPCodec
import JSON
import ScenarioFormat

extension Exchange {
    /// Reads an exchange as the journal tells it.
    ///
    /// A body that was told as JSON comes back as that JSON without white space; all others come back byte by byte.
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
