import HTTPCodec
import Simulation
import Testing

/// One kind of token where another is wanted.
struct TokenKindTests {
    @Test func `A token of another kind is refused, unless kinds are interchangeable`() throws {
        let scenario = """
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /": {"requires": "a"}, "POST /r": {"requires": "r", "grants": {"a": "new"}}}
            """
        let kinds = #""kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1d", "rotate": true}}"#
        var strict = try SessionClient("\"tokens\": {\(kinds)}, \(scenario)")
        #expect(strict.send("GET /", token: try strict.token("r").value).status == 401)
        #expect(try strict.offered == ["-a r-1 wrongKind"])
        var lax = try SessionClient("\"tokens\": {\"interchangeable\": true, \(kinds)}, \(scenario)")
        #expect(lax.send("GET /", token: try lax.token("r").value).status == 200)
        #expect(try lax.offered == ["+a r-1 valid"])
        #expect(lax.send("POST /r", token: try lax.token("a").value).status == 200)
        lax.advance(.seconds(3_600))
        #expect(lax.send("POST /r", token: try lax.token("a", of: "phone").value).status == 401)
    }

    @Test func `Of a kind that passes for others only the lifetime counts then, and never the other way round`() throws
    {
        var client = try SessionClient(
            """
            "tokens": {"interchangeable": ["r"],
                "kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1d", "rotate": true}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /": {"requires": "a"}, "POST /r": {"requires": "r", "grants": {"r": "new"}},
                "POST /end": {"then": [{"revoke": "*", "device": "phone"}]}}
            """
        )
        let (access, refresh) = (try client.token("a").value, try client.token("r").value)
        #expect(client.send("POST /r", token: access).status == 401)
        #expect(client.send("POST /r", token: refresh).status == 200)
        #expect(client.send("POST /r", token: refresh).status == 401)
        #expect(client.send("GET /", token: refresh).status == 200)
        client.send("POST /end")
        #expect(client.send("GET /", token: refresh).status == 200)
        #expect(client.send("GET /", token: access).status == 401)
        client.advance(.seconds(86_400))
        #expect(client.send("GET /", token: refresh).status == 401)
    }

    @Test func `Two kinds with one lifetime and no claims are told apart by what is wanted`() throws {
        var client = try SessionClient(
            """
            "tokens": {"jti": false, "kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1h", "in": {"header": "Refresh"}}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /": {"requires": "a"}, "POST /r": {"requires": "r"}}
            """
        )
        let value = try client.token("a").value
        #expect(try client.token("r").value == value)
        #expect(client.send("GET /", token: value).status == 200)
        #expect(try client.offered == ["+a a-1 valid"])
        #expect(client.send("POST /r", headers: ["Refresh": value]).status == 200)
        #expect(try client.offered == ["+r r-1 valid"])
    }
}
