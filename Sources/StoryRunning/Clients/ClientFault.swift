import Basics

/// A fault of the client itself, by the stable id of its finding.
package enum ClientFault: String, Sendable, Hashable, CaseIterable {
    /// A client that sends nothing, or nothing that could be read.
    case noRequest = "client/no-request"
    /// A client that does not come to an end.
    case hung = "client/hung"
    /// A flow that ends with an error.
    case threw = "client/threw"
    /// A fact that cannot be compared with anything.
    case badFact = "client/bad-fact"
    /// A flow whose store is out of order, and that does not ask it for anything.
    case noStore = "client/no-store"
    /// A command whose output exceeds the limit.
    case output = "client/output"
    /// A command that is ended by a signal.
    case killed = "client/killed"
    /// A command that leaves processes behind.
    case leftRunning = "client/left-running"
    /// A command's exit code that the story does not judge; a note.
    case exit = "client/exit"
    /// A client that had not ended when the run was interrupted.
    case interrupted = "client/interrupted"
}

extension ClientFault {
    /// The expectation of every client.
    static let subject = "the client to run and to exit by itself"

    /// - Parameter status: failed as an error; a fault that held is a note.
    func judgement(
        _ sentence: String,
        at place: Place,
        advice: String? = nil,
        subject: String = subject,
        is status: Judgement.Status = .failed
    ) -> Judgement {
        let severity: Finding.Severity = status == .held ? .note : .error
        return Judgement(
            Finding(severity, id: rawValue, sentence, at: place, advice: advice),
            status,
            subject: subject
        )
    }
}
