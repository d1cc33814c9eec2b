import HTTPCodec
import JSON
import ScenarioFormat
import Simulation
import Testing

/// What a token is, and what becomes of it.
struct TokenTests {
    // MARK: Where it travels

    private static let carriers = """
        "tokens": {"kinds": {
          "access": {"lifetime": "1h", "format": "opaque", "in": {"header": "Authorization", "scheme": "Bearer"},
            "reject": {"*": {"status": 401, "json": "{{request.method}} other"}, "missing": {"status": 401, "json": "none"},
              "unknown": {"status": 401, "json": "unknown"}}},
          "exact": {"lifetime": "1h", "format": "opaque",
            "in": {"header": "X-Exact", "scheme": "Bearer", "exactScheme": true}},
          "plain": {"lifetime": "1h", "format": "opaque", "in": {"header": "X-Token"}},
          "both": {"lifetime": "1h", "format": "opaque", "in": [{"body": "/auth/token"}, {"query": "token"}]}}},
        "given": [{"signIn": "phone", "ago": "10m"}],
        "routes": {
          "POST /access": {"requires": "access"}, "POST /plain": {"requires": "plain"},
          "POST /both": {"requires": "both"}, "POST /exact": {"requires": "exact"},
          "POST /moved": {"requires": {"access": {"in": {"query": "key"}, "reject": {"missing": {"status": 400}}}}}}
        """

    struct Carrying: Sendable, CustomTestStringConvertible {
        var request: String
        var headers: HTTPFields = HTTPFields()
        var body = ""
        var status: Int
        var standing: String

        var testDescription: String { "\(request) \(headers) \(body)" }
    }

