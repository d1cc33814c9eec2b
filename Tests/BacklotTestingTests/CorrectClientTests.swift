import Basics
import Foundation
import TestSupport
import Testing

@testable import BacklotTesting

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Habits of correct clients that a check must not blame, each next to the mistake that it resembles.
@Suite struct `A client that is right` {
    // MARK: Sessions

    @Test(arguments: [true, false]) func `sends its token against forgery only where the contract wants it`(
        sendsToken: Bool
    )
        async throws
    {
        let report = try await Self.client(
            """
            "/rooms": { "get": { "operationId": "rooms", "security": [{ "session": [] }], "responses": {
              "200": { \(Self.json(#"{ "type": "object" }"#)) }, "401": { "description": "A" } } } }
            """,
            tokens: ["session": "s-1", "csrf": "c-1"]
        ) {
            Call("rooms") { (client: HabitClient) in
                _ = try await client.send("GET", "rooms", fields: sendsToken ? ["Cookie": "sid=s-1"] : [:])
            }
        }.testDocumentedResponses()
        let missing = report.failures.filter { $0.message.contains("without the stored session token") }
        #expect(report.passed == sendsToken && missing.isEmpty == sendsToken, "\(report)")
        #expect(!report.findings.contains { $0.message.contains("csrf") }, "\(report)")
    }

    @Test func `signs in with a cookie that the contract shows and does not require`() async throws {
        let report = try await Self.client(
            """
            "/login": { "post": { "operationId": "login", "responses": { "204": { "description": "A", "headers": {
              "Set-Cookie": { "schema": { "type": "string", "examples": ["sid=abc; Path=/"] } } } } } } }
            """,
            tokens: ["session": "s-1"]
        ) {
            Call("login", .signIn) { (client: HabitClient) in
                let (_, head) = try await client.send("POST", "login")
                guard head.value(forHTTPHeaderField: "Set-Cookie") == "sid=abc; Path=/" else {
                    throw URLError(.badServerResponse)
                }
                client.store.value = ["session": "sid=abc; Path=/"]
            }
        }.testDocumentedResponses()
        #expect(report.passed, "\(report)")
    }

    /// A path with an empty segment for each ID is the client's own error.
    @Test(arguments: [false, true])
    func `is not blamed for an empty ID, which no path can have`(doublesSlash: Bool) async throws {
        let order = #"{ "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } }"#
        let report = try await Self.client(
            """
            "/orders": { "post": { "operationId": "createOrder", "responses": { "201": { \(Self.json(order)) } } } },
            "/orders/{id}": { "get": { "operationId": "getOrder",
              "parameters": [{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" } }],
              "responses": { "200": { \(Self.json(#"{ "type": "object" }"#)) } } } }
            """
        ) {
            Call("createOrder") { (client: HabitClient) in
                let order = try JSONDecoder().decode(Order.self, from: await client.send("POST", "orders").0)
                let id = try #require(order.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                _ = try await client.send("GET", doublesSlash ? "orders//\(id)" : "orders/\(id)")
                return order
            }.accompanied(by: "getOrder")
        }.testResponseVariants(of: "createOrder")
        #expect(report.passed != doublesSlash && report.findings.isEmpty != doublesSlash, "\(report)")
    }

    /// A client that has only its key is not signed in.
    @Test(arguments: [false, true]) func `keeps the app's key when the session ends`(countsKeys: Bool) async throws {
        let granted =
            #"{ "type": "object", "required": ["access_token"], "properties": { "access_token": { "type": "string" } } }"#
        let report = try await Self.client(
            """
            "/login": { "post": { "operationId": "login", "security": [{ "key": [] }], "responses": {
              "200": { \(Self.json(granted)) }, "401": { "description": "A" } } } },
            "/weights": { "get": { "operationId": "weights", "security": [{ "key": [], "bearer": [] }], "responses": {
              "200": { \(Self.json(#"{ "type": "object" }"#)) }, "401": { "description": "A" } } } },
            "/logout": { "post": { "operationId": "logout", "security": [{ "key": [], "bearer": [] }], "responses": {
              "204": { "description": "A" }, "401": { "description": "A" } } } }
            """,
            tokens: ["key": "k-1", "access": "a-1"],
            countsKeys: countsKeys
        ) {
            Call("login", .signIn) { (client: HabitClient) in
                client.store.value = ["key": "k-1"]
                let (body, _) = try await client.send("POST", "login", fields: ["X-Key": "k-1"])
                client.store.value["access"] = try JSONDecoder().decode(Grant.self, from: body).access_token
            }
            Call("weights") { (client: HabitClient) in
                do {
                    _ = try await client.send("GET", "weights", fields: client.bearer)
                } catch {
                    if client.lastStatus.value == 401 { client.store.value["access"] = nil }
                    throw error
                }
            }
            Call("logout", .signOut) { (client: HabitClient) in
                let fields = client.bearer
                client.store.value["access"] = nil
                _ = try await client.send("POST", "logout", fields: fields)
            }
        }.testDocumentedResponses()
        #expect(report.passed, "\(report)")
    }

