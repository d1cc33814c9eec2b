import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// What a session makes of what a contract says about a request.
@Suite
struct ContractEvaluationTests {
    private static let violation = Violation(
        "contract/request-body",
        .error,
        in: .request,
        part: "body",
        pointer: "/a",
        message: "it is wrong",
        place: "openapi.json:1:1",
        contractPointer: "#/a"
    )

    private static let documented = ContractResponse(operation: "GET /b", source: "contract") { seed, count in
        .message(HTTPResponse(status: .ok, contentType: "text/plain", body: "\(seed) \(count)"))
    }

    private let client: CompiledScenario

    init() throws {
        let json =
            #""seed": 3, "counters": { "n": 0 }, "routes": { "GET /a": { "text": "{{counter.n}}", "breaks": "why not" } }"#
        client = CompiledScenario(try SessionClient.load(json).scenario)
    }

    private func session() -> Session {
        Session(client, start: SessionClient.start, at: MonotonicTime(nanoseconds: 0))
    }

    private func decide(
        _ session: inout Session,
        _ path: String,
        _ evaluation: (inout ContractEvaluation) -> Void
    ) -> Decision {
        var words = ContractEvaluation()
        evaluation(&words)
        return session.decide(
            IncomingRequest(HTTPRequest(target: path), consultation: RequestConsultation(words, reviewer: nil)),
            at: MonotonicTime(nanoseconds: 0)
        )
    }

    private func text(_ decision: Decision) -> String { String(decoding: decision.response.body, as: UTF8.self) }

    @Test func `A refusal answers before anything has changed`() {
        var session = session()
        let refused = decide(&session, "/a") {
            $0.violations = [Self.violation]
            $0.refusal = Problem("no", status: 400, title: "No", detail: "No.")
        }
        #expect(refused.response.status == 400 && refused.script == nil)
        #expect(session.journal.exchanges[0].route == "GET /a")
        #expect(session.journal.exchanges[0].violations == [Self.violation])
        #expect(text(decide(&session, "/a") { _ in }) == "1")
    }

    @Test func `A documented response fills what has no route, and counts for its seed`() {
        var session = session()
        #expect(text(decide(&session, "/b") { $0.fill = Self.documented }) == "3 0")
        #expect(text(decide(&session, "/b") { $0.fill = Self.documented }) == "3 1")
        #expect(text(decide(&session, "/a") { $0.fill = Self.documented }) == "1")
        #expect(session.journal.exchanges.map(\.route) == ["GET /b", "GET /b", "GET /a"])
        #expect(session.journal.exchanges.map(\.answeredBy) == ["contract", "contract", nil])
    }

    @Test func `A preferred answer takes the place of the route's, which does not change anything`() {
        var session = session()
        #expect(text(decide(&session, "/a") { $0.preferred = Self.documented }) == "3 0")
        #expect(session.journal.exchanges[0].route == "GET /a")
        #expect(text(decide(&session, "/a") { _ in }) == "1")
    }

    @Test func `What is found in a response is noted beside what was found in its request`() {
        var session = session()
        let decision = decide(&session, "/a") { $0.violations = [Self.violation] }
        #expect(decision.script?.response.breaks == "why not" && decision.script?.constant == nil)
        var found = Self.violation
        found.side = .response
        found.isDeliberate = true
        session.note([found], of: decision.exchange, replacement: HTTPResponse(status: 500))
        let exchange = session.journal.exchanges[0]
        #expect(exchange.violations.map(\.side) == [.request, .response] && exchange.response.status == 500)
        let json = exchange.json(canonical: true)
        #expect(json["breaks"] == "why not" && json["violations"]?[1]?["deliberate"] == true)
        #expect(json["violations"]?[0]?["pointer"] == "/a")
        session.note([found], of: 99)
        #expect(session.journal.exchanges[0].violations.count == 2)
    }
}
