import Basics
package import JSON
import ScenarioFormat
package import Simulation

extension Recording {
    /// Reads a recording from the document in which it was saved.
    package init(_ json: JSONValue) throws(RecordingProblem) {
        let document = RecordedValue(json)
        try Self.checkVersion(document)
        session = try document.member("session").string()
        backend = try document.member("backend").string()
        heading = nil
        if let story = document.optional("story") { heading = try Heading(story) }
        seed = try document.member("seed").count()
        dropped = Int(clamping: try document.member("dropped").count())
        isFiltered = try document.optional("filtered")?.bool() ?? false
        evidence = try Evidence(document, dropped: dropped)
        verdict = try Verdict(try document.member("verdict"))
    }

    private static func checkVersion(_ document: RecordedValue) throws(RecordingProblem) {
        guard document.value.object != nil else {
            throw document.problem("a journal is an object, not \(document.value.kindName)")
        }
        guard let found = document.optional("version") else {
            throw document.problem("this is no journal with a \"version\"; save one with backlot journal --json")
        }
        guard found.value.int == version else {
            let text = found.value.text(.compact).shortened.printable
            throw document.problem("this journal has version \(text), and version \(version) is what can be read")
        }
    }
}

extension Recording.Heading {
    fileprivate init(_ story: RecordedValue) throws(RecordingProblem) {
        id = try story.member("id").string()
        title = try story.member("title").string()
        about = try story.member("about").string()
        file = try story.member("file").string()
        isSilent = try story.optional("silent")?.bool() ?? false
        reproduces = []
        for bug in try story.list("reproduces") { reproduces.append(try bug.string()) }
    }
}

extension Evidence {
    /// Far enough from both ends of the clock for whatever a document counts from it.
    private static let recordedEpoch = RealTime(nanoseconds: 1 << 62)

    fileprivate init(_ document: RecordedValue, dropped: Int) throws(RecordingProblem) {
        epoch = Self.recordedEpoch
        lost =
            try document.optional("lost").map { json throws(RecordingProblem) in Int(clamping: try json.count()) }
            ?? dropped
        start = try document.member("start").moment()
        end = try document.member("now").moment()
        skew = try document.optional("skewMilliseconds")?.milliseconds() ?? .zero
        roles = try TokenRoles(document)
        ledger = try TokenLedger(recorded: document.list("devices"))
        clientFacts = document.optional("client")?.value.object ?? JSONObject()
        (exchanges, states, collections, statements, gates, plays, exits) = ([], [], [], [], [], [:], [])
        isProvisional = try document.optional("provisional")?.bool() ?? false
        for state in try document.list("states") { states.append(try FinalState(state)) }
        for stored in try document.list("collections") { collections.append(try FinalCollection(stored)) }
        for statement in try document.list("statements") {
            statements.append(try ClientStatement(statement, since: epoch))
        }
        for gate in try document.list("gates") { gates.append(try GateStatistics(gate)) }
        for play in try document.list("plays") {
            plays[try play.member("part").string()] = try play.member("exchange").count()
        }
        for exit in try document.list("exits") { exits.append(try exit.int()) }
        for json in try document.member("exchanges").elements() {
            let exchange = try Exchange(json, since: epoch)
            if let last = exchanges.last, last.number >= exchange.number {
                throw json.problem("wants a number above \(last.number), since exchanges are told in their order")
            }
            exchanges.append(exchange)
        }
        moment = epoch
        for end in exchanges.compactMap(\.end) { moment = max(moment, end) }
        if let taken = document.optional("takenMilliseconds") {
            moment = epoch.shifted(by: try taken.milliseconds())
        }
    }
}

extension FinalState {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        name = try json.member("name").string()
        owner = try json.optional("owner")?.string()
        value = try json.member("value").string()
    }
}

extension FinalCollection {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        name = try json.member("name").string()
        account = try json.optional("account")?.string()
        items = []
        for item in try json.member("items").elements() { items.append(item.value) }
    }
}

extension ClientStatement {
    fileprivate init(_ json: RecordedValue, since epoch: RealTime) throws(RecordingProblem) {
        self.init(
            fact: try json.member("fact").string(),
            value: try json.member("value").value,
            time: try json.member("time").moment(),
            moment: epoch.shifted(by: try json.member("milliseconds").milliseconds()),
            afterExchange: try json.member("afterExchange").count(),
            launch: try json.member("launch").launch()
        )
    }
}

extension GateStatistics {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var openings: [Opening] = []
        for opening in try json.list("openings") {
            let cause: Cause = try opening.member("cause").choice(among: [.reached, .quiet, .released])
            var exchanges: [UInt64] = []
            for exchange in try opening.list("exchanges") { exchanges.append(try exchange.count()) }
            openings.append(Opening(cause: cause, exchanges: exchanges))
        }
        self.init(
            gate: try json.member("gate").string(),
            wanted: try json.optional("wanted")?.int(),
            waitsFor: try json.member("waitsFor").string(),
            openings: openings,
            holding: try json.optional("holding")?.int() ?? 0
        )
    }
}
