package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat
package import Simulation

/// Everything of a session that a verdict may rest on, at one moment.
///
/// It is a copy, so that judging blocks no request and nothing changes under it.
package struct Evidence: Sendable {
    /// The exchanges that the journal still contains, oldest first.
    package var exchanges: [Exchange] = []
    /// The number of exchanges that the journal dropped, or that a request deleted.
    package var lost = 0
    /// The moment of the machine's clock from which documents count: that of the session's first request.
    package var epoch = MonotonicTime(nanoseconds: 0)
    package var start = VirtualTime(seconds: 0)
    package var end = VirtualTime(seconds: 0)
    package var ledger = TokenLedger()
    package var states: [FinalState] = []
    /// The items of the collections that the story's expectations name.
    package var collections: [FinalCollection] = []
    package var clientFacts = JSONObject()
    /// The statements that the client reported, oldest first.
    package var statements: [ClientStatement] = []
    /// The TLS handshakes that failed, oldest first.
    package var failedHandshakes: [FailedHandshake] = []
    /// The requests that the story's gates held.
    package var gates: [GateStatistics] = []
    /// The exchanges that played each part of the story, by the part's name; 0 for one that no exchange played.
    package var plays: [String: [UInt64]] = [:]
    /// The names of the story's events that have happened and changed nothing.
    package var idleEvents: Set<String> = []
    /// The roles of the kinds of token and of the routes.
    package var roles = TokenRoles(kinds: [], purposes: [:], carriers: [])
    /// The error of the `Date` header; `nil` if it was always right.
    package var dateOffset: DateOffset?
    /// The exit statuses of the client's launches; empty if the run did not start them.
    package var exits: [Int] = []
    /// The same by process, where several share the session.
    package var processExits: [String: [Int]] = [:]
    /// When it was recorded, on the machine's clock.
    package var moment = MonotonicTime(nanoseconds: 0)
    /// A Boolean value that indicates whether the client may be in the middle of something, because the caller only
    /// asks for the state so far.
    package var isProvisional = false

    /// The evidence of a session without events.
    package init() {}

    /// Records the state of a session.
    package init(_ session: Session, at now: MonotonicTime) {
        exchanges = session.journal.exchanges
        lost = session.lostExchanges
        epoch = session.firstArrival ?? now
        start = session.start
        end = session.time(at: now)
        ledger = session.ledger
        states = session.finalStates
        collections = session.backend.finalCollections
        clientFacts = session.client.facts
        statements = session.client.statements
        failedHandshakes = session.failedHandshakes
        gates = session.gateStatistics
        plays = session.plays
        idleEvents = session.idleEvents
        let played = session.played
        roles = played.derivedValue { TokenRoles(played.scenario) }
        dateOffset = session.dateOffset
        moment = now
    }

    /// A Boolean value that indicates whether the client has sent nothing at all.
    package var isSilent: Bool { exchanges.isEmpty && lost == 0 }

    /// The failed handshakes with good certificates that may be the reason for missing requests.
    var unheard: [FailedHandshake] {
        failedHandshakes.filter { !$0.isPlanned && ($0.isRejection || isSilent && !$0.isUnused) }
    }

    /// Returns whether the client has reported a fact that the story expects, so that it was there even if it sent
    /// nothing.
    ///
    /// A client that reads `exp` and finds both of its tokens dead shows its login screen without a request.
    func tellsWhatIsExpected(by scenario: Scenario) -> Bool {
        scenario.expectations.flatMap(\.facts).contains { clientFacts[$0.name] == $0.value }
    }
}

extension Evidence {
    /// The exchange that comes nearest to a pattern that none fits, and what is different in it.
    ///
    /// One of the same route with the fewest differences, else one whose path was probably meant for the route.
    func nearest(to pattern: ExchangePattern) throws(TextPattern.Undecided) -> (number: UInt64, words: String)? {
        var best: (exchange: Exchange, mismatches: [ExpectationMismatch])?
        for exchange in exchanges where pattern.isRoute(of: exchange) {
            let mismatches = try pattern.mismatches(of: exchange)
            guard !mismatches.isEmpty, mismatches.count < best?.mismatches.count ?? .max else { continue }
            best = (exchange, mismatches)
        }
        if let best {
            let differences = Sentences.list(best.mismatches.map(\.words), "and")
            return (best.exchange.number, "the nearest match is exchange \(best.exchange.number), which \(differences)")
        }
        guard
            let stray = exchanges.first(where: { $0.nearest?.route.exact == pattern.route.exact }),
            let difference = stray.nearest?.difference
        else { return nil }
        return (stray.number, "the nearest match is exchange \(stray.number), \(stray.line): \(difference)")
    }
}

