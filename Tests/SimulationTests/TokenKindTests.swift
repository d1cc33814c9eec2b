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
        var strict = try Stage("\"tokens\": {\(kinds)}, \(scenario)")
        #expect(strict.send("GET /", token: try strict.token("r").value).status == 401)
        #expect(try strict.offered == ["-a r-1 wrongKind"])
        var lax = try Stage("\"tokens\": {\"interchangeable\": true, \(kinds)}, \(scenario)")
        #expect(lax.send("GET /", token: try lax.token("r").value).status == 200)
        #expect(try lax.offered == ["+a r-1 valid"])
        #expect(lax.send("POST /r", token: try lax.token("a").value).status == 200)
        lax.advance(.seconds(3_600))
        #expect(lax.send("POST /r", token: try lax.token("a", of: "phone").value).status == 401)
    }

    @Test func `Of a kind that passes for others only the lifetime counts then, and never the other way round`() throws
    {
        var stage = try Stage(
            """
            "tokens": {"interchangeable": ["r"],
                "kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1d", "rotate": true}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /": {"requires": "a"}, "POST /r": {"requires": "r", "grants": {"r": "new"}},
                "POST /end": {"then": [{"revoke": "*", "device": "phone"}]}}
            """
        )
        let (access, refresh) = (try stage.token("a").value, try stage.token("r").value)
        #expect(stage.send("POST /r", token: access).status == 401)
        #expect(stage.send("POST /r", token: refresh).status == 200)
        #expect(stage.send("POST /r", token: refresh).status == 401)
        #expect(stage.send("GET /", token: refresh).status == 200)
        stage.send("POST /end")
        #expect(stage.send("GET /", token: refresh).status == 200)
        #expect(stage.send("GET /", token: access).status == 401)
        stage.advance(.seconds(86_400))
        #expect(stage.send("GET /", token: refresh).status == 401)
    }

    @Test func `Two kinds with one lifetime and no claims are told apart by what is wanted`() throws {
        var stage = try Stage(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1h", "in": {"header": "Refresh"}}}},
            "given": [{"signIn": "phone", "ago": "1m"}],
            "routes": {"GET /": {"requires": "a"}, "POST /r": {"requires": "r"}}
            """
        )
        let value = try stage.token("a").value
        #expect(try stage.token("r").value == value)
        #expect(stage.send("GET /", token: value).status == 200)
        #expect(try stage.offered == ["+a a-1 valid"])
        #expect(stage.send("POST /r", headers: ["Refresh": value]).status == 200)
        #expect(try stage.offered == ["+r r-1 valid"])
    }
}
