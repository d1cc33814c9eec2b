import Basics
import EventLoops
import HTTPCodec
import HTTPServing
package import JSON
package import Rules
import ScenarioFormat
import Simulation
import TLS

/// A session's verdict, with whose it is.
package struct SessionVerdict: Sendable {
    package let session: String
    /// The id of the story that was played.
    package let story: String?
    package let verdict: Verdict
    /// A Boolean value that indicates whether a request has arrived.
    let hasTraffic: Bool

    /// Judges a copy of the session, so that none of its clients has to wait.
    init(_ session: LiveSession, at now: MonotonicTime) {
        let (copy, loaded, now) = session.copy(at: now)
        let scenario = copy.played.scenario
        var evidence = Evidence(copy, at: now)
        evidence.isProvisional = true
        self.session = session.name
        story = scenario.story?.id
        verdict = Verdict(on: scenario, by: evidence, in: loaded.sources)
        hasTraffic = verdict.obstacle != .noRequest
    }

    /// The document of `GET /__backlot/verdict`.
    package var json: JSONValue {
        var object = JSONObject()
        object["session"] = .string(session)
        object["story"] = story.map(JSONValue.string) ?? .null
        for member in verdict.json.members { object[member.name] = member.value }
        return .object(object)
    }
}

extension StubServer {
    /// The verdicts on the sessions whose stories expect something, and on those whose clients did something wrong.
    ///
    /// Where several were played, those without a request are left out.
    ///
    /// - Parameters:
    ///   - most: how many are made; the default session's comes first, the others in the order of their names.
    ///   - limit: how long that may take; what is begun then is finished.
    /// - Returns: with them, how many further sessions with requests were not judged.
    package func verdicts(atMost most: Int = .max, within limit: Duration? = nil) -> (made: [SessionVerdict], left: Int)
    {
        let time = handler.configuration.time
        let deadline = limit.map { time.now().advanced(by: $0) } ?? .never
        let main = handler.sessions.main
        let sessions = [main] + handler.sessions.all.filter { $0 !== main }
        var (played, idle): ([SessionVerdict], SessionVerdict?) = ([], nil)
        for (index, session) in sessions.enumerated() {
            guard played.count < most, time.now() < deadline || index == 0 else {
                return (played, sessions[index...].count(where: \.hasTraffic))
            }
            // A session without a request is judged only while no other has one.
            guard session.hasTraffic || played.isEmpty && idle == nil else { continue }
            let made = SessionVerdict(session, at: handler.now)
            guard made.verdict.isTelling else { continue }
            if made.hasTraffic { played.append(made) } else { idle = made }
        }
        return (played.isEmpty ? [idle].compactMap(\.self) : played, 0)
    }

    /// The verdicts on all of them.
    package var verdicts: [SessionVerdict] { verdicts().made }
}