/// The demands of a story in addition to its list of expectations.
extension Evidence {
    /// Judges that a client with nothing to report sends no request.
    func judgeSilence() -> Judgement {
        let wanted = "no request at all"
        guard !isSilent else {
            // A client may also reject a certificate after the handshake.
            return .held("expect/silent", wanted).lacking(failedHandshakes.first { !$0.isPlanned })
        }
        let numbers = exchanges.map(\.number)
        let count = numbers.count + lost
        let list = numbers.isEmpty ? "" : ": \(Sentences.exchanges(numbers))"
        return .failed("expect/silent", wanted, but: "\(count == 1 ? "one" : "\(count)") arrived\(list)", numbers)
    }

    /// The races that did not take place as often as they should, so that nothing is known of the client in them.
    ///
    /// One that the story calls optional is reported among what held.
    func judgeRaces(of gates: [Gate], in sources: SourceMap) -> [Judgement] {
        self.gates.compactMap { account in
            let gate = gates.first { $0.name.exact == account.gate.exact }
            let (reached, times) = (account.openings.count { $0.cause != .quiet }, gate?.times ?? 1)
            guard reached < times else { return nil }
            let most = account.openings.max { $0.exchanges.count < $1.exchanges.count }
            let race = "the race at \(account.gate.printable)"
            var judged = Judgement.unplayed(
                "expect/race-not-reached",
                race,
                reached > 0
                    ? "\(race) was reached only \(Sentences.times(reached)) instead of \(Sentences.times(times))"
                    : "\(race) was not reached: the gate waited for \(account.waitsFor) and held "
                        + (account.mostHeld == 0 ? "none" : "\(account.mostHeld)"),
                most?.exchanges ?? [],
                isOptional: gate?.isOptional == true,
                advice:
                    "make the client send the gate's requests in time, or make the gate wait longer"
            )
            judged.place = gate.map { sources.place(of: $0.position) }
            return judged
        }
    }
}

extension Evidence {
    /// Judges whether exchanges happened in an order; others may lie between them.
    func judge(order patterns: [ExchangePattern]) throws(TextPattern.Undecided) -> Judgement {
        let wanted = patterns.map(\.words).joined(separator: ", then ")
        var found: [UInt64] = []
        var rest = exchanges[...]
        for (step, pattern) in patterns.enumerated() {
            var next: Exchange?
            while next == nil {
                guard let exchange = rest.popFirst() else {
                    return try broken(at: step, patterns, wanted, found).lacking(self)
                }
                if try pattern.fits(exchange) { next = exchange }
            }
            if let next { found.append(next.number) }
        }
        return .held("expect/order", wanted, found)
    }

    private func broken(
        at step: Int,
        _ patterns: [ExchangePattern],
        _ wanted: String,
        _ found: [UInt64]
    ) throws(TextPattern.Undecided) -> Judgement {
        guard !isSilent else { return .failed("expect/order", wanted, but: "no request arrived at all") }
        let pattern = patterns[step]
        var happened = "no \(pattern.words) arrived"
        var told = found
        if let last = found.last { happened += " after exchange \(last), the \(patterns[step - 1].words)" }
        if let early = try pattern.first(in: exchanges)?.number {
            happened += "; it arrived earlier, as exchange \(early)"
            if !told.contains(early) { told.append(early) }
        } else if let nearest = try nearest(to: pattern) {
            happened += "; \(nearest.words)"
            if !told.contains(nearest.number) { told.append(nearest.number) }
        }
        return .failed("expect/order", wanted, but: happened, told)
    }
}

extension Evidence {
    /// Judges how much real time lies between each exchange and the next; `nil` when it is as expected.
    func judge(
        _ gap: GapRange,
        of pattern: ExchangePattern,
        between exchanges: [Exchange]
    ) -> Judgement? {
        // Those that a gate has held are numbered by when they were let go.
        let ordered = exchanges.sorted { ($0.arrival, $0.number) < ($1.arrival, $1.number) }
        for (earlier, later) in zip(ordered, ordered.dropFirst()) {
            let time = later.arrival.since(earlier.arrival)
            guard let shown = gap.excess(of: time) else { continue }
            let judged = Judgement.failed(
                "expect/gap",
                "every \(pattern.words) \(gap.words) after the previous request",
                but: "exchange \(later.number) arrived \(DurationText.text(shown)) after exchange \(earlier.number)",
                [later.number, earlier.number]
            )
            // A lost one could lie between two that are far apart.
            return time < gap.atLeast ? judged : judged.lacking(self)
        }
        return nil
    }
}

