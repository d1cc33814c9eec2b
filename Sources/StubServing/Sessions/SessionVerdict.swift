import Basics
package import JSON
import Rules
import ScenarioFormat
import Simulation

/// A session's verdict, with whose it is.
package struct SessionVerdict: Sendable {
    package let session: String
    /// The id of the story that was played.
    package let story: String?
    let verdict: Verdict
    /// Whether a request has arrived.
    let hasTraffic: Bool

    /// Judges a copy of the session, so that none of its clients has to wait.
    init(_ session: LiveSession, at now: RealTime) {
        let (copy, loaded, now) = session.copy(at: now)
        let scenario = copy.stage.scenario
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
    /// Where several were played, those without a request are left out: nobody meant them.
    package var verdicts: [SessionVerdict] {
        let all = handler.sessions.all.map { SessionVerdict($0, at: handler.now) }
            .filter { $0.verdict.obstacle != .nothingExpected || $0.verdict.outcome == .failed }
        let played = all.filter(\.hasTraffic)
        return played.isEmpty ? Array(all.prefix(1)) : played
    }
}
