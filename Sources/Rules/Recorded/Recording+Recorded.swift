import Basics
package import JSON
import ScenarioFormat
package import Simulation

extension Recording {
    /// A time far enough from both ends of the clock for every offset in a document.
    private static let recordedEpoch = MonotonicTime(nanoseconds: 1 << 62)

    /// Reads a recording from the document in which it was saved.
    package init(_ json: JSONValue) throws(RecordingProblem) {
        let document = RecordedValue(json)
        guard json.object != nil else { throw document.problem("a journal must be an object, not \(json.kindName)") }
        guard let found = document.optional("version")?.value else {
            throw document.problem("this journal contains no \"version\"; save a journal with backlot journal --json")
        }
        guard found.int == Self.version else {
            let text = found.text(.compact).shortened.printable
            throw document.problem("this journal has version \(text), but only version \(Self.version) is supported")
        }
        try self.init(document, in: RecordedStyle(since: Self.recordedEpoch))
    }

    /// The document in which a recording is saved, with everything that a verdict rests on.
    package var json: JSONValue { json(in: RecordedStyle(since: evidence.epoch)) }

    /// The document with some of the exchanges only, which says so and counts the others as lost.
    package func json(of exchanges: [Exchange]) -> JSONValue {
        let left = evidence.exchanges.count - exchanges.count
        var recording = self
        recording.evidence.exchanges = exchanges
        recording.evidence.lost += left
        recording.isFiltered = isFiltered || left > 0
        return recording.json
    }
}

extension Recording: RecordedObject {
    package init() { self.init(session: "") }

    package mutating func list(in form: inout RecordedForm) {
        if form.isReading, let epoch = form.style.epoch { evidence.epoch = epoch }
        form.note("version", Self.version)
        form.member("session", &session)
        form.member("backend", &backend)
        form.member("story", &heading, orNull: true)
        form.member("seed", &seed)
        form.member("start", &evidence.start)
        form.member("now", &evidence.end)
        form.member("dropped", &dropped.asCount)
        form.member("lost", &evidence.lost.asCount, unless: dropped.asCount)
        form.member("filtered", &isFiltered, unless: false)
        var taken = Optional(evidence.moment)
        form.member("takenMilliseconds", &taken)
        evidence.list(in: &form)
        evidence.moment = taken ?? evidence.exchanges.compactMap(\.end).reduce(evidence.epoch, max)
        form.member("verdict", &verdict)
    }
}

extension Recording.Heading: RecordedObject {
    package init() { self.init(id: "", title: "", about: "", reproduces: [], file: "", isSilent: false) }

    package mutating func list(in form: inout RecordedForm) {
        form.member("id", &id)
        form.member("title", &title)
        form.member("about", &about)
        form.member("reproduces", &reproduces, or: [])
        form.member("file", &file)
        form.member("silent", &isSilent, or: false)
    }
}

extension Evidence {
    fileprivate mutating func list(in form: inout RecordedForm) {
        form.member("provisional", &isProvisional, unless: false)
        var (skew, lastRight) = (dateOffset?.largest, dateOffset?.lastRight ?? 0)
        form.member("skewMilliseconds", &skew, in: .milliseconds)
        form.member("skewAfter", &lastRight, unless: 0)
        dateOffset = skew.map { DateOffset(largest: $0, lastRight: lastRight) }
        roles.list(in: &form)
        var devices = RecordedDevices(ledger, at: end)
        form.member("devices", &devices, or: RecordedDevices())
        if form.isReading { ledger = devices.ledger }
        form.member("states", &states, or: [])
        form.member("collections", &collections, unless: [])
        form.member("client", &clientFacts, or: JSONObject())
        form.member("statements", &statements, or: [])
        form.member("failedHandshakes", &failedHandshakes, unless: [])
        form.member("gates", &gates, or: [])
        var played = plays.flatMap { part, numbers in numbers.map { PlayedPart(part: part, exchange: $0) } }
            .sorted { ($0.exchange, $0.part) < ($1.exchange, $1.part) }
        form.member("plays", &played, unless: [])
        plays = Dictionary(grouping: played, by: \.part).mapValues { $0.map(\.exchange) }
        var idle = idleEvents.sorted()
        form.member("idleEvents", &idle, unless: [])
        idleEvents = Set(idle)
        form.member("exits", &exits, or: [])
        form.member("processExits", &processExits, unless: [:])
        form.member("exchanges", &exchanges)
        for (index, (earlier, later)) in zip(exchanges, exchanges.dropFirst()).enumerated() {
            form.require(
                earlier.number < later.number,
                ["exchanges", "\(index + 1)"],
                "requires a number above \(earlier.number), because exchanges are in order"
            )
        }
    }
}

/// A part of a story, and an exchange that played it.
private struct PlayedPart: RecordedObject, Hashable {
    var part = ""
    var exchange: UInt64 = 0

    mutating func list(in form: inout RecordedForm) {
        form.member("part", &part)
        form.member("exchange", &exchange)
    }
}

extension TokenRoles {
    fileprivate mutating func list(in form: inout RecordedForm) {
        form.member("kinds", &kinds, or: [])
        form.member("purposes", &purposes, or: [:])
        form.member("interchangeable", &interchangeable, or: false)
        form.member("wantedByRefreshes", &wantedByRefreshes, unless: [:])
        form.member("acceptedElsewhere", &acceptedElsewhere, unless: [:])
        form.member("carriers", &carriers, unless: [])
    }
}

extension TokenRoles.Kind: RecordedObject {
    package init() {
        self.init(name: "", role: .access, lifetime: .zero, terminal: [], rotates: false, grace: .zero)
    }

    package mutating func list(in form: inout RecordedForm) {
        form.member("name", &name)
        form.member("role", &role)
        form.member("lifetime", &lifetime)
        form.member("terminal", &terminal, or: [])
        form.member("refusals", &refusals, or: refusals)
        form.member("rotates", &rotates, or: false)
        form.member("grace", &grace, or: .zero)
    }
}

extension TokenRoles.Role: Recorded {}
extension RoutePurpose: Recorded {}
