import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import Simulation

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
