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
            throw document.problem("this is not a journal with a \"version\"; save one with backlot journal --json")
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
        reproduces = try story.list("reproduces").map { name throws(RecordingProblem) in try name.string() }
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
        if let largest = try document.optional("skewMilliseconds")?.milliseconds() {
            let lastRight = try document.optional("skewAfter")?.count() ?? 0
            dateOffset = DateOffset(largest: largest, lastRight: lastRight)
        }
        roles = try TokenRoles(document)
        ledger = try TokenLedger(recorded: document.list("devices"))
        clientFacts = document.optional("client")?.value.object ?? JSONObject()
        exchanges = []
        isProvisional = try document.optional("provisional")?.bool() ?? false
        states = try document.list("states").map(FinalState.init)
        collections = try document.list("collections").map(FinalCollection.init)
        statements = try document.list("statements").map { json throws(RecordingProblem) in
            try ClientStatement(json, since: Self.recordedEpoch)
        }
        gates = try document.list("gates").map(GateStatistics.init)
        for play in try document.list("plays") {
            try plays[play.member("part").string(), default: []].append(play.member("exchange").count())
        }
        idleEvents = Set(try document.list("idleEvents").map { name throws(RecordingProblem) in try name.string() })
        exits = try document.list("exits").map { code throws(RecordingProblem) in try code.int() }
        for process in try document.optional("processExits")?.members() ?? [] {
            let codes = try process.value.elements()
            processExits[process.name] = try codes.map { code throws(RecordingProblem) in try code.int() }
        }
        for json in try document.member("exchanges").elements() {
            let exchange = try Exchange(json, since: epoch)
            if let last = exchanges.last, last.number >= exchange.number {
                throw json.problem("requires a number above \(last.number), because exchanges are in order")
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
        items = try json.member("items").elements().map(\.value)
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
            launch: try json.member("launch").launch(),
            process: try json.optional("process")?.string()
        )
    }
}

extension GateStatistics {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var openings: [Opening] = []
        for opening in try json.list("openings") {
            let cause: Cause = try opening.member("cause").choice(among: [.reached, .quiet, .released])
            let exchanges = try opening.list("exchanges").map { json throws(RecordingProblem) in try json.count() }
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

extension Recording {
    /// The document in which a recording is saved, with everything that a verdict rests on.
    package var json: JSONValue { json(of: evidence.exchanges) }

    /// The document with some of the exchanges only, which says so and counts the others as lost.
    package func json(of exchanges: [Exchange]) -> JSONValue {
        let left = evidence.exchanges.count - exchanges.count
        let lost = evidence.lost + left
        var object = JSONObject()
        object["version"] = .number(JSONNumber(Self.version))
        object["session"] = .string(session)
        object["backend"] = .string(backend)
        object["story"] = heading?.json ?? .null
        object["seed"] = .number(JSONNumber(seed))
        object["start"] = .string(evidence.start.description)
        object["now"] = .string(evidence.end.description)
        object["dropped"] = .number(JSONNumber(dropped))
        if lost != dropped { object["lost"] = .number(JSONNumber(lost)) }
        if isFiltered || left > 0 { object["filtered"] = true }
        object["takenMilliseconds"] = .number(.milliseconds(evidence.moment.offset(from: evidence.epoch)))
        if evidence.isProvisional { object["provisional"] = true }
        if let offset = evidence.dateOffset {
            object["skewMilliseconds"] = .number(.milliseconds(offset.largest))
            if offset.lastRight > 0 { object["skewAfter"] = .number(JSONNumber(offset.lastRight)) }
        }
        for member in evidence.roles.json.members { object[member.name] = member.value }
        object["devices"] = evidence.ledger.recordedJSON(at: evidence.end)
        object["states"] = .array(evidence.states.map(\.json))
        if !evidence.collections.isEmpty { object["collections"] = .array(evidence.collections.map(\.json)) }
        object["client"] = .object(evidence.clientFacts)
        object["statements"] = .array(evidence.statements.map { $0.json(since: evidence.epoch) })
        object["gates"] = .array(evidence.gates.map(\.json))
        if !evidence.plays.isEmpty { object["plays"] = evidence.playsJSON }
        if !evidence.idleEvents.isEmpty {
            object["idleEvents"] = .array(evidence.idleEvents.sorted().map(JSONValue.string))
        }
        object["exits"] = .array(evidence.exits.map { .number(JSONNumber($0)) })
        if !evidence.processExits.isEmpty {
            object["processExits"] = .object(
                JSONObject(
                    evidence.processExits.sorted { $0.key < $1.key }
                        .map { ($0.key, .array($0.value.map { .number(JSONNumber($0)) })) }
                )
            )
        }
        object["exchanges"] = .array(exchanges.map { $0.json(since: evidence.epoch) })
        object["verdict"] = .object(verdict.json)
        return .object(object)
    }
}

extension Evidence {
    /// The parts of the story that were played, in the order of their exchanges.
    fileprivate var playsJSON: JSONValue {
        let sorted = plays.flatMap { part, exchanges in exchanges.map { ($0, part) } }.sorted(by: <)
        return .array(sorted.map { ["part": .string($1), "exchange": .number(JSONNumber($0))] })
    }
}

extension Recording.Heading {
    fileprivate var json: JSONValue {
        [
            "id": .string(id),
            "title": .string(title),
            "about": .string(about),
            "reproduces": .array(reproduces.map(JSONValue.string)),
            "file": .string(file),
            "silent": .bool(isSilent),
        ]
    }
}

extension FinalState {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        if let owner { object["owner"] = .string(owner) }
        object["value"] = .string(value)
        return .object(object)
    }
}

extension FinalCollection {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        if let account { object["account"] = .string(account) }
        object["items"] = .array(items)
        return .object(object)
    }
}