    @Test(arguments: [
        Carrying(request: "POST /access", headers: ["Authorization": "Bearer ACCESS"], status: 200, standing: "valid"),
        Carrying(request: "POST /access", headers: ["authorization": "bEaReR ACCESS"], status: 200, standing: "valid"),
        Carrying(request: "POST /access", headers: ["Authorization": "Bearer  ACCESS"], status: 200, standing: "valid"),
        Carrying(
            request: "POST /access",
            headers: ["Authorization": "Basic ACCESS"],
            status: 401,
            standing: "malformed"
        ),
        Carrying(
            request: "POST /access",
            headers: ["Authorization": "BearerACCESS"],
            status: 401,
            standing: "malformed"
        ),
        Carrying(request: "POST /access", headers: ["Authorization": "Bearer"], status: 401, standing: "malformed"),
        Carrying(request: "POST /access", headers: ["Authorization": "Bearer "], status: 401, standing: "malformed"),
        Carrying(request: "POST /access", headers: ["Authorization": "ACCESS"], status: 401, standing: "malformed"),
        Carrying(request: "POST /access", headers: ["Authorization": ""], status: 401, standing: "missing"),
        Carrying(request: "POST /access", status: 401, standing: "missing"),
        Carrying(
            request: "POST /access",
            headers: ["Authorization": "Bearer nonsense"],
            status: 401,
            standing: "unknown"
        ),
        Carrying(
            request: "POST /access",
            headers: ["Authorization": "Bearer PLAIN"],
            status: 401,
            standing: "wrongKind"
        ),
        Carrying(request: "POST /plain", headers: ["X-Token": "PLAIN"], status: 200, standing: "valid"),
        Carrying(request: "POST /plain", headers: ["X-Token": "Bearer PLAIN"], status: 401, standing: "unknown"),
        Carrying(request: "POST /both", body: #"{"auth": {"token": "BOTH"}}"#, status: 200, standing: "valid"),
        Carrying(request: "POST /both?token=BOTH", status: 200, standing: "valid"),
        Carrying(request: "POST /both?token=BOTH", body: #"{"auth": {"token": 7}}"#, status: 200, standing: "valid"),
        Carrying(request: "POST /both", body: #"{"auth": {"token": 7}}"#, status: 401, standing: "malformed"),
        Carrying(request: "POST /both", body: #"{"auth": {"token": null}}"#, status: 401, standing: "missing"),
        Carrying(request: "POST /both?token=", body: "not JSON", status: 400, standing: "missing"),
        Carrying(request: "POST /exact", headers: ["x-exact": "Bearer EXACT"], status: 200, standing: "valid"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "bearer EXACT"], status: 401, standing: "malformed"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "Bearer  EXACT"], status: 401, standing: "malformed"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "BearerEXACT"], status: 401, standing: "malformed"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "Bearer "], status: 401, standing: "malformed"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "Bearer"], status: 401, standing: "malformed"),
        Carrying(request: "POST /exact", headers: ["X-Exact": "Bearer x"], status: 401, standing: "unknown"),
        Carrying(request: "POST /exact", status: 401, standing: "missing"),
        Carrying(request: "POST /moved?key=ACCESS", status: 200, standing: "valid"),
        Carrying(request: "POST /moved", headers: ["Authorization": "Bearer ACCESS"], status: 400, standing: "missing"),
    ])
    func `A token is found where it travels`(row: Carrying) throws {
        var client = try SessionClient(Self.carriers)
        let values = try ["ACCESS", "EXACT", "PLAIN", "BOTH"].map { ($0, try client.token($0.lowercased()).value) }
        func filled(_ text: String) -> String {
            values.reduce(text) { text, value in
                text.split(separator: value.0, omittingEmptySubsequences: false).joined(separator: value.1)
            }
        }
        var headers = HTTPFields()
        for (name, value) in row.headers { headers.append(name, filled(value)) }
        let answer = client.send(filled(row.request), headers: headers, body: filled(row.body))
        #expect(answer.status == row.status)
        let judged = try client.lastExchange.offered.filter { $0.isAccepted != nil }
        #expect(judged.map(\.standing.rawValue) == [row.standing])
        #expect(judged.first?.isAccepted == (row.standing == "valid"))
    }

    @Test func `A general answer serves where a standing has none`() throws {
        var client = try SessionClient(Self.carriers)
        #expect(client.send("POST /access").text == "\"none\"")
        // What is malformed is unknown, more generally.
        #expect(client.send("POST /access", headers: ["Authorization": "Basic x"]).text == "\"unknown\"")
        let access = try client.token("access").value
        try client.enact(#"{"revoke": "access"}"#)
        #expect(client.send("POST /access", token: access).text == "\"POST other\"")
        // Without any response of the scenario, the tool's own.
        let answer = client.send("POST /plain")
        #expect(answer.status == 401 && answer.problem == "token-missing")
        #expect(answer.fields["WWW-Authenticate"] == "Bearer realm=\"backlot\"")
        #expect(
            client.send("POST /plain", headers: ["X-Token": "x"]).fields["WWW-Authenticate"]?.contains("unknown")
                == true
        )
    }

    // MARK: What the journal says of it

    @Test func `The journal has each token once, judged where the route wanted it`() throws {
        var client = try SessionClient(Self.carriers)
        let access = try client.token("access").value
        let plain = try client.token("plain").value
        client.send("POST /access", token: access, headers: ["X-Token": plain])
        #expect(try client.offered == ["+access access-1 valid", "plain plain-1 valid"])
        // A malformed one stands for itself, and not for the unknown one elsewhere.
        client.send("POST /access", headers: ["Authorization": "Basic x", "X-Token": "y"])
        #expect(try client.offered == ["plain ? unknown", "-access ? malformed"])
        client.send("POST /access", headers: ["Authorization": "Bearer y", "X-Token": "y"])
        #expect(try client.offered == ["-access ? unknown"])
        client.send("POST /access?token=\(access)")
        #expect(try client.offered == ["access access-1 valid", "-access ? missing"])
        client.send("GET /nowhere", token: access)
        #expect(try client.offered == ["access access-1 valid"])
        #expect(try client.lastExchange.device == "phone")
        let entry = try #require(try client.lastExchange.offered.first)
        #expect(entry.age == .seconds(600) && entry.timeLeft == .seconds(3_000) && entry.device == "phone")
    }

    @Test func `Two tokens are judged in their order, each with its own states`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"access": {"lifetime": "10m", "in": {"header": "Authorization"}},
                                 "refresh": {"lifetime": "1d", "in": {"header": "Refresh"}}}},
            "given": [{"signIn": "phone", "ago": "0s"}],
            "routes": {"GET /refresh": {
              "requires": {"refresh": "valid", "access": {"is": "expired", "reject": {"valid": {"status": 409}}}},
              "grants": {"access": "new"}, "json": "{{token.access}}"}}
            """
        )
        let access = try client.token("access").value
        let refresh = try client.token("refresh").value
        let headers: HTTPFields = ["Authorization": access, "Refresh": refresh]
        #expect(client.send("GET /refresh", headers: headers).status == 409)
        #expect(try client.offered == ["-access access-1 valid", "+refresh refresh-1 valid"])
        client.advance(.seconds(600))
        #expect(client.send("GET /refresh", headers: headers).status == 200)
        #expect(try client.offered == ["+access access-1 expired", "+refresh refresh-1 valid"])
        #expect(try client.token("access").parent == "access-1")
        #expect(try client.lastExchange.granted.map(\.id) == ["access-2"])
        client.advance(.seconds(86_400))
        #expect(client.send("GET /refresh", headers: headers).status == 401)
        #expect(try client.offered == ["access access-1 expired", "-refresh refresh-1 expired"])
    }

    // MARK: Time

    @Test func `A token expires at its very second, and not a moment before`() throws {
        var client = try SessionClient(
            """
            "clock": {"frozen": true}, "given": [{"signIn": "phone", "ago": "0s"}],
            "tokens": {"kinds": {"access": {"lifetime": "1h"}}}, "routes": {"GET /": {"requires": "access"}}
            """
        )
        let token = try client.token("access").value
        #expect(client.send("GET /", token: token).status == 200)
        client.advance(.microseconds(3_599_999_999))
        #expect(client.send("GET /", token: token).status == 200)
        client.advance(.microseconds(1))
        #expect(client.send("GET /", token: token).status == 401)
        try client.enact(#"{"set": "2023-11-14T22:13:20Z"}"#)
        #expect(client.send("GET /", token: token).status == 200)
    }

    @Test func `A lifetime of nothing makes a token that is never valid`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"access": {"lifetime": "0s"}}},
            "routes": {"POST /in": {"grants": {"access": "new"}, "json": ["{{token.access}}", "{{token.access.lifetime}}"]},
                       "GET /": {"requires": "access"}}
            """
        )
        let answer = client.send("POST /in")
        let token = try #require(answer.json[0]?.string)
        #expect(answer.json[1] == 0)
        #expect(client.send("GET /", token: token).status == 401)
        #expect(try client.offered == ["-access access-1 expired"])
    }

    @Test(arguments: ["jwt", "opaque"])
    func `The longest lifetime and the longest advance do not overflow`(format: String) throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"access": {"lifetime": "3650000d", "format": "\(format)"}}},
            "given": [{"signIn": "phone", "ago": "3650000d"}],
            "routes": {"GET /": {"requires": "access", "grants": {"access": "new"}, "json": "{{clock}} {{clock(format: yyyy)}}"}}
            """
        )
        for _ in 1...60 {
            client.send("GET /", token: try client.token("access").value)
            client.advance(DurationText.maximum)
            client.pass(.seconds(1))
        }
        #expect(client.session.time(at: client.now).microseconds == .max)
        #expect(client.send("GET /", token: try client.token("access").value).status == 401)
        #expect(client.session.tokensJSON(at: client.now)["devices"] != nil)
        #expect(!client.canonicalJournal.isEmpty)
    }

    // MARK: Granting

    private static let signIn = """
        "accounts": {"ann": {"id": 7, "name": "Ann"}, "ben": {"id": 8, "name": null}},
        "devices": {"header": "X-Device"},
        "tokens": {"claims": {"sub": "{{account.id}}"}, "kinds": {
          "access": {"lifetime": "1h", "claims": {"name": "{{account.name}}", "dev": "{{device}}"}},
          "refresh": {"lifetime": "1d", "jti": true, "rotate": true}}},
        "routes": {
          "POST /in": {"grants": {"access": "new", "refresh": "new"}, "json": ["{{token.access}}", "{{token.refresh}}"]},
          "POST /as/{who}": {"signIn": {"account": "{{request.path.who}}", "device": "{{request.query.d ?? null}}"},
            "grants": {"refresh": "new"}, "json": ["{{device}}", "{{account}}"]},
          "POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "new"},
            "json": ["{{token.access}}", "{{token.refresh}}"]},
          "POST /move": {"requires": "refresh", "signIn": {"device": "tablet"}, "grants": {"refresh": "new"}, "json": "{{device}}"},
          "POST /none": {"requires": "refresh", "grants": {"access": "none"}, "json": "{{token.access}}"}}
        """

    @Test func `A grant without an accepted token is a sign-in, and names its device`() throws {
        var client = try SessionClient(Self.signIn)
        client.send("POST /in")
        #expect(try client.lastExchange.device == "device-1")
        #expect(try client.lastExchange.account == "ann")
        client.send("POST /in", headers: ["X-Device": "phone"])
        #expect(try client.lastExchange.device == "phone")
        client.send("POST /in", token: "a token of another server")
        #expect(try client.lastExchange.device == "device-2")
        #expect(client.send("POST /as/ben?d=tablet").json == ["tablet", "ben"])
        #expect(client.send("POST /as/ben").json == ["device-3", "ben"])
        #expect(client.session.ledger.devices.map(\.name) == ["device-1", "phone", "device-2", "tablet", "device-3"])
        #expect(try client.token("access").id == "access-3")
        client.send("POST /in", headers: ["X-Device": "phone"])
        #expect(try client.token("refresh", of: "phone").family == 2)
    }

    @Test func `A refresh goes on in its device's family, whatever the header says`() throws {
        var client = try SessionClient(Self.signIn)
        client.send("POST /as/ben", headers: ["X-Device": "phone"])
        let first = try client.token("refresh", of: "phone")
        client.send("POST /refresh", token: first.value, headers: ["X-Device": "another"])
        let second = try client.token("refresh")
        #expect(second.device == "phone" && second.account == "ben" && second.family == first.family)
        #expect(second.parent == first.id && second.id == "refresh-2")
        #expect(client.send("POST /move", token: second.value).json == "tablet")
        #expect(try client.token("refresh").device == "tablet")
        #expect(client.send("POST /none", token: try client.token("refresh").value).json.isNull)
        #expect(try client.lastExchange.granted.map(\.source) == [.none])
    }

    @Test func `A JWT carries the claims of its account, with their types`() throws {
        var client = try SessionClient(Self.signIn)
        client.send("POST /as/ben", headers: ["X-Device": "phone"])
        client.send("POST /refresh", token: try client.token("refresh").value)
        let token = try client.token("access")
        let parts = token.value.split(separator: ".")
        #expect(parts.count == 3)
        #expect(
            try payload(token)
                == [
                    "iat": 1_700_000_000, "exp": 1_700_003_600, "sub": 8, "name": .null, "dev": "phone",
                    "jti": .string(token.id),
                ] as JSONValue
        )
        #expect(try payload(try client.token("refresh"))["jti"] == "refresh-2")
    }

    private func payload(_ token: Token) throws -> JSONValue {
        let part = token.value.split(separator: ".")[1]
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for character in part.utf8 {
            bits = bits << 6 | (alphabet.firstIndex(of: character) ?? 0)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return try JSONParser().parse(bytes).root
    }

    @Test func `Claims that are drawn differ from token to token and not from run to run`() throws {
        let scenario = """
            "tokens": {"claims": {"sid": "{{uuid}}", "n": "{{counter.n}}"}, "kinds": {"access": {"lifetime": "1h"}}},
            "counters": {"n": 10}, "routes": {"POST /in": {"grants": {"access": "new"}, "json": "{{token.access}}"}}
            """
        var one = try SessionClient(scenario)
        var other = try SessionClient(scenario)
        let tokens = (1...3).map { _ in one.send("POST /in").text }
        #expect(Set(tokens).count == 3)
        #expect((1...3).map { _ in other.send("POST /in").text } == tokens)
        #expect(try payload(try one.token("access"))["n"] == 13)
    }

    @Test func `Placeholders tell everything about a granted token, with its type`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "90m"}, "b": {"lifetime": "1h"}}},
            "routes": {"POST /in": {"grants": {"a": "new"}, "json": ["{{token.a.id}}", "{{token.a.lifetime}}",
              "{{token.a.issuedAt}}", "{{token.a.expiresAt}}", "in {{token.a.lifetime}} s", "{{token.b}}"]}}
            """
        )
        #expect(
            client.send("POST /in").json
                == ["a-1", 5_400, 1_700_000_000, 1_700_005_400, "in 5400 s", .null] as JSONValue
        )
    }

    // MARK: Stored copies

    @Test(arguments: [("device", "refresh-1"), ("account", "refresh-2")])
    func `A stored token comes from its device's slot, or from its account's`(owner: String, id: String) throws {
        var client = try SessionClient(
            """
            "tokens": {"stored": "\(owner)", "signOut": {"revoke": [], "forget": ["refresh"]}, "kinds": {
              "access": {"lifetime": "1h"}, "refresh": {"lifetime": "1d", "jti": true}}},
            "given": [{"signIn": "phone", "ago": "2h"}, {"signIn": "tablet", "ago": "1h"}],
            "routes": {"POST /refresh": {"requires": "refresh", "grants": {"access": "new", "refresh": "stored"},
              "json": "{{token.refresh}}"}, "POST /out": {"requires": "refresh", "then": [{"signOut": "caller"}]}}
            """
        )
        let phone = try client.token("refresh", of: "phone").value
        #expect(client.send("POST /refresh", token: phone).json.string == client.session.ledger.token(id: id)?.value)
        #expect(try client.lastExchange.granted.map(\.id) == ["access-3", id])
        client.send("POST /out", token: phone)
        #expect(client.send("POST /refresh", token: phone).json.isNull)
        #expect(try client.lastExchange.granted.map(\.id) == ["access-4", nil])
        let tablet = client.send("POST /refresh", token: try client.token("refresh", of: "tablet").value)
        #expect(tablet.json.isNull == (owner == "account"))
    }

    // MARK: Events

    @Test func `Expire, revoke and forget strike the kind and the device that they name`() throws {
        var client = try SessionClient(
            """
            "tokens": {"kinds": {"a": {"lifetime": "1h", "jti": true}, "r": {"lifetime": "1d", "jti": true}}},
            "given": [{"signIn": "phone", "ago": "10m"}, {"signIn": "tablet", "ago": "5m"}],
            "routes": {"GET /": {}}
            """
        )
        func standings() -> String {
            client.session.ledger.tokens.map { $0.standing(now: client.session.time(at: client.now)).rawValue }
                .joined(separator: " ")
        }
        #expect(standings() == "valid valid valid valid")
        try client.enact(#"{"expire": "a", "device": "phone"}"#)
        #expect(standings() == "expired valid valid valid")
        try client.enact(#"{"revoke": "*", "device": "tablet"}"#)
        #expect(standings() == "expired valid revoked revoked")
        try client.enact(#"{"issue": "a"}"#)
        #expect(standings() == "expired valid revoked revoked valid valid")
        try client.enact(#"{"issue": "r", "device": "phone"}"#)
        try client.enact(#"{"issue": "r", "device": "unknown"}"#)
        #expect(standings() == "expired valid revoked revoked valid valid valid")
        try client.enact(#"{"revoke": "r"}"#)
        #expect(standings() == "expired revoked revoked revoked valid valid revoked")
        try client.enact(#"{"signOut": "phone"}"#)
        #expect(standings() == "revoked revoked revoked revoked revoked valid revoked")
        try client.enact(#"{"expire": "*"}"#)
        #expect(standings() == "revoked revoked revoked revoked revoked expired revoked")
    }
}
