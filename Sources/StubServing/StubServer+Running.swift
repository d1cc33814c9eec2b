import Basics
package import JSON
package import Rules
import ScenarioFormat
import Simulation

/// What a runner of stories needs of a server besides its URL; all of it is about the default session.
extension StubServer {
    /// What has happened so far, and the verdict on it.
    ///
    /// - Parameter exits: how the client's launches have ended.
    package func recording(exits: [Int] = []) -> Recording {
        let session = handler.sessions.main
        let (copy, loaded, now) = session.copy(at: handler.now)
        return Recording(copy, file: loaded.path, in: loaded.sources, exits: exits, at: now)
    }

    /// What could not be read as requests so far.
    package var refusals: Refusals { handler.refusals.withLock { $0 } }

    /// The numbers of the launches that the played story has, from 1.
    package var launches: [Int] {
        handler.sessions.main.copy(at: handler.now).session.launches
    }

    /// Lets time pass until the moment of a launch, with everything that is due on the way, and begins it.
    package func begin(launch: Int) {
        let session = handler.sessions.main
        let begun = try? session.access(at: handler.now) { session, now in session.begin(launch: launch, at: now) }
        if let begun { handler.set(begun.alarm, for: session) }
    }

    /// Lets so much of the story's time pass, with everything that is due on the way.
    package func advance(by duration: Duration) {
        let session = handler.sessions.main
        let advanced = try? session.access(at: handler.now) { session, now in session.advance(by: duration, at: now) }
        if let advanced { handler.set(advanced.alarm, for: session) }
    }

    /// The present moment of the story, in seconds since 1970.
    package var moment: Double {
        let (session, _, now) = handler.sessions.main.copy(at: handler.now)
        return Double(session.time(at: now).microseconds) / 1e6
    }

    /// Whether requests wait at a gate.
    package var isHolding: Bool { handler.sessions.main.isHolding }

    /// Takes in what a client tells about itself, as `POST /__backlot/client` does.
    ///
    /// - Returns: why it cannot be taken in, as a sentence; `nil` when it was.
    package func report(_ facts: JSONObject) -> String? {
        let session = handler.sessions.main
        do throws(AdminError) {
            let report = try ClientReport(.object(facts))
            let (_, alarm) = try session.access(at: handler.now) { session, now in
                session.note(clientFacts: report.facts, at: now)
            }
            handler.set(alarm, for: session)
            return nil
        } catch {
            return error.problem.detail
        }
    }

    /// The devices of the session and every token of each, with values.
    package var tokens: JSONValue {
        let (session, _, now) = handler.sessions.main.copy(at: handler.now)
        return session.tokensJSON(at: now)
    }

    /// The base URLs of the story's other servers, by name.
    package var originURLs: [String: String] {
        handler.sessions.main.copy(at: handler.now).session.originURLs
    }
}