extension GapRange {
    /// The words before "after": `at least 300ms`.
    var words: String {
        let least = DurationText.text(atLeast)
        guard let atMost else { return "at least \(least)" }
        let most = DurationText.text(atMost)
        return atLeast == .zero ? "at most \(most)" : "\(least) to \(most)"
    }

    /// A time that is too short or too long, in milliseconds that are it, too.
    fileprivate func excess(of time: Duration) -> Duration? {
        let milliseconds = time.wholeMicroseconds / 1_000
        if time < atLeast { return .milliseconds(milliseconds) }
        guard let atMost, time > atMost else { return nil }
        return .milliseconds(time == .milliseconds(milliseconds) ? milliseconds : milliseconds + 1)
    }
}

/// The state at the end.
extension Evidence {
    /// Judges the newest token of a kind, of one device or of every one.
    func judge(token kind: String, of name: String?, _ standings: [TokenStanding]) -> Judgement {
        let owner = name.map { "of \($0.printable)" } ?? "of every device"
        let wanted =
            "the \(kind) token \(owner) to be \(Sentences.list(standings.map(\.words), "or")) at the end"
        let devices = ledger.devices.filter { device in name.map { device.name.exact == $0.exact } ?? true }
        guard !devices.isEmpty || standings.contains(.missing) else {
            let happened = name.map { "no device \($0.printable) has signed in" } ?? "no device has signed in"
            return .failed("expect/token", wanted, but: happened)
        }
        for device in devices {
            let token = ledger.tokens(of: device).last { $0.kind == kind }
            guard !standings.contains(token?.standing(now: end) ?? .missing) else { continue }
            let happened =
                token.map { "\($0.id) of \(device.name.printable) is \($0.standing(now: end).words)" }
                ?? "\(device.name.printable) has no \(kind) token"
            return .failed("expect/token", wanted, but: happened)
        }
        return .held("expect/token", wanted)
    }

    /// Judges states; one that is per account or device must be so for each of them.
    func judge(states wanted: [(name: String, values: [String])]) -> Judgement {
        let sentence = wanted.map { "the state \($0.name) to be \(Sentences.list($0.values, "or"))" }
        let all = Sentences.list(sentence, "and") + " at the end"
        for (expected, words) in zip(wanted, sentence) {
            let stray = states.first { $0.name == expected.name && !expected.values.contains($0.value) }
            guard let stray else { continue }
            let owner = stray.owner.map { " for \($0.printable)" } ?? ""
            return .failed("expect/state", words + " at the end", but: "it is \(stray.value)\(owner)")
        }
        return .held("expect/state", all)
    }

    /// Judges what the client reports about itself; what it has not reported is unknown and neither right nor wrong.
    ///
    /// - Parameter patterns: exchanges that show the same, in their order. Where they happened, the facts are not asked for.
    func judge(
        client facts: [Expectation.ClientFact],
        orUnknown: Bool,
        shownBy patterns: [ExchangePattern]
    ) throws(TextPattern.Undecided) -> Judgement {
        var wanted =
            "the client to report \(Sentences.list(facts.map { "\($0.name) \(Sentences.value($0.value))" }, "and"))"
        if !patterns.isEmpty {
            let shown = try judge(order: patterns)
            wanted += ", or to send \(shown.subject)"
            if shown.status == .held {
                return .held("expect/client", wanted, shown.exchanges.map { UInt64(clamping: $0) })
            }
        }
        for fact in facts {
            guard let told = clientFacts[fact.name], told != fact.value else { continue }
            let happened = "it reported \(fact.name) \(Sentences.value(told))"
            let judged = Judgement.failed("expect/client", wanted, but: happened)
            return patterns.isEmpty ? judged : judged.lacking(self)
        }
        let unknown = facts.map(\.name).filter { clientFacts[$0] == nil }
        guard let first = unknown.first, !orUnknown else { return .held("expect/client", wanted) }
        let meant = Suggestion.nearest(to: first, among: clientFacts.names)
        return .incomplete(
            "expect/unknown-fact",
            wanted,
            "expected \(wanted), but it \(patterns.isEmpty ? "" : "did not send these requests and ")did not report "
                + Sentences.list(unknown, "or") + (meant.map { ", only \($0.printable)" } ?? ""),
            advice: "make the client POST \(Sentences.list(unknown, "and")) to /__backlot/client"
                + (patterns.isEmpty
                    ? "; if its requests show the same fact, add \"shownBy\" or \"orUnknown\" to the story"
                    : ", or make the client continue as its user would:"
                        + " \(patterns.map(\.words).joined(separator: ", then "))")
        )
    }

