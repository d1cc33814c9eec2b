import HTTPCodec
import JSON
import Rules
import ScenarioFormat
import Simulation
import Testing

/// Tokens that an identity provider issues, beside the backend's own.
@Suite struct `A foreign token` {
    private static let backend = """
        "clock": {"frozen": true},
        "tokens": {"interchangeable": true, "kinds": {
          "social": {"foreign": true, "reject": {"*": {"status": 401}}},
          "code": {"foreign": true, "in": {"body": "/code"}, "reject": {"*": {"status": 401}}},
          "access": {"lifetime": "2h"}, "refresh": {"lifetime": "14d"}}},
        "origins": {"images": {"routes": {"GET /a.png": {"requires": "access", "text": "png"}}}},
        "routes": {
          "POST /login": {"requires": "social", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "POST /check": {"requires": "social", "json": {}},
          "POST /link": {"requires": ["access", "code"], "json": {}},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"}, "json": {}},
          "GET /notes": {"requires": "access", "json": []}}
        """

    @Test func `makes no refresh and no resource of a route that requires it`() throws {
        let roles = TokenRoles(try LoadedScenario(members: Self.backend).scenario)
        #expect(roles.kinds.map(\.name) == ["access", "refresh"] && roles.kinds.map(\.role) == [.access, .refresh])
        #expect(
            roles.carriers == [
                TokenCarrier(.header("Authorization"), scheme: "Bearer"),
                TokenCarrier(.body(JSONPointer(tokens: ["code"]))),
            ]
        )
        #expect(roles.purposes["POST /login"] == .signIn && roles.purposes["POST /check"] == .open)
        #expect(roles.purposes["POST /link"] == .resource && roles.purposes["POST /refresh"] == .refresh)
    }

    @Test func `is nothing to renew when it is refused`() throws {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login", bearing: "from-kakao")
        traffic.send("GET /notes", bearing: "access-1")
        traffic.send("POST /link", bearing: "access-1", body: #"{"code": 7}"#)
        traffic.send("POST /link", bearing: "access-1", body: #"{"code": "from-apple"}"#)
        traffic.send("POST /check")
        traffic.send("GET /notes", bearing: "access-1")
        #expect(traffic.history().evidence.exchanges.map(\.response.status.code) == [200, 200, 401, 200, 401, 200])
        #expect(traffic.allSentences == [])
    }

    @Test func `has a place where the backend's own are of the wrong kind, whatever it takes for each other`() throws {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login", bearing: "from-kakao")
        traffic.send("POST /login", bearing: "access-1")
        #expect(
            traffic.sentences(of: TokenOfWrongKind.self) == [
                "exchange 2 POST /login sent access-1, which exchange 1 had returned, where a social token is required"
            ]
        )
    }

    @Test func `is told of in a journal without its text, and read from it again`() throws {
        var traffic = try Traffic(Self.backend)
        traffic.send("POST /login", bearing: "from-kakao")
        let saved = traffic.recording.json["exchanges"]?[0]?["tokens"]
        #expect(saved == [["kind": "social", "id": .null, "state": "valid", "accepted": true]])
        let read = try Recording(try JSONParser().parse(traffic.recording.json.text()).root)
        #expect(read.evidence.roles.carriers == traffic.recording.evidence.roles.carriers)
        #expect(read.evidence.exchanges[0].offered == traffic.recording.evidence.exchanges[0].offered)
    }
}
