import JSON
import Rules
import ScenarioFormat
import Simulation

extension AdminAPI {
    // MARK: The client

    func clientFacts(_ call: Call) throws(AdminError) -> JSONValue {
        try access(call) { session, _ in session.clientJSON }
    }

    /// Takes what the client tells about itself: all of it, or nothing where one fact is none.
    func noteClientFacts(_ call: Call) throws(AdminError) -> JSONValue {
        let facts = try ClientReport(call.body()).facts
        return try access(call) { (session, now) throws(AdminError) in
            let new = facts.names.count { !session.clientFacts.contains($0) }
            guard session.clientFacts.count + new <= ClientReport.mostFacts else {
                throw AdminError("bad-fact", "A session keeps up to \(ClientReport.mostFacts) facts.")
            }
            session.note(clientFacts: facts, at: now)
            return session.clientJSON
        }
    }

    // MARK: Verdict

    /// What the story says about the client so far; it may be asked for at any time, and changes nothing.
    func verdict(_ call: Call) -> JSONValue {
        SessionVerdict(call.session, at: call.now).json
    }
}
