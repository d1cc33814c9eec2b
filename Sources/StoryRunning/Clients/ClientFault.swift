/// What the runner finds in a client itself, by the stable ids of its findings.
package enum ClientFault: String, Sendable, Hashable, CaseIterable {
    /// A client that sends nothing, or nothing that could be read.
    case noRequest = "client/no-request"
    /// A client that does not come to an end.
    case hung = "client/hung"
    /// A flow that ends with an error.
    case threw = "client/threw"
    /// A fact that nobody can compare with anything.
    case badFact = "client/bad-fact"
    /// A command that is ended by a signal.
    case killed = "client/killed"
    /// A command that leaves processes behind.
    case leftRunning = "client/left-running"
    /// A command's exit code that the story does not judge; a note.
    case exit = "client/exit"
    /// A client that had not ended when the run was interrupted.
    case interrupted = "client/interrupted"
}
