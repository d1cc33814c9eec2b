import Basics
import HTTPCodec
import JSON
import Reports
import Rules
import ScenarioFormat
import Simulation
import StoryRunning
import TestSupport
import Testing

/// Smeem's app, as it comes back after two weeks: it sends the access token where the refresh token belongs, and then
/// stays on its splash screen.
enum ReturningUser {
    static func recording() throws -> Recording {
        let path = Project.scenarios + "/smeem/splash-refresh-expired.json"
        let root = try #require(ProjectRoot(enclosing: path, files: DiskFiles()))
        let loaded = try ScenarioLoader(files: DiskFiles(), project: root).load(path)
        let start = try #require(VirtualTime("2026-03-16T12:00:00Z"))
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = Session(CompiledScenario(loaded.scenario), start: start, at: now)
        let access = try #require(session.ledger.token(id: "access-1")).value

        func call(_ method: String, _ target: String, _ token: String?) {
            var fields: HTTPFields = ["Host": "127.0.0.1:9847"]
            if let token { fields.set("Authorization", "Bearer \(token)") }
            let request = HTTPRequest(method: HTTPMethod(rawValue: method), target: target, fields: fields)
            let decision = session.decide(IncomingRequest(request), at: now)
            session.end(decision.exchange, .sent, at: now)
            now = MonotonicTime(nanoseconds: now.nanoseconds + 300_000_000)
        }
        call("GET", "/api/v2/versions/client/app", nil)
        call("POST", "/api/v2/auth/token", access)
        session.note(clientFacts: ["screen": "splash"], at: now)
        return Recording(
            session,
            file: "Scenarios/smeem/splash-refresh-expired.json",
            in: loaded.sources,
            at: now
        )
    }
}
