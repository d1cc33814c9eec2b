package import Basics
import HTTPCodec
package import JSON
package import ScenarioFormat

/// A session as it was at a moment, to which it can be restored.
///
/// A session is a value, so a checkpoint is a copy; it shares its contents with the session until either changes.
package struct SessionCheckpoint: Sendable {
    package let session: Session
    /// The machine's monotonic clock at that moment.
    private let moment: MonotonicTime

    package init(_ session: Session, at now: MonotonicTime) {
        (self.session, moment) = (session, now)
    }

    package var time: VirtualTime { session.time(at: moment) }

    /// The session, continued at a later real moment from the checkpoint's virtual time.
    ///
    /// The connections of exchanges that were open at the checkpoint no longer belong to the session, so these exchanges
    /// end as if their clients had left, and requests that a gate held are dropped.
    ///
    /// - Returns: the session, and the numbers of the exchanges that ended.
    package func resumed(at now: MonotonicTime) -> (session: Session, closed: [UInt64]) {
        var session = session
        session.clock.set(session.clock.read(at: moment), at: now)
        session.latest = now
        let closed = Set(session.backend.open.numbers).union(session.streams.exchanges).sorted()
        for exchange in closed { _ = session.step(.ended(exchange: exchange, .clientGone), at: now) }
        for ticket in session.gates.openTickets { _ = session.step(.left(ticket: ticket), at: now) }
        return (session, closed)
    }
}

extension SessionCheckpoint {
    /// The greatest number of exchanges in ``changes(to:at:)``.
    private static let mostExchanges = 20

    /// The changes since the checkpoint, as a short document: the time, and the tokens, states, counters, collections
    /// and exchanges that differ.
    package func changes(to other: Session, at now: MonotonicTime) -> JSONValue {
        let exchanges = other.journal.exchanges.filter { $0.number > session.lastExchange }
        return [
            "time": ["saved": .string(time.description), "now": .string(other.time(at: now).description)],
            "tokens": .array(
                Self.changes(
                    from: session.ledger.states(at: time),
                    to: other.ledger.states(at: other.time(at: now)),
                    "id"
                )
            ),
            "states": .array(Self.changes(from: session.backend.namedStates, to: other.backend.namedStates, "name")),
            "items": .array(itemChanges(to: other)),
            "exchangeCount": .number(JSONNumber(exchanges.count)),
            "exchanges": .array(
                exchanges.suffix(Self.mostExchanges).map { exchange in
                    [
                        "number": .number(JSONNumber(exchange.number)),
                        "method": .string(exchange.request.method.rawValue),
                        "target": .string(exchange.request.target),
                        "status": .number(JSONNumber(exchange.status.code)),
                    ]
                }
            ),
        ]
    }

    /// The names whose values differ, each with its values; a missing value is left out.
    private static func changes(
        from saved: [(name: String, value: JSONValue)],
        to present: [(name: String, value: JSONValue)],
        _ label: String
    ) -> [JSONValue] {
        let former = JSONObject(saved.map { ($0.name, $0.value) })
        let latter = JSONObject(present.map { ($0.name, $0.value) })
        return (saved + present).map(\.name).unique.compactMap { name in
            guard former[name] != latter[name] else { return nil }
            var change: JSONObject = [label: .string(name)]
            change["saved"] = former[name]
            change["now"] = latter[name]
            return .object(change)
        }
    }

    /// The numbers of added, removed and changed items of each collection that differs.
    private func itemChanges(to other: Session) -> [JSONValue] {
        let (saved, present) = (session.backend.store.itemsByName, other.backend.store.itemsByName)
        return Set(saved.keys).union(present.keys).sorted().compactMap { name in
            let (former, latter) = (saved[name] ?? [:], present[name] ?? [:])
            let added = latter.keys.count { former[$0] == nil }
            let removed = former.keys.count { latter[$0] == nil }
            let changed = latter.count { id, value in former[id].map { $0 != value } ?? false }
            guard added + removed + changed > 0 else { return nil }
            return [
                "name": .string(name), "added": .number(JSONNumber(added)), "removed": .number(JSONNumber(removed)),
                "changed": .number(JSONNumber(changed)),
            ]
        }
    }
}

extension TokenLedger {
    /// The state of each token by the token's id.
    fileprivate func states(at time: VirtualTime) -> [(name: String, value: JSONValue)] {
        tokens.map { ($0.id, .string($0.standing(now: time).rawValue)) }
    }
}

extension ItemStore {
    /// The items of each collection by its name, and that of its owner if it has one.
    fileprivate var itemsByName: [String: [Int: JSONValue]] {
        var items: [String: [Int: JSONValue]] = [:]
        for collection in collections {
            for copy in collection.copies {
                let name = copy.account.map { "\(collection.name) of \($0)" } ?? collection.name
                items[name] = Dictionary(copy.items.map { ($0.id, $0.value) }) { $1 }
            }
        }
        return items
    }
}

extension MockBackend {
    /// Each state and counter by its name, and that of its owner if it has one.
    fileprivate var namedStates: [(name: String, value: JSONValue)] {
        stateValues.map { ($0.label, .string($0.value)) }
            + counterValues.map { ($0.name, .number(JSONNumber($0.value))) }
    }
}
