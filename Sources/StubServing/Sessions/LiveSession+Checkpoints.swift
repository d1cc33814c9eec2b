import Basics
import ScenarioFormat
import Simulation

/// A state of a hosted session to which it can be restored, with what was played.
package struct HostedCheckpoint: Sendable {
    var state: SessionCheckpoint
    var setup: LiveSession.Setup
}

extension LiveSession {
    /// The greatest number of checkpoints of a session: each keeps the memory of what has changed since.
    static let mostCheckpoints = 16

    /// A copy of the state as it is now.
    func checkpoint(at now: MonotonicTime) -> HostedCheckpoint {
        change { contents in
            let now = contents.catchUp(at: now)
            return HostedCheckpoint(state: SessionCheckpoint(contents.session, at: now), setup: contents.setup)
        }
    }

    /// Keeps the state as it is now under a name; an earlier checkpoint of that name is replaced.
    ///
    /// - Returns: `false` if the session has ``mostCheckpoints`` others.
    func save(_ name: String, at now: MonotonicTime) -> Bool {
        let checkpoint = checkpoint(at: now)
        return change { contents in
            let hasRoom = contents.checkpoints[name] != nil || contents.checkpoints.count < Self.mostCheckpoints
            if hasRoom { contents.checkpoints[name] = checkpoint }
            return hasRoom
        }
    }

    var checkpoints: [String: HostedCheckpoint] { change { $0.checkpoints } }

    func deleteCheckpoint(_ name: String) { change { $0.checkpoints[name] = nil } }

    /// Goes back to a checkpoint; waiting requests are let go at once, and open streams end.
    ///
    /// The files may have been reloaded since: then the state continues with their present version.
    ///
    /// - Returns: the numbers of the exchanges whose streams were closed or whose waiting responses were sent, in the state
    ///   that was replaced; and of those that were open at the checkpoint and have ended, because their connections no
    ///   longer belong to the session. `nil` if the session plays another story than at the checkpoint, or the checkpoint
    ///   belongs to another session.
    func restore(_ checkpoint: HostedCheckpoint, at now: MonotonicTime) -> (closed: [UInt64], ended: [UInt64])? {
        change { contents in
            let (saved, present) = (checkpoint.setup.loaded, contents.setup.loaded)
            guard saved.path == present.path, saved.variant == present.variant,
                checkpoint.state.session.name == contents.session.name
            else { return nil }
            let now = contents.catchUp(at: now)
            let closed = Set(contents.parked.keys).union(contents.streams.keys).sorted()
            contents.releaseAll()
            let kept = contents.session
            var (session, ended) = checkpoint.state.resumed(at: now)
            (session.backend.originURLs, session.refusalHold) = (kept.backend.originURLs, kept.refusalHold)
            if session.played !== contents.setup.played { session.replace(contents.setup.played, at: now) }
            contents.session = session
            contents.pastNumbers = contents.lastNumber
            return (closed, ended)
        }
    }
}
