package import JSONText
import Judgements
import ProjectFiles
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

    /// Takes the evidence down while nobody changes the session, and judges it afterwards.
    init(_ session: LiveSession, at now: RealTime, _ handler: StubHandler) throws(AdminError) {
        let (taken, alarm) = try session.access(at: now) { (session, origin, now) throws(AdminError) in
            var evidence = Evidence(session, at: now)
            evidence.isProvisional = true
            return Taken(
                scenario: session.stage.scenario,
                sources: origin.loaded.sources,
                evidence: evidence
            )
        }
        handler.set(alarm, for: session)
        self.session = session.name
        story = taken.scenario.story?.id
        verdict = Verdict(on: taken.scenario, by: taken.evidence, in: taken.sources)
        hasTraffic = verdict.obstacle != .noRequest
    }

    private struct Taken: Sendable {
        var scenario: Scenario
        var sources: SourceMap
        var evidence: Evidence
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
        let all = handler.sessions.all.compactMap { try? SessionVerdict($0, at: handler.now, handler) }
            .filter { $0.verdict.obstacle != .nothingExpected || $0.verdict.outcome == .failed }
        let played = all.filter(\.hasTraffic)
        return played.isEmpty ? Array(all.prefix(1)) : played
    }
}
