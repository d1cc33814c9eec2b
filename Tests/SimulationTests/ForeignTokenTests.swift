import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// What another server issues, such as an identity provider.
struct ForeignTokenTests {
    private static let foreign = """
        "tokens": {"interchangeable": true, "kinds": {
          "social": {"foreign": true, "reject": {"wrongKind": {"status": 503}, "*": {"status": 400}}},
          "apple": {"foreign": true, "in": {"body": "/identity"}},
          "access": {"lifetime": "1h"}, "refresh": {"lifetime": "2h", "format": "opaque"}}},
        "given": [{"signIn": "phone", "ago": "10m"}],
        "routes": {
          "POST /login": {"requires": "social", "grants": {"access": "new"}, "json": "{{token.access}}"},
          "POST /apple": {"requires": "apple"}, "GET /open": {},
          "GET /notes": {"requires": "access"}}
        """

    @Test func `Any text is a foreign token that is none of the session's own`() throws {
        var stage = try Stage(Self.foreign)
        // A sign-in hands out none of them.
        #expect(stage.session.ledger.tokens.map(\.id) == ["access-1", "refresh-1"])
        #expect(stage.send("POST /login", token: "from-kakao").status == 200)
        #expect(try stage.offered == ["+social ? valid"])
        let exchange = try stage.lastExchange
        #expect(exchange.offered.map(\.kind) == ["social"])
        #expect(exchange.device == "device-1" && exchange.granted.map(\.id) == ["access-2"])
        #expect(exchange.json()["tokens"] == [["kind": "social", "id": .null, "state": "valid", "accepted": true]])
        // Whoever takes one kind for the other here does not take its own for somebody else's.
        for token in try [stage.token("access").value, stage.token("refresh").value] {
            #expect(stage.send("POST /login", token: token).status == 503)
            #expect(try stage.lastExchange.offered.map(\.standing) == [.wrongKind])
        }
        #expect(stage.send("POST /login").status == 400)
        #expect(try stage.offered == ["-social ? missing"])
        #expect(stage.send("POST /login", headers: ["Authorization": "Basic x"]).status == 400)
        #expect(try stage.offered == ["-social ? malformed"])
    }

    @Test func `A foreign token is looked for only where a route requires it`() throws {
        var stage = try Stage(Self.foreign)
        stage.send("GET /open", token: "from-kakao", body: #"{"identity": "from-apple"}"#)
        #expect(try stage.offered == ["access ? unknown"])
        #expect(stage.send("GET /notes", token: "from-kakao").status == 401)
        #expect(try stage.offered == ["-access ? unknown"])
        #expect(stage.send("POST /apple", body: #"{"identity": "from-apple"}"#).status == 200)
        #expect(try stage.offered == ["+apple ? valid"])
        let access = try stage.token("access").value
        #expect(stage.send("POST /apple", token: access, body: #"{"identity": "\#(access)"}"#).status == 401)
        #expect(try stage.offered == ["-access access-1 wrongKind"] || stage.offered == ["-apple access-1 wrongKind"])
    }

    @Test(arguments: ["issue", "expire", "revoke", "forget"])
    func `Nothing here happens to a foreign token`(verb: String) throws {
        var stage = try Stage(Self.foreign)
        #expect(throws: Stage.UnplayableScenario.self) { try stage.enact(#"{"\#(verb)": "social"}"#) }
    }
}
