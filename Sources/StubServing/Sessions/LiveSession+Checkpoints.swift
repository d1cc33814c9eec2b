import Basics
import ScenarioFormat
import Simulation

extension LiveSession {
    /// The greatest number of checkpoints of a session: each keeps the memory of what has changed since.
    static let mostCheckpoints = 16

    /// A state of the session, with what was played.
    struct Checkpoint: Sendable {
        var state: SessionCheckpoint
        var setup: Setup
    }

    /// The result of a restoration.
    struct Restoration: Sendable {
        /// The numbers of the exchanges whose streams were closed or whose waiting responses were sent, in the state that
        /// was replaced.
        var closed: [UInt64]
        /// The numbers of the exchanges that were open at the checkpoint, and have ended because their connections no
        /// longer belong to the session.
        var ended: [UInt64]
    }

    /// A reason why a checkpoint cannot be saved or restored.
    enum CheckpointProblem: Error {
        case unknown(known: [String])
        case tooMany
        /// The session plays another story than at the checkpoint, or the checkpoint belongs to another session.
        case otherScenario(String)
    }

    /// A copy of the state as it is now.
    func checkpoint(at now: MonotonicTime) -> Checkpoint {
        change { contents in
            let now = contents.catchUp(at: now)
            return Checkpoint(state: SessionCheckpoint(contents.session, at: now), setup: contents.setup)
        }
    }

    /// Keeps the state as it is now under a name; an earlier checkpoint of that name is replaced.
    func save(_ name: String, at now: MonotonicTime) throws(CheckpointProblem) {
        let isSaved = change { contents in
            let now = contents.catchUp(at: now)
            guard contents.checkpoints[name] != nil || contents.checkpoints.count < Self.mostCheckpoints else {
                return false
            }
            let state = SessionCheckpoint(contents.session, at: now)
            contents.checkpoints[name] = Checkpoint(state: state, setup: contents.setup)
            return true
        }
        guard isSaved else { throw .tooMany }
    }

    /// The names of the checkpoints with their virtual times, sorted.
    var checkpoints: [(name: String, checkpoint: Checkpoint)] {
        change { $0.checkpoints }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func checkpoint(named name: String) throws(CheckpointProblem) -> Checkpoint {
        let checkpoints = checkpoints
        guard let found = checkpoints.first(where: { $0.name.hasSameUTF8(as: name) }) else {
            throw .unknown(known: checkpoints.map(\.name))
        }
        return found.checkpoint
    }

    func deleteCheckpoint(_ name: String) throws(CheckpointProblem) {
        _ = try checkpoint(named: name)
        change { $0.checkpoints[name] = nil }
    }

    /// Goes back to a checkpoint; waiting requests are let go at once, and open streams end.
    ///
    /// The files may have been reloaded since: then the state continues with their present version.
    func restore(_ checkpoint: Checkpoint, at now: MonotonicTime) throws(CheckpointProblem) -> Restoration {
        let restored = change { contents -> Restoration? in
            let (saved, present) = (checkpoint.setup.loaded, contents.setup.loaded)
            guard saved.path == present.path, saved.variant == present.variant,
                checkpoint.state.session.name == contents.session.name
            else { return nil }
            let now = contents.catchUp(at: now)
            let closed = Set(contents.parked.keys).union(contents.streams.keys).sorted()
            contents.releaseAll()
            let kept = contents.session
            var (session, ended) = checkpoint.state.resumed(at: now)
            (session.originURLs, session.refusalHold) = (kept.originURLs, kept.refusalHold)
            if session.played !== contents.setup.played { session.replace(contents.setup.played, at: now) }
            contents.session = session
            contents.pastNumbers = contents.lastNumber
            return Restoration(closed: closed, ended: ended)
        }
        guard let restored else { throw .otherScenario(checkpoint.setup.loaded.path) }
        return restored
    }
}