    /// Judges how the client's launches ended; where the run has not started them, that is unknown.
    func judge(exit code: Int) -> Judgement {
        let wanted = "every launch of the client to end with exit code \(code)"
        guard !exits.isEmpty || !processExits.isEmpty else {
            let sentence = "expected \(wanted), but the client was not started"
            return .incomplete("expect/exit", wanted, sentence, advice: "run the story with backlot run")
        }
        let processes = processExits.sorted { $0.key < $1.key }.map { (name: Optional($0.key), exits: $0.value) }
        for process in processes.isEmpty ? [(name: nil, exits: exits)] : processes {
            guard let launch = process.exits.firstIndex(where: { $0 != code }) else { continue }
            var words = process.name == nil || process.exits.count > 1 ? ["launch \(launch + 1)"] : []
            if let name = process.name { words.insert("the process \(name.printable)", at: 0) }
            let happened = "\(words.joined(separator: " in ")) ended with \(process.exits[launch])"
            return .failed("expect/exit", wanted, but: happened)
        }
        return .held("expect/exit", wanted)
    }
}

extension Evidence {
    /// Judges how many stored items are like a pattern.
    func judge(items pattern: ItemPattern, _ count: CountRange) throws(TextPattern.Undecided) -> Judgement {
        let wanted = pattern.words(count) + " at the end"
        let stored = StoredItem.all(in: collections.filter { $0.isMeant(by: pattern) })
        var fitting: [StoredItem] = []
        for item in stored where try pattern.mismatches(of: item.value).isEmpty { fitting.append(item) }
        guard fitting.count < count.atLeast || fitting.count > count.atMost else {
            return .held("expect/items", wanted)
        }
        var happened = "no item matches"
        if !fitting.isEmpty {
            happened = "there \(fitting.count == 1 ? "is one" : "are \(fitting.count)"): \(StoredItem.words(fitting))"
        }
        if stored.isEmpty {
            happened += ", since \(pattern.place) is empty"
        } else if fitting.count < count.atLeast, let nearest = try pattern.nearest(of: stored) {
            happened += "; \(nearest)"
        }
        return .failed("expect/items", wanted, but: happened)
    }
}

/// An item of a collection and its place there.
private struct StoredItem {
    /// Counted from 1.
    var number: Int
    /// The account whose copy contains the item.
    var account: String?
    var value: JSONValue

    static func all(in collections: [FinalCollection]) -> [StoredItem] {
        collections.flatMap { collection in
            collection.items.enumerated().map {
                StoredItem(number: $0.offset + 1, account: collection.account, value: $0.element)
            }
        }
    }

    var words: String { "item \(number)\(account.map { " of \($0.printable)" } ?? "")" }

    /// `items 2, 5 and 7`, or the first of very many.
    static func words(_ items: [StoredItem]) -> String {
        guard items.count > 1, items.allSatisfy({ $0.account == nil }) else {
            return Sentences.some(of: items.map(\.words))
        }
        return "items \(Sentences.some(of: items.map { String($0.number) }))"
    }
}

extension ItemPattern {
    /// Where the items are: `posts`, or `posts of mina`.
    fileprivate var place: String { collection + (account.map { " of \($0.printable)" } ?? "") }

    /// `2 items of posts with /title equal to "A"`.
    fileprivate func words(_ count: CountRange) -> String {
        let terms = conditions.map { "\($0.pointer.description.printable) \($0.matcher.words)" }
        return "\(count.itemWords) of \(place)" + (terms.isEmpty ? "" : " with \(Sentences.list(terms, "and"))")
    }

    /// The item that meets most conditions, the newest of several, and what is different in it.
    fileprivate func nearest(of items: [StoredItem]) throws(TextPattern.Undecided) -> String? {
        var best: (item: StoredItem, mismatches: [(pointer: JSONPointer, matcher: Matcher)])?
        for item in items.reversed() {
            let mismatches = try mismatches(of: item.value)
            guard !mismatches.isEmpty, mismatches.count < best?.mismatches.count ?? .max else { continue }
            best = (item, mismatches)
        }
        guard let best else { return nil }
        let differences = best.mismatches.map { mismatch in
            let name = mismatch.pointer.description.printable
            guard let value = mismatch.pointer.value(in: best.item.value) else { return "which lacks \(name)" }
            return "whose \(name) is \(Sentences.value(value))"
        }
        return "the nearest match is \(best.item.words), \(Sentences.list(differences, "and"))"
    }
}

