import Basics
import HTTPCodec
import ScenarioFormat
import Simulation

/// The sessions of a server, by name.
///
/// A class, because the event loops and the admin API share it. Looking a session up takes the lock for a moment;
/// what happens in a session happens under the session's own, which may be taken inside this one but not around it.
final class SessionDirectory: Sendable {
    private struct Contents {
        var byName: [String: LiveSession] = [:]
        var byOrdinal: [UInt64: LiveSession] = [:]
        var lastOrdinal: UInt64 = 0
        /// The time of the last search for idle sessions.
        var lastSearch = MonotonicTime(nanoseconds: 0)

        /// The session of a name if there is one, or that there is no room for it.
        func claim(_ name: String, _ capacity: Int) -> Claim? {
            if let session = byName[name] { return .existing(session) }
            return byName.count < capacity ? nil : .full
        }
    }

    private let contents = Lock(Contents())
    /// The maximum number of sessions, so that a client cannot fill the memory by inventing names.
    let capacity: Int
    /// The data that all of them share.
    let runtime: SessionRuntime
    /// Most requests name no session; this one needs no look-up.
    let main: LiveSession

    init(main session: Session, setup: LiveSession.Setup, capacity: Int, runtime: SessionRuntime) {
        self.capacity = capacity
        self.runtime = runtime
        main = LiveSession(session, setup: setup, ordinal: 1, runtime: runtime)
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

    var count: Int { contents.withLock { $0.byName.count } }

    /// The result of a look-up of a session by name.
    enum Claim {
        case made(LiveSession)
        case existing(LiveSession)
        /// There are as many sessions as there may be.
        case full

        var session: LiveSession? {
            switch self {
            case .made(let session), .existing(let session): session
            case .full: nil
            }
        }
    }

    /// The session of a name, created if missing; of two that ask at once, one finds the other's.
    ///
    /// - Parameter make: makes one as the default session is; not under the lock, because a story may take its time to
    ///   begin. It is called again where a reload has come in between.
    func claim(_ name: String, make: () -> (Session, LiveSession.Setup)) -> Claim {
        while true {
            let play = main.play
            if let claim = contents.withLock({ $0.claim(name, capacity) }) { return claim }
            let (session, setup) = make()
            let claim = contents.withLock { contents -> Claim? in
                if let claim = contents.claim(name, capacity) { return claim }
                // A reload changes the default session first and lists the others afterwards, so it finds this one.
                guard main.play === play else { return nil }
                contents.lastOrdinal += 1
                let live = LiveSession(session, setup: setup, ordinal: contents.lastOrdinal, runtime: runtime)
                contents.byName[name] = live
                contents.byOrdinal[live.ordinal] = live
                return .made(live)
            }
            if let claim { return claim }
        }
    }

    /// Performs a change for every session.
    ///
    /// The default session comes first and the others are listed after it, because new ones begin as it is: one that is
    /// created at the same time is either listed or begins with the change.
    func forEach(_ change: (LiveSession) -> Void) {
        change(main)
        for session in all where session !== main { change(session) }
    }

    /// The idle time after which a session is removed for another one: 10 minutes.
    static let idleTime = Duration.seconds(600)
    /// The minimum interval of searches for idle sessions, which take every session's lock for a moment.
    private static let searchInterval = Duration.seconds(1)
    /// The maximum number of sessions that are removed at once.
    private static let mostRemoved = 100

    /// The sessions in which nothing has happened for longest, if that is long; they are asked for when there is no room.
    func idleSessions(at now: MonotonicTime) -> [LiveSession] {
        let sessions = contents.withLock { contents -> [LiveSession] in
            guard now.since(contents.lastSearch) >= Self.searchInterval else { return [] }
            contents.lastSearch = now
            return contents.byName.values.filter { $0 !== main }
        }
        return sessions.compactMap { session in session.idleTime(at: now).map { (session, $0) } }
            .filter { $0.1 >= Self.idleTime }
            .sorted { $0.1 > $1.1 }
            .prefix(Self.mostRemoved)
            .map(\.0)
    }

    /// Lets the sessions whose last traffic is oldest forget what their journals keep, until there is room for another.
    ///
    /// The session that needs the room keeps its journal, and halves it itself when there is no room.
    ///
    /// - Parameter ordinal: the session that needs the room.
    func shrinkJournals(for ordinal: UInt64) {
        let sessions = all.filter { $0.ordinal != ordinal }
            .map { ($0, $0.lastTraffic) }.sorted { ($0.1, $0.0.ordinal) < ($1.1, $1.0.ordinal) }
        for (session, _) in sessions {
            if runtime.budget.hasRoom { return }
            session.emptyJournal()
        }
    }

    /// Forgets a session and returns it; the default one stays.
    func remove(_ name: String) -> LiveSession? {
        contents.withLock { contents in
            guard name != Session.defaultName, let session = contents.byName.removeValue(forKey: name) else {
                return nil
            }
            contents.byOrdinal[session.ordinal] = nil
            return session
        }
    }
}
