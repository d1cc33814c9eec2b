import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Simulation

/// Those that follow what changes in sessions, by `GET /__backlot/events`.
struct ChangeFeed: Sendable {
    /// More connections than these are refused.
    static let mostListeners = 64

    private(set) var listeners: [UInt64: ChangeListener] = [:]
    /// The number 1 is the one of the response to a shutdown.
    private var lastNumber: UInt64 = 1
    /// A Boolean value that indicates whether it is looked for changes again and again.
    var isWatching = false

    /// Takes a listener in and returns its number; `nil` when there are too many.
    mutating func add(_ listener: ChangeListener) -> UInt64? {
        guard listeners.count < Self.mostListeners else { return nil }
        lastNumber += 1
        listeners[lastNumber] = listener
        return lastNumber
    }

    mutating func remove(_ number: UInt64) { listeners[number] = nil }

    /// Notes the state sent to a listener, unless it has left.
    mutating func update(_ number: UInt64, _ listener: ChangeListener) {
        if listeners[number] != nil { listeners[number] = listener }
    }
}

/// A client that follows the changes of one session, and the state sent to it.
struct ChangeListener: Sendable {
    let session: LiveSession
    let promise: ResponsePromise
    private var life: String?
    /// The number of the newest exchange sent to it.
    private var newest: UInt64
    /// Exchanges that had not ended when they were sent, oldest first.
    private var open: [UInt64] = []
    /// Each member of the document as sent last, without parts that only time changes.
    private var told: [String: JSONValue] = [:]
    private var clock: VirtualClock?
    /// The session's play when the listener was notified.
    private var played: CompiledScenario?
    /// The time of the last message.
    private(set) var lastSent: MonotonicTime

    /// The maximum number of open exchanges that are sent again when they end.
    private static let mostOpen = 100
    /// A listener that is further behind gets the newest of half as many, because it would never catch up.
    private static let mostBehind: UInt64 = 20_000

    init(_ session: LiveSession, _ promise: ResponsePromise, life: String?, since: UInt64, at now: MonotonicTime) {
        self.session = session
        self.promise = promise
        self.life = life
        newest = since
        lastSent = now
    }

    /// The changes since the last message to the listener; `nil` without any.
    ///
    /// The first event has every member of ``SessionView/changes(since:life:again:)``. Later ones have those that have
    /// changed by more than the passing of time, the exchanges that are new or have ended, and `reloaded` after a file of
    /// the scenario was read again or another story began. Each has an identifier of the session's life and the newest
    /// exchange, with which a client that connects again goes on.
    mutating func event(of view: SessionView, at now: MonotonicTime) -> ServerSentEvent? {
        let isFirst = told.isEmpty
        if view.life != life { (life, newest, open) = (view.life, 0, []) }
        let ended = open.filter { view.session.journal.exchange($0).map { $0.outcome != .open } ?? true }
        let omitted = skip(in: view.session.journal)
        var document = view.changes(since: newest, life: life, again: ended)
        for member in document.members {
            let steady = member.name == "clock" ? member.value : member.value.withoutPassingTime
            let isSame = member.name == "clock" ? clock == view.session.clock : told[member.name] == steady
            if ["more", "exchanges"].contains(member.name) { continue }
            if isSame { document[member.name] = nil } else { told[member.name] = steady }
        }
        clock = view.session.clock
        if let played, played !== view.session.played { document["reloaded"] = true }
        played = view.session.played
        let exchanges = document["exchanges"]?.array ?? []
        note(exchanges, ended)
        if omitted > 0 { document["omitted"] = .number(JSONNumber(Int(clamping: omitted))) }
        if document["more"] == .bool(false) { document["more"] = nil }
        if exchanges.isEmpty { document["exchanges"] = nil }
        guard !document.members.isEmpty else { return nil }
        lastSent = now
        return ServerSentEvent(
            type: "changes",
            data: JSONValue.object(document).text(.compact),
            id: "\(view.life).\(newest)",
            retry: isFirst ? 1_000 : nil
        )
    }

    /// Skips exchanges that were dropped or deleted before they could be sent, or are too many to send.
    ///
    /// - Returns: their number.
    private mutating func skip(in journal: Journal) -> UInt64 {
        guard let last = journal.last?.number, let oldest = journal.oldest else { return 0 }
        let told = newest
        newest = Self.resumption(after: told, oldest: oldest, last: last)
        return newest - told
    }

    /// The number of the exchange after which a listener continues that has received all up to another one.
    static func resumption(after newest: UInt64, oldest: UInt64, last: UInt64) -> UInt64 {
        guard last > newest else { return newest }
        let isFarBehind = last - newest > mostBehind
        return max(newest, oldest - 1, isFarBehind ? last - mostBehind / 2 : 0)
    }

    private mutating func note(_ exchanges: [JSONValue], _ ended: [UInt64]) {
        open.removeAll(where: ended.contains)
        for exchange in exchanges {
            guard let number = exchange["number"]?.int.map({ UInt64(clamping: $0) }), number > newest else { continue }
            newest = number
            if exchange["outcome"] == .string(ExchangeOutcome.open.rawValue) { open.append(number) }
        }
        open = open.suffix(Self.mostOpen)
    }

