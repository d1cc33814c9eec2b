import ScenarioFormat
import Simulation
import Synchronization

/// The sessions of a server, by name.
///
/// A class, because the event loops and the admin API share it. Looking a session up takes the lock for a moment;
/// what happens in a session happens under the session's own.
final class SessionDirectory: Sendable {
    /// How many sessions there may be, so that a client cannot fill the memory by inventing names.
    static let capacity = 10_000

    private struct Contents {
        var byName: [String: LiveSession] = [:]
        var byOrdinal: [UInt64: LiveSession] = [:]
        var lastOrdinal: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    /// Sessions that were never asked for by name are the most; this one needs no look-up.
    let main: LiveSession

    init(main session: Session, origin: LiveSession.Origin) {
        main = LiveSession(session, origin: origin, ordinal: 1)
        contents.withLock { [main] in
            $0.byName[main.name] = main
            $0.byOrdinal[1] = main
            $0.lastOrdinal = 1
        }
    }

    func session(named name: String) -> LiveSession? {
        name == Session.defaultName ? main : contents.withLock { $0.byName[name] }
    }

    func session(ordinal: UInt64) -> LiveSession? {
        ordinal == 1 ? main : contents.withLock { $0.byOrdinal[ordinal] }
    }

    /// All sessions, sorted by name.
    var all: [LiveSession] {
        contents.withLock { $0.byName.values.sorted { $0.name < $1.name } }
    }

    /// The session of a name, made if there is none; `nil` when there are too many already.
    func session(named name: String, orMake make: () -> (Session, LiveSession.Origin)) -> LiveSession? {
        if let session = session(named: name) { return session }
        return contents.withLock { contents in
            if let session = contents.byName[name] { return session }
            guard contents.byName.count < Self.capacity else { return nil }
            contents.lastOrdinal += 1
            let (session, origin) = make()
            let live = LiveSession(session, origin: origin, ordinal: contents.lastOrdinal)
            contents.byName[name] = live
            contents.byOrdinal[live.ordinal] = live
            return live
        }
    }

    /// Forgets a session; the default one stays.
    func remove(_ name: String) -> Bool {
        contents.withLock { contents in
            guard name != Session.defaultName, let session = contents.byName.removeValue(forKey: name) else {
                return false
            }
            contents.byOrdinal[session.ordinal] = nil
            return true
        }
    }
}