extension CountRange {
    /// The number of items, in words.
    fileprivate var itemWords: String {
        (atLeast, atMost) == (0, 0) ? "no item" : words(of: "items") { $0 == 1 ? "one item" : "\($0) items" }
    }
}

extension Evidence {
    /// Judges how many exchanges there are of a pattern, and how they lie in time.
    func judge(
        _ pattern: ExchangePattern,
        _ count: CountRange,
        _ relations: [Expectation.Relation],
        within limit: Duration?,
        _ gap: GapRange?
    ) throws(TextPattern.Undecided) -> Judgement {
        let fitting = try pattern.fitting(exchanges)
        let numbers = fitting.map(\.number)
        let wanted = pattern.words(count)
        if fitting.count > count.atMost {
            let happened = "it arrived \(Sentences.times(fitting.count)): \(Sentences.exchanges(numbers))"
            return .failed("expect/count", wanted, but: happened, numbers)
        }
        if fitting.count < count.atLeast { return try tooFew(pattern, wanted, numbers) }
        if let limit, let late = fitting.first(where: { $0.time - start > limit }) {
            let rule = "every \(pattern.words) within \(DurationText.text(limit)) of the start"
            let moment = DurationText.text(late.time - start)
            return .failed("expect/within", rule, but: "exchange \(late.number) arrived after \(moment)", [late.number])
        }
        for relation in relations {
            if let broken = try judge(relation, of: pattern, numbers) { return broken.lacking(self) }
        }
        if let broken = gap.flatMap({ judge($0, of: pattern, between: fitting) }) { return broken }
        var terms = relations.map(\.words)
        if let limit { terms.append("within \(DurationText.text(limit)) of the start") }
        if let gap { terms.append("each \(gap.words) after the previous request") }
        let held = Judgement.held("expect/count", ([wanted] + terms).joined(separator: ", "), numbers)
        return count.atMost == .max && terms.isEmpty ? held : held.lacking(self)
    }

    private func tooFew(
        _ pattern: ExchangePattern,
        _ wanted: String,
        _ numbers: [UInt64]
    ) throws(TextPattern.Undecided) -> Judgement {
        var happened = "no request arrived at all"
        var told = numbers
        if !isSilent {
            happened = "it never arrived"
            if !numbers.isEmpty {
                happened = "it arrived only \(Sentences.times(numbers.count)): \(Sentences.exchanges(numbers))"
            }
            if let nearest = try nearest(to: pattern) {
                happened += "; \(nearest.words)"
                told.append(nearest.number)
            }
        }
        return .failed("expect/count", wanted, but: happened, told).lacking(self)
    }

    /// Judges how exchanges lie to the first one of another pattern; `nil` when they are as expected.
    private func judge(
        _ relation: Expectation.Relation,
        of pattern: ExchangePattern,
        _ numbers: [UInt64]
    ) throws(TextPattern.Undecided) -> Judgement? {
        guard !numbers.isEmpty else { return nil }
        let wanted = "every \(pattern.words) \(relation.words)"
        guard let mark = try relation.pattern.first(in: exchanges)?.number else {
            if relation.kind == .notAfter { return nil }
            return .failed(relation.rule, wanted, but: "there was no \(relation.pattern.words)", numbers)
        }
        guard let stray = numbers.first(where: { !relation.allows($0, mark) }) else { return nil }
        let happened =
            stray == mark
            ? "is itself the first of these"
            : relation.kind == .after
                ? "arrived earlier than the first of these, exchange \(mark)" : "arrived later than exchange \(mark)"
        let told = [stray] + (stray == mark ? [] : [mark])
        return .failed(relation.rule, wanted, but: "exchange \(stray) \(happened)", told)
    }
}

extension Expectation.Relation {
    fileprivate var rule: String { "expect/\(kind.rawValue)" }

    fileprivate var words: String { "\(kind == .notAfter ? "not after" : kind.rawValue) \(pattern.words)" }

    /// Returns whether an exchange may lie so to the first one of the other pattern.
    fileprivate func allows(_ number: UInt64, _ mark: UInt64) -> Bool {
        switch kind {
        case .before: number < mark
        case .after: number > mark
        case .notAfter: number <= mark
        }
    }
}
