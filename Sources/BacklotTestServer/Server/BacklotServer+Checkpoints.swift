import JSON
import StubServing

extension BacklotServer {
    /// A state of a server to which it can be restored: its clock, tokens, items, states and journal.
    public struct Checkpoint: Sendable {
        let state: HostedCheckpoint
    }

    /// Saves the server's current state.
    ///
    /// A checkpoint shares its contents with the server until either changes, so saving takes constant time.
    public func checkpoint() -> Checkpoint { Checkpoint(state: session.checkpoint()) }

    /// Restores a state of this server.
    ///
    /// The clock continues from the time of the checkpoint. Open streams end, and waiting responses are sent at once.
    ///
    /// - Returns: The numbers of the exchanges whose streams ended or whose responses were sent.
    /// - Throws: ``ServerProblem`` if the checkpoint belongs to another server, or to another story.
    @discardableResult
    public func restore(_ checkpoint: Checkpoint) throws -> [Int] {
        guard let closed = session.restore(checkpoint.state) else {
            throw ServerProblem(description: "the checkpoint belongs to another server, or to another story")
        }
        return closed.map { Int(clamping: $0) }
    }

    /// Describes what has changed since a checkpoint, as a short JSON document: the tokens, states, collections and
    /// exchanges that differ.
    public func changes(since checkpoint: Checkpoint) -> String {
        session.changes(since: checkpoint.state).text(.pretty)
    }
}
