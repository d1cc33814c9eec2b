import Basics
import Checking
import HTTPCodec
import JSON
import Reports
import Rules
import ScenarioFormat
import Simulation
import Testing

/// The stories of drafted backends, played by a client that refreshes and by one that does not.
@Suite
struct `Drafted stories` {
    /// An endpoint of a contract, and the refresh that a client sends to it.
    struct Endpoint: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request: String
        var type: String
        var body: @Sendable (String) -> String
        var status = "401"
    }

    private static let form = "application/x-www-form-urlencoded"

    private static let endpoints: [Endpoint] = [
        Endpoint(
            testDescription: "a form with grant_type",
            request: content(form, #"{"grant_type": {"type": "string"}, "refresh_token": {"type": "string"}}"#),
            type: form,
            body: { "grant_type=refresh_token&refresh_token=\($0)" },
            status: "400"
        ),
        Endpoint(
            testDescription: "JSON with grantType",
            request: content(
                "application/json",
                #"{"grantType": {"type": "string"}, "refreshToken": {"type": "string"}}"#
            ),
            type: "application/json",
            body: { #"{"grantType":"refresh_token","refreshToken":"\#($0)"}"# }
        ),
        Endpoint(
            testDescription: "a form without grant_type",
            request: content(form, #"{"refresh_token": {"type": "string"}}"#),
            type: form,
            body: { "refresh_token=\($0)" }
        ),
        Endpoint(
            testDescription: "alternatives of a form",
            request: #"""
                {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": {"oneOf": [
                  {"type": "object", "required": ["user"], "properties": {"user": {"type": "string"}}},
                  {"type": "object", "required": ["grant_type", "refresh_token"],
                   "properties": {"grant_type": {"type": "string"}, "refresh_token": {"type": "string"}}}]}}}}
                """#,
            type: form,
            body: { "grant_type=refresh_token&refresh_token=\($0)" },
            status: "400"
        ),
    ]

    private static func content(_ type: String, _ properties: String) -> String {
        #"{"required": true, "content": {"\#(type)": {"schema": {"type": "object", "properties": \#(properties)}}}}"#
    }

    private func drafting(_ endpoint: Endpoint, lifetime: Int? = nil) throws -> Drafting {
        let error = #"{"description": "", "content": {"application/json": {"schema": {"type": "object"}}}}"#
        let grant = #"""
            {"type": "object", "required": ["access_token", "token_type"], "properties": {
              "access_token": {"type": "string"}, "token_type": {"type": "string"}, "refresh_token": {"type": "string"},
              "expires_in": {"type": "integer", "minimum": 1}}}
            """#
        let example = lifetime.map { seconds in
            #", "example": {"access_token": "a", "token_type": "Bearer", "refresh_token": "b", "expires_in": \#(seconds)}"#
        }
        return try Drafting(
            Drafting.document(
                paths: """
                    {"/token": {"post": {"requestBody": \(endpoint.request), "responses": {
                       "200": {"description": "", "content": {"application/json": {"schema": \(grant)\(example ?? "")}}},
                       "\(endpoint.status)": \(error)}}},
                     "/books": {"get": {"security": [{"bearer": []}], "responses": {
                       "200": {"description": "", "content": {"application/json": {"schema": {"type": "array"}}}},
                       "401": \(error)}}}}
                    """,
                rest: #"{"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}}"#
            )
        )
    }

    /// Plays a story to a client, and returns its statuses and the errors of its verdict.
    private func play(
        _ name: String,
        of drafting: Drafting,
        refreshingAt endpoint: Endpoint?
    ) throws -> (statuses: [Int], errors: [String]) {
        let loaded = try drafting.load(name)
        var now = MonotonicTime(nanoseconds: 1_000_000_000)
        var session = Session(CompiledScenario(loaded.scenario), start: VirtualTime(seconds: 1_800_000_000), at: now)
        let device = try #require(session.ledger.devices.first)
        func token(_ kind: String) throws -> String {
            try #require(session.ledger.tokens(of: device).last { $0.kind == kind }).value
        }
        func send(_ request: HTTPRequest) -> HTTPResponse {
            now = now.advanced(by: .seconds(1))
            let decision = session.decide(IncomingRequest(request), at: now)
            session.end(decision.exchange, .sent, at: now.advanced(by: .milliseconds(1)))
            return decision.response
        }
        func read(with access: String) -> Int {
            send(HTTPRequest(target: "/books", fields: ["Authorization": "Bearer \(access)"])).status.code
        }
        var statuses = [read(with: try token("bearer"))]
        if let endpoint {
            let body = Array(endpoint.body(try token("refresh")).utf8)
            let fields: HTTPFields = ["Content-Type": endpoint.type]
            let renewed = send(HTTPRequest(method: .post, target: "/token", fields: fields, body: body))
            statuses.append(renewed.status.code)
            if renewed.status == .ok {
                let access = try JSONParser().parse(renewed.body).root["access_token"]?.string
                statuses.append(read(with: try #require(access)))
            }
        }
        let verdict = Recording(session, file: name, in: loaded.sources, at: now).verdict
        return (statuses, verdict.findings.filter { $0.severity == .error }.map(\.id))
    }

    @Test(arguments: endpoints)
    func `are played by a client that refreshes`(at endpoint: Endpoint) throws {
        let drafting = try drafting(endpoint)
        #expect(
            try drafting.check().checks.flatMap(\.findings).filter { $0.severity == .error }.map(\.description) == []
        )
        let renewed = try play("access-expired.json", of: drafting, refreshingAt: endpoint)
        #expect(renewed.statuses == [401, 200, 200])
        #expect(renewed.errors == [])
        let refused = try play("refresh-expired.json", of: drafting, refreshingAt: endpoint)
        #expect(refused.statuses == [401, Int(endpoint.status)])
        #expect(refused.errors == [])
        let broken = try play("access-expired.json", of: drafting, refreshingAt: nil)
        #expect(broken.statuses == [401])
        #expect(!broken.errors.isEmpty)
    }

    @Test(arguments: [(3_600, true), (14 * 86_400, false), (30 * 86_400, false)])
    func `expect a refresh only of a token that lives longer than the access token`(lifetime: Int, isRefreshed: Bool)
        throws
    {
        let drafting = try drafting(Self.endpoints[0], lifetime: lifetime)
        #expect(drafting.text(of: isRefreshed ? "refresh-expired.json" : "signed-in.json") != nil)
        let played = try play("access-expired.json", of: drafting, refreshingAt: isRefreshed ? Self.endpoints[0] : nil)
        #expect(played.statuses == (isRefreshed ? [401, 200, 200] : [401]))
        #expect(played.errors == [])
    }

    @Test func `do not sign in by a refresh alone, and name no lifetime that is not documented`() throws {
        let drafting = try drafting(Self.endpoints[0])
        let backend = try JSONParser().parse(try #require(drafting.text(of: "backend.json"))).root
        let route = backend["routes"]?["POST /token"]
        #expect(route?["requires"] == nil)
        #expect(route?["cases"]?[0]?["requires"] == "refresh")
        let kinds = backend["tokens"]?["kinds"]
        #expect(kinds?["bearer"]?["lifetime"] == "1h")
        #expect(kinds?["bearer"]?["$comment"]?.string?.hasSuffix("The lifetime is also a guess.") == true)
        let fixture = try JSONParser().parse(try #require(drafting.text(of: "fixtures/post-token.json"))).root
        #expect(fixture["token_type"] == "Bearer")
        #expect(fixture["refresh_token"] == "{{token.refresh}}")
        #expect(fixture["expires_in"] == nil || fixture["expires_in"] == "{{token.bearer.lifetime}}")
    }

    @Test func `are omitted where no response grants a token`() throws {
        let paths = #"{"/a": {"get": {"security": [{"key": []}], "responses": {"204": {"description": ""}}}}}"#
        let key = #"{"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}"#
        #expect(try Drafting(Drafting.document(paths: paths, rest: key)).draft.storyCount == 0)
    }
}
