import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// Other servers of a story: their own routes, the same session and journal.
struct OriginTests {
    private static let backend = """
        "tokens": {"kinds": {"access": {"lifetime": "2h", "format": "opaque"}}},
        "given": [{"signIn": "phone", "ago": "0s"}],
        "guards": [{"name": "closed", "when": {"query": {"closed": "1"}}, "status": 503, "empty": true}],
        "unmatched": {"status": 418, "empty": true},
        "routes": {
          "GET /pictures/{id}": {"requires": "access", "json": "backend"},
          "GET /list": {"responses": [{"json": 1}, {"json": 2}]}}
        """

    /// The backend's scenario with other servers that have the routes of scenarios of their own.
    private static func client() throws -> CompiledScenario {
        var scenario = try SessionClient.load(backend).scenario
        for (name, routes) in [
            (
                "images",
                #""GET /pictures/{id}": {"text": "{{request.path.id}}"}, "GET /list": {"responses": [{"json": "a"}, {"json": "b"}]}"#
            ),
            ("shop", #""POST /buy": {"status": 201, "empty": true}"#),
        ] {
            scenario.origins.append(
                Origin(name: name, routes: try SessionClient.load("\"routes\": {\(routes)}").scenario.routes)
            )
        }
        return CompiledScenario(scenario)
    }

    private static let now = MonotonicTime(nanoseconds: 1)

    private static func session() throws -> Session {
        Session(try client(), start: SessionClient.start, at: now)
    }

    private func ask(
        _ session: inout Session,
        _ method: HTTPMethod,
        _ target: String,
        _ fields: HTTPFields = HTTPFields(),
        at origin: String?
    ) -> Answer {
        Answer(
            session.decide(
                IncomingRequest(HTTPRequest(method: method, target: target, fields: fields), origin: origin),
                at: Self.now
            )
        )
    }

    @Test func `Each server answers by its own routes`() throws {
        var session = try Self.session()
        #expect(ask(&session, .get, "/pictures/7", at: "images").text == "7")
        #expect(ask(&session, .get, "/pictures/7", at: nil).status == 401)
        #expect(ask(&session, .post, "/buy", at: "shop").status == 201)
        #expect(ask(&session, .post, "/buy", at: nil).status == 418)
        let exchanges = session.journal.exchanges
        #expect(exchanges.map(\.origin) == ["images", nil, "shop", nil])
        #expect(exchanges.map(\.route) == ["GET /pictures/{id}", "GET /pictures/{id}", "POST /buy", nil])
    }

    @Test func `The backend's guards and its response to what is unmatched are not theirs`() throws {
        var session = try Self.session()
        #expect(ask(&session, .get, "/pictures/1?closed=1", at: nil).status == 503)
        #expect(ask(&session, .get, "/pictures/1?closed=1", at: "images").status == 200)
        let answer = ask(&session, .get, "/picture/1", at: "images")
        #expect(answer.status == 404 && answer.problem == "no-route")
        #expect(answer.json["origin"] == "images")
        #expect(answer.json["nearest"]?["route"] == "GET /pictures/{id}")
        #expect(ask(&session, .get, "/buy", at: "shop").fields["Allow"] == "OPTIONS, POST")
        #expect(ask(&session, .options, "/buy", at: "shop").status == 204)
        #expect(ask(&session, .get, "/", at: "elsewhere").problem == "no-origin")
    }

    @Test func `A token is noticed wherever it is sent`() throws {
        var session = try Self.session()
        let token = try #require(session.ledger.tokens.first)
        let answer = ask(&session, .get, "/pictures/7", ["Authorization": "Bearer \(token.value)"], at: "images")
        #expect(answer.status == 200)
        let exchange = try #require(session.journal.exchanges.last)
        #expect(exchange.offered.map(\.id) == [token.id] && exchange.device == "phone")
        #expect(exchange.json(canonical: true)["origin"] == "images")
    }

    @Test func `Sequences of equal routes at different servers are counted apart`() throws {
        var session = try Self.session()
        let answers = [nil, "images", nil, "images"].map { ask(&session, .get, "/list", at: $0).text }
        #expect(answers == ["1", "\"a\"", "2", "\"b\""])
        session.replace(try Self.client(), at: Self.now)
        #expect(ask(&session, .get, "/list", at: "images").text == "\"b\"")
    }
}