extension ClientStatement {
    fileprivate func json(since epoch: RealTime) -> JSONValue {
        var object = JSONObject([
            ("fact", .string(fact)),
            ("value", value),
            ("time", .string(time.description)),
            ("milliseconds", .number(.milliseconds(moment.offset(from: epoch)))),
            ("afterExchange", .number(JSONNumber(afterExchange))),
            ("launch", .number(JSONNumber(launch))),
        ])
        if let process { object["process"] = .string(process) }
        return .object(object)
    }
}

extension GateStatistics {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["gate"] = .string(gate)
        if let wanted { object["wanted"] = .number(JSONNumber(wanted)) }
        object["waitsFor"] = .string(waitsFor)
        if holding > 0 { object["holding"] = .number(JSONNumber(holding)) }
        object["openings"] = .array(
            openings.map { opening in
                [
                    "cause": .string(opening.cause.rawValue),
                    "exchanges": .array(opening.exchanges.map { .number(JSONNumber($0)) }),
                ]
            }
        )
        return .object(object)
    }
}

extension TokenCarrier {
    /// The place in the words of a scenario file.
    package var json: JSONValue {
        switch self {
        case .header(let name, let scheme, let isExact):
            var object: JSONObject = ["header": .string(name)]
            if let scheme { object["scheme"] = .string(scheme) }
            if isExact { object["exactScheme"] = true }
            return .object(object)
        case .body(let pointer): return ["body": .string(pointer.description)]
        case .query(let name): return ["query": .string(name)]
        case .form(let name): return ["form": .string(name)]
        case .cookie(let name): return ["cookie": .string(name)]
        case .basic(let part): return ["basic": .string(part.rawValue)]
        }
    }

    init(_ json: RecordedValue) throws(RecordingProblem) {
        if let name = json.optional("query") {
            self = .query(try name.string())
        } else if let name = json.optional("form") {
            self = .form(try name.string())
        } else if let name = json.optional("cookie") {
            self = .cookie(try name.string())
        } else if let part = json.optional("basic") {
            self = .basic(try part.choice(among: BasicPart.allCases))
        } else if let place = json.optional("body") {
            guard let pointer = JSONPointer(try place.string()) else {
                throw place.problem("requires a JSON Pointer such as \"/token\" (RFC 6901)")
            }
            self = .body(pointer)
        } else {
            self = .header(
                name: try json.member("header").string(),
                scheme: try json.optional("scheme")?.string(),
                isExact: try json.optional("exactScheme")?.bool() ?? false
            )
        }
    }
}

extension TokenRoles {
    /// The members of the journal's document that describe the parts.
    var json: JSONObject {
        var object = JSONObject()
        object["kinds"] = .array(kinds.map(\.json))
        let sorted = purposes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        object["purposes"] = .object(JSONObject(sorted.map { ($0.key, .string($0.value.rawValue)) }))
        object["interchangeable"] = .bool(interchangeable)
        if !wantedByRefreshes.isEmpty { object["wantedByRefreshes"] = Self.json(wantedByRefreshes) }
        if !acceptedElsewhere.isEmpty { object["acceptedElsewhere"] = Self.json(acceptedElsewhere) }
        if !carriers.isEmpty { object["carriers"] = .array(carriers.map(\.json)) }
        return object
    }

    private static func json(_ lists: [String: [String]]) -> JSONValue {
        let sorted = lists.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(JSONObject(sorted.map { ($0.key, .array($0.value.map(JSONValue.string))) }))
    }

    init(_ document: RecordedValue) throws(RecordingProblem) {
        kinds = try document.list("kinds").map(Kind.init)
        purposes = [:]
        for purpose in try document.optional("purposes")?.members() ?? [] {
            purposes[purpose.name] = try purpose.value.choice(among: [.resource, .refresh, .signIn, .signOut, .open])
        }
        wantedByRefreshes = try Self.lists(document.optional("wantedByRefreshes"))
        acceptedElsewhere = try Self.lists(document.optional("acceptedElsewhere"))
        interchangeable = try document.optional("interchangeable")?.bool() ?? false
        carriers = try document.list("carriers").map(TokenCarrier.init)
    }
}