    /// Sends a comment, so that the end of a connection without changes is noticed.
    mutating func keepAlive(at now: MonotonicTime) {
        lastSent = now
        promise.send(part: Array(ServerSentEvent.comment("").utf8))
    }
}

extension JSONValue {
    /// The value without the members that are different at each look because time passes.
    fileprivate var withoutPassingTime: JSONValue {
        if let array { return .array(array.map(\.withoutPassingTime)) }
        guard let object else { return self }
        var steady = JSONObject()
        for member in object.members
        where !["secondsLeft", "opensInMilliseconds", "heldMilliseconds"].contains(member.name) {
            steady[member.name] = member.value.withoutPassingTime
        }
        return .object(steady)
    }
}

extension StubHandler {
    /// The interval of checks for changes while there are listeners.
    private static let watchInterval: UInt64 = 100_000_000
    /// The ratio of the pause to the time that sending takes, so that listeners cost requests little.
    private static let restForEachTurn: UInt64 = 20
    private static let longestRest: UInt64 = 10_000_000_000
    /// A connection that was silent for so long gets a comment.
    private static let longestSilence = Duration.seconds(15)
    /// The maximum amount that waits for a slow listener; a document has at most 500 exchanges.
    private static let longestBacklog = 4 << 20

    /// Answers with a stream of server-sent events, which begins with everything and ends with the server.
    ///
    /// `Last-Event-ID`, or `?life=` and `?since=` as of ``AdminAPI/changes(_:)``, say where the client goes on.
    func listen(_ call: AdminAPI.Call, with promise: ResponsePromise) throws(AdminError) -> OutgoingResponse {
        let query = try ChangesQuery(call.query)
        var (life, since) = (query.life, query.since)
        if let id = call.request.fields["Last-Event-ID"], !id.isEmpty {
            guard let dot = id.lastIndex(of: "."), let number = UInt64(id[id.index(after: dot)...]) else {
                throw AdminError(
                    "bad-event-id",
                    "\"Last-Event-ID\" requires the \"id\" of an event in this stream, not \"\(id.printable.shortened)\"."
                )
            }
            (life, since) = (String(id[..<dot]), number)
        }
        let moment = time.now()
        var listener = ChangeListener(call.session, promise, life: life, since: since, at: moment)
        let first = listener.event(of: SessionView(call.session, at: call.now), at: moment)?.text ?? ""
        let fields: HTTPFields = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
            "Server": "Backlot",
        ]
        // What knows no parts gets the first event.
        var response = OutgoingResponse(HTTPResponse(status: .ok, fields: fields, body: Array(first.utf8)))
        guard call.request.method == .get else { return response }
        guard let number = changeFeed.withLock({ $0.add(listener) }) else { throw .tooManyListeners }
        response.exchange = ExchangeHandle.listener(number).rawValue
        response.isStream = true
        response.longestBacklog = Self.longestBacklog
        promise.send(part: Array(first.utf8))
        let isFirst = changeFeed.withLock { feed in
            defer { feed.isWatching = true }
            return !feed.isWatching
        }
        if isFirst { watchSoon() }
        return response
    }

    /// - Parameter spent: how many nanoseconds the last look took.
    private func watchSoon(after spent: UInt64 = 0) {
        let rest = max(Self.watchInterval, Self.restForEachTurn * min(spent, Self.longestRest / Self.restForEachTurn))
        let isScheduled = server?.schedule(at: time.now().advanced(byNanoseconds: rest)) { [weak self] in
            self?.background.take { [weak self] in self?.tellListeners() }
        }
        if isScheduled != true { changeFeed.withLock { $0.isWatching = false } }
    }

    /// Sends changes to each listener, and continues while there are any.
    private func tellListeners() {
        let moment = time.now()
        for (number, listener) in changeFeed.withLock({ $0.listeners }) {
            var listener = listener
            guard sessions.session(ordinal: listener.session.ordinal) != nil else {
                listener.promise.send(part: [], isLast: true)
                continue
            }
            if let event = listener.event(of: SessionView(listener.session, at: now), at: moment) {
                listener.promise.send(part: Array(event.text.utf8))
            } else if moment >= listener.lastSent.advanced(by: Self.longestSilence) {
                listener.keepAlive(at: moment)
            }
            changeFeed.withLock { $0.update(number, listener) }
        }
        let goesOn = changeFeed.withLock { feed in
            feed.isWatching = !feed.listeners.isEmpty
            return feed.isWatching
        }
        if goesOn { watchSoon(after: moment.nanoseconds(until: time.now())) }
    }
}

extension AdminError {
    fileprivate static let tooManyListeners = AdminError(
        "too-many-listeners",
        status: 503,
        title: "Too many clients are subscribed to the server's events",
        detail: "The maximum is \(ChangeFeed.mostListeners). Close one of the pages or streams."
    )
}
