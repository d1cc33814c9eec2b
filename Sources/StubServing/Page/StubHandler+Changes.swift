import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Simulation

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