    @Test func `signs out although another request of the call succeeds after the refusal`() async throws {
        let operation = { (name: String) in
            #"""
            "/\#(name)": { "get": { "operationId": "\#(name)", "security": [{ "bearer": [] }], "responses": {
              "200": { \#(Self.json(#"{ "type": "object" }"#)) }, "401": { "description": "A" } } } }
            """#
        }
        let client = try Self.client("\(operation("profile")), \(operation("summary"))", tokens: ["access": "a-1"]) {
            Call("profile") { (client: HabitClient) in
                let fields = client.bearer
                do {
                    _ = try await client.send("GET", "profile", fields: fields)
                } catch {
                    guard client.lastStatus.value == 401 else { throw error }
                    client.store.value = [:]
                    _ = try await client.send("GET", "summary", fields: fields)
                    throw error
                }
            }.accompanied(by: "summary")
        }
        let report = try await client.testDocumentedResponses(of: "profile")
        #expect(report.passed, "\(report)")
    }

    @Test(arguments: [true, false]) func `keeps the session if the server of the refresh is overloaded`(keeps: Bool)
        async throws
    {
        let token = """
            { "type": "object", "required": ["access_token"], "properties": {
              "access_token": { "type": "string" }, "refresh_token": { "type": "string" } } }
            """
        let client = try Self.client(
            """
            "/token": { "post": { "operationId": "token", "responses": {
              "200": { \(Self.json(token)) }, "400": { "description": "A" } } } },
            "/me": { "get": { "operationId": "me", "security": [{ "bearer": [] }], "responses": {
              "200": { \(Self.json(#"{ "type": "object" }"#)) }, "401": { "description": "A" } } } }
            """,
            tokens: ["access": "a-1", "refresh": "r-1"]
        ) {
            Call("token", .refresh) { (client: HabitClient) in try await client.refresh(keepsSession: keeps) }
            Call("me") { (client: HabitClient) in
                do {
                    _ = try await client.send("GET", "me", fields: client.bearer)
                } catch {
                    guard client.lastStatus.value == 401 else { throw error }
                    _ = try await client.refresh(keepsSession: keeps)
                    _ = try await client.send("GET", "me", fields: client.bearer)
                }
            }
        }
        let report = try await client.testDocumentedResponses(of: "me")
        let lost = report.failures.filter { $0.id == "responses/session-lost" && $0.message.contains("503") }
        #expect(report.passed == keeps && lost.isEmpty == keeps, "\(report)")
        // The call returns the tokens that the client has now, with the former refresh token (RFC 6749, section 6).
        let variants = try await client.testResponseVariants()
        #expect(variants.passed, "\(variants)")
    }

    @Test func `is advised to add the call that refreshes its tokens`() async throws {
        let report = try await Self.client(
            """
            "/token": { "post": { "operationId": "token", "responses": { "200": { "description": "A" } } } },
            "/me": { "get": { "operationId": "me", "responses": { "200": { "description": "A" } } } }
            """,
            tokens: ["access": "a-1", "refresh": "r-1"]
        ) {
            Call("me") { (client: HabitClient) in
                _ = try await client.send("POST", "token", fields: ["X-Refresh": "r-1"])
                _ = try await client.send("GET", "me")
            }
        }.testDocumentedResponses()
        let detour = report.failures.first { $0.id == "responses/wrong-operation" }
        #expect(detour?.advice == #"add the call that refreshes the tokens: Call("token", .refresh)"#, "\(report)")
    }

    // MARK: Bodies

    @Test(arguments: [true, false]) func `throws for the code of an error in a success`(isRight: Bool) async throws {
        let client = try Self.client(
            """
            "/quotes": { "post": { "operationId": "quote", "responses": { "200": { "description": "A", "content": {
              "application/json": {
                "schema": { "type": "object", "required": ["code", "data"], "properties": {
                  "code": { "enum": [0, 1001] }, "data": { "type": ["object", "null"], "required": ["price"], "properties": {
                    "price": { "type": "integer" } } } } },
                "examples": {
                  "inside": { "value": { "code": 0, "data": { "price": 7 } } },
                  "outside": { "value": { "code": 1001, "data": null } } } } } } } } }
            """
        ) {
            Call("quote") { (client: HabitClient) in
                let envelope = try JSONDecoder().decode(Envelope.self, from: await client.send("POST", "quotes").0)
                guard envelope.code == (isRight ? 0 : 1001) else { throw URLError(.cannotParseResponse) }
                return envelope
            }
        }
        for report in [try await client.testDocumentedResponses(), try await client.testResponseVariants()] {
            #expect(report.passed == isRight, "\(report)")
        }
    }

    @Test(arguments: [("application/json", true), (nil, false)]) func `gets the media type that it accepts`(
        accepted: String?,
        isRight: Bool
    ) async throws {
        let report = try await Self.client(
            """
            "/receipt": { "get": { "operationId": "receipt", "responses": { "200": { "description": "A", "content": {
              "application/json": { "schema": { "type": "object" } },
              "text/plain": { "schema": { "type": "string" } } } } } } }
            """
        ) {
            Call("receipt") { (client: HabitClient) in
                let (data, _) = try await client.send("GET", "receipt", fields: accepted.map { ["Accept": $0] } ?? [:])
                guard data.first == UInt8(ascii: "{") else { throw URLError(.cannotParseResponse) }
            }
        }.testDocumentedResponses()
        #expect(report.passed == isRight, "\(report)")
    }

    @Test func `has an empty map for an absent one, and a number for an amount in a text`() async throws {
        let report = try await Self.accounts { account in account }.testResponseVariants()
        #expect(report.passed, "\(report)")
    }

    @Test func `is blamed for another amount`() async throws {
        let report = try await Self.accounts { account in
            Account(labels: account.labels, limit: Decimal(string: "1234567.25") ?? account.limit)
        }.testResponseVariants()
        #expect(report.failures.contains { $0.message.contains("/limit") }, "\(report)")
    }

    // MARK: One cause, one finding

    @Test func `has one finding if it throws for each body`() async throws {
        let report = try await Self.accounts { _ in throw URLError(.userAuthenticationRequired) }.testResponseVariants()
        #expect(
            report.failures.map(\.message).filter { $0.contains("rejects each 200 response") }.count == 1,
            "\(report)"
        )
        #expect(report.failures.count == 1, "\(report)")
    }

    @Test func `has one finding if it returns nothing`() async throws {
        let report = try await Self.client(Self.accountPath) {
            Call("account") { (client: HabitClient) in
                _ = try JSONDecoder().decode(Account.self, from: await client.send("GET", "account").0)
            }
        }.testResponseVariants()
        #expect(
            report.failures.filter { $0.message.contains("account returns nothing for 200") }.count == 1,
            "\(report)"
        )
        #expect(!report.failures.contains { $0.message.contains("became nothing") }, "\(report)")
    }

    @Test func `has one finding for a text that its error quotes`() async throws {
        let report = try await Self.client(
            """
            "/day": { "get": { "operationId": "day", "responses": { "200": { \(Self.json(
                #"{ "type": "object", "required": ["day"], "properties": { "day": { "type": "string", "pattern": "^[0-9]{4}/[0-9]{2}$" } } }"#
            )) } } } }
            """
        ) {
            Call("day") { (client: HabitClient) in
                try JSONDecoder().decode(Day.self, from: await client.send("GET", "day").0)
            }
        }.testResponseVariants()
        #expect(
            report.failures.count == 1 && report.failures.first?.message.contains("“no day: …”") == true,
            "\(report)"
        )
    }

    @Test(arguments: [("kinds=a,b", true), ("kinds=a&kinds=b", false)]) func `writes a list as its contract wants it`(
        query: String,
        isRight: Bool
    ) async throws {
        let report = try await Self.client(
            """
            "/messages": { "get": { "operationId": "messages", "parameters": [{ "name": "kinds", "in": "query",
              "explode": false, "schema": { "type": "array", "items": { "type": "string" } } }],
              "responses": { "204": { "description": "A" } } } }
            """
        ) {
            Call("messages") { (client: HabitClient) in _ = try await client.send("GET", "messages?\(query)") }
        }.testDocumentedResponses()
        #expect(report.passed == isRight && report.failures.count == (isRight ? 0 : 1), "\(report)")
        if !isRight { #expect(report.failures.first?.message.contains("is written 2 times") == true, "\(report)") }
    }

    // MARK: The clients

    private static let accountPath = """
        "/account": { "get": { "operationId": "account", "responses": { "200": { \(json(
            #"{ "type": "object", "required": ["limit"], "properties": { "labels": { "type": "object", "additionalProperties": { "type": "string" } }, "limit": { "type": "string", "pattern": "^-?[0-9]{1,6}\\.[0-9]{2}$" } } }"#
        )) } } } }
        """

    private static func accounts(
        _ change: @escaping @Sendable (Account) throws -> Account
    ) throws -> ClientUnderTest<HabitClient> {
        try client(accountPath) {
            Call("account") { (client: HabitClient) in
                try change(JSONDecoder().decode(Account.self, from: await client.send("GET", "account").0))
            }
        }
    }

    private static func json(_ schema: String) -> String {
        #""description": "A", "content": { "application/json": { "schema": \#(schema) } }"#
    }

    private static func client(
        _ paths: String,
        tokens: [String: String] = [:],
        countsKeys: Bool = false,
        @ListBuilder<Call<HabitClient>> calls: () -> [Call<HabitClient>]
    ) throws -> ClientUnderTest<HabitClient> {
        let folder = try TemporaryFolder()
        let schemes = [
            #""session": { "type": "apiKey", "in": "cookie", "name": "sid" }"#,
            #""key": { "type": "apiKey", "in": "header", "name": "X-Key" }"#,
            #""bearer": { "type": "http", "scheme": "bearer" }"#,
        ].filter { paths.contains($0.prefix { $0 != ":" }) }
        try folder.write(
            """
            { "openapi": "3.1.0", "info": { "title": "A", "version": "1" }, "paths": { \(paths) },
              "components": { "securitySchemes": { \(schemes.joined(separator: ", ")) } } }
            """,
            to: "openapi.json"
        )
        return ClientUnderTest("Habits", contract: folder.path + "/openapi.json", tokens: tokens) { setting in
            withExtendedLifetime(folder) { HabitClient(setting) }
        } session: { client in
            let stored = client.store.value
            if countsKeys { return ObservedSession(tokens: stored) }
            return ObservedSession(isSignedIn: stored.keys.contains { $0 != "key" && $0 != "csrf" }, tokens: stored)
        } calls: {
            calls()
        }
    }
}

private struct Order: Codable, Sendable {
    var id: String
}

private struct Grant: Decodable {
    var access_token: String
}

private struct Envelope: Codable, Sendable {
    struct Quote: Codable, Sendable { var price: Int }

    var code: Int
    var data: Quote?
}

private struct Account: Codable, Sendable {
    var labels: [String: String]
    var limit: Decimal

    private enum Key: CodingKey { case labels, limit }

    init(labels: [String: String], limit: Decimal) { (self.labels, self.limit) = (labels, limit) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        labels = try container.decodeIfPresent([String: String].self, forKey: .labels) ?? [:]
        let text = try container.decode(String.self, forKey: .limit)
        guard let limit = Decimal(string: text) else {
            throw DecodingError.dataCorruptedError(forKey: .limit, in: container, debugDescription: "no amount")
        }
        self.limit = limit
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(labels, forKey: .labels)
        try container.encode("\(limit)", forKey: .limit)
    }
}

private struct Day: Codable, Sendable {
    var day: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .day)
        throw DecodingError.dataCorruptedError(forKey: .day, in: container, debugDescription: "no day: \(text)")
    }
}

private struct HabitClient: Sendable {
    struct Tokens: Codable, Sendable {
        var access_token: String
        var refresh_token: String?
    }

    let setting: TestSetting
    let store: Shared<[String: String]>
    let lastStatus = Shared(0)

    init(_ setting: TestSetting) {
        self.setting = setting
        store = Shared(setting.tokens)
    }

    var bearer: [String: String] {
        ["X-Key": "k-1", "Authorization": "Bearer \(store.value["access"] ?? "")"]
    }

    func send(_ method: String, _ path: String, fields: [String: String] = [:]) async throws -> (Data, HTTPURLResponse)
    {
        var request = URLRequest(url: try #require(URL(string: "\(setting.url)/\(path)")))
        request.httpMethod = method
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        let (data, response) = try await setting.send(request)
        lastStatus.value = response.statusCode
        guard 200..<300 ~= response.statusCode else { throw URLError(.badServerResponse) }
        return (data, response)
    }

    func refresh(keepsSession: Bool) async throws -> Tokens {
        do {
            let (data, _) = try await send("POST", "token", fields: ["X-Refresh": store.value["refresh"] ?? ""])
            var tokens = try JSONDecoder().decode(Tokens.self, from: data)
            tokens.refresh_token = tokens.refresh_token ?? store.value["refresh"]
            store.value = ["access": tokens.access_token, "refresh": tokens.refresh_token ?? ""]
            return tokens
        } catch {
            if !keepsSession || lastStatus.value == 400 { store.value = [:] }
            throw error
        }
    }
}

/// A value that a client and its test share.
private final class Shared<Value: Sendable>: Sendable {
    private let lock: Lock<Value>

    init(_ value: Value) { lock = Lock(value) }

    var value: Value {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }
}