extension TokenRoles {
    private static func lists(_ document: RecordedValue?) throws(RecordingProblem) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for member in try document?.members() ?? [] {
            lists[member.name] = try member.value.elements().map { name throws(RecordingProblem) in try name.string() }
        }
        return lists
    }
}

extension TokenRoles.Kind {
    fileprivate var json: JSONValue {
        [
            "name": .string(name),
            "role": .string(role.rawValue),
            "lifetime": .string(DurationText.text(lifetime)),
            "terminal": .array(terminal.map { .number(JSONNumber($0)) }),
            "refusals": .array(refusals.map { .number(JSONNumber($0)) }),
            "rotates": .bool(rotates),
            "grace": .string(DurationText.text(grace)),
        ]
    }

    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        name = try json.member("name").string()
        role = try json.member("role").choice(among: [.access, .refresh, .other])
        lifetime = try json.member("lifetime").duration()
        rotates = try json.optional("rotates")?.bool() ?? false
        grace = try json.optional("grace")?.duration() ?? .zero
        terminal = try json.list("terminal").map { code throws(RecordingProblem) in try code.int() }
        guard json.optional("refusals") != nil else { return }
        refusals = try json.list("refusals").map { code throws(RecordingProblem) in try code.int() }
    }
}

extension Verdict {
    /// Reads a verdict from its document, which may have members of its own beside it.
    package init(_ json: JSONValue) throws(RecordingProblem) { try self.init(RecordedValue(json)) }

    init(_ json: RecordedValue) throws(RecordingProblem) {
        expectations = try json.list("expectations").map { json throws(RecordingProblem) in
            try Judgement(expectation: json)
        }
        rules = try json.list("rules").map(Judgement.all(ofRule:)).flatMap { $0 }
        outcome = try json.member("verdict").choice(among: Judgement.Outcome.allCases)
        obstacle = try json.optional("obstacle")?.choice(among: [.nothingExpected, .noRequest])
        gap = nil
        listConsequences()
        let told = Set(findings.map(\.message))
        gap = try json.list("findings").map(Finding.init).first { !told.contains($0.message) }
            .map { Judgement($0, .incomplete, subject: "a complete journal") }
    }
}

extension Judgement {
    fileprivate init(expectation json: RecordedValue) throws(RecordingProblem) {
        self.init(
            try json.member("status").choice(among: [.held, .failed, .incomplete]),
            id: try json.member("rule").string(),
            try json.member("message").string(),
            subject: try json.member("wanted").string()
        )
        advice = try json.optional("advice")?.string()
        place = try json.optional("place").map { json throws(RecordingProblem) in Place(reading: try json.string()) }
        exchanges = try Self.exchanges(json)
        if let cause = json.optional("explainedBy") { self = explained(by: try Cause(cause)) }
    }

    /// A rule's judgements: one for each violation, or one that says why there is none.
    fileprivate static func all(ofRule json: RecordedValue) throws(RecordingProblem) -> [Judgement] {
        let name = try json.member("name").string()
        var whole = Judgement(
            try json.member("status").choice(among: [.held, .failed, .excused, .notJudged, .inconclusive]),
            id: "\(try json.member("number").string()) \(name)",
            try json.optional("reason")?.string() ?? "",
            subject: name
        )
        whole.why = try json.member("why").string()
        whole.advice = try json.member("advice").string()
        whole.source = try json.member("source").string()
        let violations = try json.list("violations").map { json throws(RecordingProblem) in
            var violation = whole
            if whole.status == .failed { violation.sentence = try json.member("message").string() }
            violation.exchanges = try exchanges(json)
            violation.device = try json.optional("device")?.string()
            guard let cause = json.optional("explainedBy") else { return violation }
            return violation.explained(by: try Cause(cause))
        }
        return violations.isEmpty ? [whole] : whole.status == .failed ? violations : [violations[0]]
    }

    private static func exchanges(_ json: RecordedValue) throws(RecordingProblem) -> [Int] {
        try json.list("exchanges").map { number throws(RecordingProblem) in Int(clamping: try number.count()) }
    }
}

extension Judgement.Cause {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        self.init(
            id: try json.member("rule").string(),
            exchange: try json.optional("exchange").map { json throws(RecordingProblem) in try json.int() }
        )
    }
}

extension Finding {
    fileprivate init(_ json: RecordedValue) throws(RecordingProblem) {
        var place = Place(file: try json.optional("file")?.string())
        if let line = json.optional("line") {
            place.position = TextPosition(line: try line.int(), column: try json.optional("column")?.int() ?? 1)
        }
        place.exchange = try json.optional("exchange")?.int()
        self.init(
            try json.member("severity").choice(among: Severity.allCases),
            id: try json.member("id").string(),
            try json.member("message").string(),
            at: place == Place() ? nil : place,
            advice: try json.optional("advice")?.string()
        )
    }
}
