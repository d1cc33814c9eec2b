import JSON
import Simulation
import Testing

/// Accounts are items too, and collections can be each account's own.
@Suite struct `An account` {
    private static let app = """
        "tokens": { "kinds": { "access": {
            "lifetime": "1h", "claims": { "sub": "{{account#/_id}}", "nick": "{{account.nick}}" }
        } } },
        "counters": { "user": 10 },
        "accounts": {
            "mina": { "_id": "u1", "nick": "Mina", "followers": [] },
            "jun": { "_id": "u2", "nick": "Jun", "followers": [] }
        },
        "collections": {
            "accounts": { "embed": { "/followers": {
                "all": "accounts", "where": { "/_id": { "oneOf": "{{item#/followers}}" } }, "show": ["nick"]
            } } },
            "lectures": { "per": "account", "items": [
                { "id": "{{counter.user}}", "of": "{{account.nick}}", "mark": "{{uuid}}", "at": "{{clock(format: seconds)}}" },
                { "id": "{{counter.user}}", "of": "{{account.nick}}", "mark": "{{uuid}}" }
            ] }
        },
        "given": [
            { "signIn": "phone", "account": "mina", "ago": "1m" }, { "signIn": "tablet", "account": "jun", "ago": "1m" }
        ],
        "routes": {
            "POST /join": {
                "find": { "user": { "one": "accounts", "where": { "/email": "{{request.body#/email}}" } } },
                "cases": [{ "when": { "found": { "user": true } }, "status": 409, "empty": true }],
                "json": { "id": "{{found.user#/_id}}", "token": "{{token.access}}" },
                "then": [{ "create": "accounts", "name": "{{request.body#/email}}", "as": "user", "item": {
                    "_id": "{{counter.user}}", "email": "{{request.body#/email}}", "nick": "{{request.body#/nick}}"
                } }],
                "signIn": { "account": "{{found.user.name}}", "device": "new" },
                "grants": { "access": "new" }
            },
            "GET /me": { "requires": "access", "json": "{{account.nick}}" },
            "PATCH /me": {
                "requires": "access",
                "find": { "me": { "one": "accounts", "where": { "/_id": "{{account#/_id}}" } } },
                "json": ["{{account.nick}}", "{{found.me#/nick}}"],
                "then": [{ "update": "me", "set": { "/nick": "{{request.body#/nick}}" } }]
            },
            "DELETE /me": {
                "requires": "access",
                "find": { "me": { "one": "accounts", "where": { "/_id": "{{account#/_id}}" } } },
                "empty": true, "then": [{ "delete": "me" }]
            },
            "POST /{id}/follow": {
                "requires": "access",
                "find": { "user": { "one": "accounts", "where": { "/_id": "{{request.path.id}}" } } },
                "json": "{{found.user#/followers}}",
                "then": [{ "update": "user", "add": { "/followers": "{{account#/_id}}" } }]
            },
            "GET /lectures": {
                "requires": "access", "find": { "x": { "all": "lectures" } }, "json": "{{found.x#/items}}"
            },
            "POST /lectures/{id}": {
                "requires": "access",
                "find": { "x": { "one": "lectures", "where": { "/id": "{{request.path.id}}" } } },
                "json": "{{found.x#/done}}", "then": [{ "update": "x", "set": { "/done": true } }]
            },
            "GET /lectures/of/{name}": {
                "find": { "x": { "all": "lectures", "account": "{{request.path.name}}", "where": { "/done": true } } },
                "json": ["{{found.x#/total}}", "{{found.x#/items/0/of ?? null}}"]
            }
        }
        """

