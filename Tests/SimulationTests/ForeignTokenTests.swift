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
        var client = try SessionClient(Self.foreign)
        // A sign-in hands out none of them.
        #expect(client.session.ledger.tokens.map(\.id) == ["access-1", "refresh-1"])
        #expect(client.send("POST /login", token: "from-kakao").status == 200)
        #expect(try client.offered == ["+social ? valid"])
        let exchange = try client.lastExchange
        #expect(exchange.offered.map(\.kind) == ["social"])
        #expect(exchange.device == "device-1" && exchange.granted.map(\.id) == ["access-2"])
        #expect(exchange.json()["tokens"] == [["kind": "social", "id": .null, "state": "valid", "accepted": true]])
        // Whoever takes one kind for the other here does not take its own for somebody else's.
        for token in try [client.token("access").value, client.token("refresh").value] {
            #expect(client.send("POST /login", token: token).status == 503)
            #expect(try client.lastExchange.offered.map(\.standing) == [.wrongKind])
        }
        #expect(client.send("POST /login").status == 400)
        #expect(try client.offered == ["-social ? missing"])
        #expect(client.send("POST /login", headers: ["Authorization": "Basic x"]).status == 400)
        #expect(try client.offered == ["-social ? malformed"])
    }

    @Test func `A foreign token is looked for only where a route requires it`() throws {
        var client = try SessionClient(Self.foreign)
        client.send("GET /open", token: "from-kakao", body: #"{"identity": "from-apple"}"#)
        #expect(try client.offered == ["access ? unknown"])
        #expect(client.send("GET /notes", token: "from-kakao").status == 401)
        #expect(try client.offered == ["-access ? unknown"])
        #expect(client.send("POST /apple", body: #"{"identity": "from-apple"}"#).status == 200)
        #expect(try client.offered == ["+apple ? valid"])
        let access = try client.token("access").value
        #expect(client.send("POST /apple", token: access, body: #"{"identity": "\#(access)"}"#).status == 401)
        #expect(try client.offered == ["-access access-1 wrongKind"] || client.offered == ["-apple access-1 wrongKind"])
    }

    @Test(arguments: ["issue", "expire", "revoke", "forget"])
    func `Nothing here happens to a foreign token`(verb: String) throws {
        var client = try SessionClient(Self.foreign)
        #expect(throws: SessionClient.UnplayableScenario.self) { try client.enact(#"{"\#(verb)": "social"}"#) }
    }
}