    private func claims(_ token: String) throws -> JSONValue {
        var text = try #require(token.split(separator: ".").dropFirst().first.map(String.init))
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in text.utf8 {
            guard let value = alphabet.firstIndex(of: byte) else { continue }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return try JSONParser().parse(bytes).root
    }

    @Test func `can join, and its tokens speak of it`() throws {
        var client = try SessionClient(Self.app)
        let answer = client.send("POST /join", body: #"{"email": "new@x.y", "nick": "New"}"#)
        let json = answer.json
        #expect(json["id"] == 11)
        let token = try #require(json["token"]?.string)
        let claims = try claims(token)
        #expect(claims["sub"] == 11 && claims["nick"] == "New")
        #expect(client.send("GET /me", token: token).text == #""New""#)
        #expect(client.send("POST /join", body: #"{"email": "new@x.y", "nick": "Again"}"#).status == 409)
        #expect(client.session.items(of: "accounts")?.count == 3)
    }

    @Test func `is read as it is now`() throws {
        var client = try SessionClient(Self.app)
        let (mina, jun) = (
            try client.token("access", of: "phone").value, try client.token("access", of: "tablet").value
        )
        #expect(client.send("PATCH /me", token: mina, body: #"{"nick": "Min"}"#).text == #"["Min","Min"]"#)
        #expect(client.send("GET /me", token: mina).text == #""Min""#)
        #expect(client.send("GET /me", token: jun).text == #""Jun""#)
    }

    @Test func `shows who follows it`() throws {
        var client = try SessionClient(Self.app)
        let (mina, jun) = (
            try client.token("access", of: "phone").value, try client.token("access", of: "tablet").value
        )
        #expect(client.send("POST /u1/follow", token: jun).text == #"[{"nick":"Jun"}]"#)
        #expect(client.send("POST /u1/follow", token: mina).text == #"[{"nick":"Mina"},{"nick":"Jun"}]"#)
        #expect(client.send("POST /u1/follow", token: jun).text == #"[{"nick":"Mina"},{"nick":"Jun"}]"#)
    }

    @Test func `that is deleted leaves its tokens, and has no data`() throws {
        var client = try SessionClient(Self.app)
        let token = try client.token("access", of: "phone").value
        client.send("DELETE /me", token: token)
        let answer = client.send("GET /me", token: token)
        #expect(answer.status == 200 && answer.text == "null")
        #expect(client.session.items(of: "accounts")?.count == 1)
    }

    @Test func `that is made twice makes the tool object`() throws {
        var client = try SessionClient(
            """
            "accounts": { "ann": { "id": 1 } },
            "routes": { "POST /": {
                "json": 1, "then": [{ "create": "accounts", "name": "ann", "item": { "id": 2 } }]
            } }
            """
        )
        let answer = client.send("POST /")
        #expect(answer.status == 500 && answer.text.contains("account-exists"))
        #expect(client.session.items(of: "accounts")?.count == 1)
    }

    // MARK: Copies

    @Test func `has its own copy of a collection, the same whenever it is needed`() throws {
        var (first, second) = (try SessionClient(Self.app), try SessionClient(Self.app))
        let (mina, jun) = (try first.token("access", of: "phone").value, try first.token("access", of: "tablet").value)
        let early = first.send("GET /lectures", token: mina).text
        second.advance(.seconds(60))
        second.send("POST /join", body: #"{"email": "new@x.y", "nick": "New"}"#)
        let other = second.send("GET /lectures", token: jun).text
        #expect(second.send("GET /lectures", token: mina).text == early)
        #expect(first.send("GET /lectures", token: jun).text == other)
        #expect(early != other)
        let items = try #require(try JSONParser().parse(Array(early.utf8)).root.array)
        #expect(items.compactMap { $0["id"]?.int } == [11, 12])
        #expect(items.compactMap { $0["of"]?.string } == ["Mina", "Mina"])
        #expect(items[0]["at"] == 1_700_000_000)
        // What is made later does not get their numbers.
        #expect(first.session.counterValues.first?.value == 12)
    }

    @Test func `changes its own copy alone`() throws {
        var client = try SessionClient(Self.app)
        let token = try client.token("access", of: "phone").value
        #expect(client.send("POST /lectures/11", token: token).text == "true")
        #expect(client.send("GET /lectures/of/mina").text == #"[1,"Mina"]"#)
        #expect(client.send("GET /lectures/of/jun").text == "[0,null]")
        #expect(client.send("GET /lectures/of/unknown").text == "[0,null]")
        let copies = client.session.items.filter { $0.collection == "lectures" }
        #expect(copies.map(\.account) == ["jun", "mina"])
        #expect(copies.map(\.items.count) == [2, 2])
    }

    @Test func `that nobody names is the default one`() throws {
        var client = try SessionClient(Self.app)
        try client.enact(#"{"create": "lectures", "item": {"id": 99}}"#)
        try client.enact(#"{"create": "lectures", "account": "jun", "item": {"id": 98}}"#)
        #expect(client.session.items(of: "lectures", account: "mina")?.last == ["id": 99])
        #expect(client.session.items(of: "lectures")?.last == ["id": 99])
        #expect(client.session.items(of: "lectures", account: "jun")?.last == ["id": 98])
        #expect(client.session.items(of: "lectures", account: "unknown") == nil)
    }
}
