import Basics
import Checking
import Foundation
import HTTPCodec
import JSON
import Reports
import ScenarioFormat
import Simulation
import TestSupport
import Testing

/// Every backend that this project has, writes or shows: none of them renews a token that it never issued.
@Suite
struct `A token that was never issued` {
    /// A backend, and the files that it may name.
    private struct Sample {
        var name: String
        var scenario: Scenario
    }

    // MARK: Where backends come from

    private static func shipped() throws -> [Sample] {
        let files = DiskFiles()
        let root = try #require(ProjectRoot(Project.folder, files: files))
        let loader = ScenarioLoader(files: files, project: root)
        let found = try ["Scenarios", "Tests"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: "\(Project.folder)/\(folder)")
                .filter { $0.hasSuffix("backend.json") }.map { "\(Project.folder)/\(folder)/\($0)" }
        }
        return try found.sorted().map { Sample(name: $0, scenario: try loader.load($0).scenario) }
    }

    /// The backends in the guides and in the README; what a page only shows a part of is no whole backend.
    private static func documented() throws -> [Sample] {
        let folder = Project.folder + "/Sources/Guides/Guides.docc"
        let pages = DiskFiles().entries(of: folder).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
        return try (pages + [Project.folder + "/README.md"]).flatMap { page -> [Sample] in
            let text = try Golden.text(of: page)
            return text.components(separatedBy: "```").enumerated().compactMap { number, block in
                guard number % 2 == 1, block.hasPrefix("json"), block.contains("\"backend\"") else { return nil }
                return load(String(block.dropFirst(4)), named: "\(page) block \(number / 2 + 1)")
            }
        }
    }

    private static func load(_ text: String, named name: String) -> Sample? {
        let files = MemoryFiles(["backend.json": text])
        guard let root = ProjectRoot("/project", files: files),
            let loaded = try? ScenarioLoader(files: files, project: root).load("/project/backend.json")
        else { return nil }
        return Sample(name: name, scenario: loaded.scenario)
    }

    private static func drafted() throws -> [Sample] {
        let starter = ScenarioStarter.files(schemaPath: "scenario.schema.json")
        let petstore = try Golden.text(of: Project.folder + "/Tests/CheckingTests/Init/Petstore/openapi.json")
        let draft = try Drafting(petstore)
        return [
            try #require(load(String(decoding: starter[0].bytes, as: UTF8.self), named: "init without a contract")),
            Sample(name: "init of a pet store", scenario: try draft.load().scenario),
            try #require(load(#"{"backend": "B", "issuer": {}}"#, named: "an issuer")),
        ]
    }

    /// An issuer with the defaults of each provider, and with each way in which tokens are signed and bound.
    private static func issuers() throws -> [Sample] {
        let providers = ["apple", "auth0", "cognito", "firebase", "gotrue", "keycloak", "okta"]
        let more =
            providers.map { #""profile": "\#($0)""# } + [
                #""dpop": "optional""#, #""dpop": "required", "algorithm": "ES256""#,
                #""rotate": false, "algorithm": "HS256""#,
                #""rotate": {"grace": "1m", "reuse": "accept"}, "consent": "button""#,
                #""paths": {"token": "/v1/login"}"#,
            ]
        return try more.map { keys in
            let account = #""accounts": {"a": {"username": "a", "password": "b"}}"#
            return try #require(
                load(#"{"backend": "B", \#(account), "issuer": {\#(keys)}}"#, named: "an issuer with \(keys)")
            )
        }
    }

    /// What `import` makes of captures: a refresh by JSON and by a form.
    private static func imported() throws -> [Sample] {
        func entry(_ second: Int, _ target: String, type: String, _ sent: String, _ body: String) -> String {
            """
            {"startedDateTime": "2026-03-01T09:00:0\(second).000Z", "time": 40,
             "request": {"method": "POST", "url": "https://a.example\(target)", "headers": [],
              "postData": {"mimeType": "\(type)", "text": \(JSONValue.string(sent).text())}},
             "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "application/json"}],
              "content": {"mimeType": "application/json", "text": \(JSONValue.string(body).text())}}}
            """
        }
        func tokens(_ number: Int) -> String {
            #"{"access_token":"access-token-47\#(number)","refresh_token":"refresh-token-47\#(number)","expires_in":20}"#
        }
        let ways = [
            ("application/json", #"{"name":"ada","password":"x"}"#, #"{"refresh_token":"refresh-token-471"}"#),
            (
                "application/x-www-form-urlencoded", "grant_type=password&username=ada&password=x",
                "grant_type=refresh_token&refresh_token=refresh-token-471"
            ),
        ]
        return try ways.map { type, login, refresh in
            let entries = [
                entry(0, "/token", type: type, login, tokens(1)),
                entry(1, type == ways[0].0 ? "/renew" : "/token", type: type, refresh, tokens(2)),
            ]
            let text = "{\"log\": {\"entries\": [\(entries.joined(separator: ",\n"))]}}"
            let session = try CapturedSession(try Capture(har: Array(text.utf8), file: "capture.har"))
            let files = try BackendDraft(session, named: "a.example", schemaPath: nil).files
            let backend = try #require(files.first { $0.path == "backend.json" })
            return try #require(load(String(decoding: backend.bytes, as: UTF8.self), named: "an import of \(type)"))
        }
    }

    // MARK: What is tried

    @Test
    func `gets no new tokens from any backend`() throws {
        let issuers = try Self.issuers()
        let imported = try Self.imported()
        let samples = try Self.shipped() + Self.documented() + Self.drafted() + issuers + imported
        var (count, renewing) = (0, Set<String>())
        for sample in samples {
            var attempts = Attempts(sample.scenario)
            for attempt in attempts.all() {
                #expect(attempt.granted == [], "\(sample.name): \(attempt.name) grants to a made-up token")
                #expect(attempt.isRefused, "\(sample.name): \(attempt.name) takes a made-up token")
                if issuers.contains(where: { $0.name == sample.name }), !sample.name.contains("required") {
                    #expect(attempt.error == "invalid_grant", "\(sample.name): \(attempt.name)")
                }
                count += 1
                renewing.insert(sample.name)
            }
        }
        for sample in issuers + imported { #expect(renewing.contains(sample.name), "\(sample.name) renews nothing") }
        // Each of these has a refresh: the four apps, the two guides with tests, the starter, the issuer.
        #expect(samples.count >= 9 && count >= 8, "\(count) refreshes in \(samples.map(\.name))")
    }

    @Test(arguments: [
        #""POST /t": {"requires": {"r": ["valid", "missing"]}, "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "unknown"]}, "grants": {"a": "new"}}"#,
        #""POST /t": {"cases": [{"when": {}, "requires": {"r": "malformed"}, "grants": {"a": "new"}}]}"#,
        #""GET /x": {"requires": "a"}, "POST /t": {"requires": {"r": {"is": ["missing"]}}, "grants": {"r": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing", "malformed"]}, "cases": [{"when": {"token": {"r": "missing"}}, "requires": "r"}], "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing"]}, "cases": [{"when": {"token": {"r": "missing"}, "form": {"x": "1"}}, "status": 400, "empty": true}], "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing"]}, "cases": [{"when": {"token": {"r": {"is": "missing", "in": {"form": "x"}}}}, "status": 400, "empty": true}], "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing"]}, "cases": [{"when": {"form": {"x": "1"}}, "grants": {"a": "new"}}, {"when": {"token": {"r": "missing"}}, "status": 400, "empty": true}], "empty": true}"#,
    ])
    func `that would get new ones is found by a check`(routes: String) throws {
        #expect(try Self.findings(routes).map { $0.prefix(2).joined(separator: " ") } == ["error check/open-grant"])
    }

    @Test(arguments: [
        #""POST /t": {"requires": {"r": "valid", "a": ["expired", "missing"]}, "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "expired", "revoked"]}, "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"a": ["valid", "missing"]}, "signIn": true, "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"a": ["valid", "missing"]}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing", "malformed"]}, "cases": [{"when": {"token": {"r": ["missing", "malformed"]}}, "requires": "r"}], "grants": {"a": "new"}}"#,
        #""POST /t": {"requires": {"r": ["valid", "missing", "malformed"]}, "cases": [{"when": {"any": [{"token": {"r": "missing"}}, {"token": {"r": "malformed"}}]}, "status": 400, "empty": true}], "grants": {"a": "new"}}"#,
        #""POST /t": {"grants": {"a": "new"}}"#,
        #""POST /t": {"cases": [{"when": {"form": {"g": "p"}}, "grants": {"a": "new"}}, {"when": {}, "requires": "r", "grants": {"a": "new"}}]}"#,
    ])
    func `is not suspected where there is nothing to find`(routes: String) throws {
        #expect(try Self.findings(routes).isEmpty)
    }

    @Test
    func `may be of another kind where kinds are one to the server, which is noted`() throws {
        let routes = #""POST /t": {"requires": "r", "grants": {"a": "new"}}"#
        let found = try Self.findings(routes, rules: #""interchangeable": true, "#)
        #expect(found.map { $0.prefix(2).joined(separator: " ") } == ["note check/any-kind-renews"])
    }

    private static func findings(_ routes: String, rules: String = "") throws -> [[String]] {
        let text = """
            {"backend": "B", "tokens": {\(rules)"kinds": {"a": {"lifetime": "1h"}, "r": {"lifetime": "1d", "in": {"form": "r"}}}},
             "routes": {\(routes)}}
            """
        let report = try Check(files: MemoryFiles(["backend.json": text])).run(["/project/backend.json"])
        return report.allFindings.filter { $0.id.hasPrefix("check/open") || $0.id.hasPrefix("check/any") }
            .map { ["\($0.severity)", $0.id, $0.message] }
    }
}

/// Requests to everything that renews tokens, each with a token that was never issued.
private struct Attempts {
    struct Attempt {
        var name: String
        var granted: [String]
        /// Whether the response is an error.
        var isRefused: Bool
        /// The error's code, where the response is one of OAuth 2.
        var error: String?
    }

    private let scenario: Scenario
    private var session: Session
    private let now = MonotonicTime(nanoseconds: 1_000_000_000)

    init(_ scenario: Scenario) {
        self.scenario = scenario
        session = Session(CompiledScenario(scenario), start: VirtualTime(seconds: 1_767_225_600), at: now)
    }

    mutating func all() -> [Attempt] {
        let purposes = RoutePurposes(scenario)
        return scenario.routes.flatMap { route -> [Attempt] in
            let table = purposes.purposes(of: route)
            guard !table.refreshKinds.isEmpty else { return [] }
            let cases = route.cases.indices.filter { table.cases[$0] == .refresh }
            if cases.isEmpty { return [attempt(route.key.text, route, route.requirements, nil)] }
            return cases.map { number in
                let branch = route.cases[number]
                let all = route.requirements + branch.requirements
                return attempt("case \(number + 1) of \(route.key.text)", route, all, branch.condition)
            }
        }
    }

    private mutating func attempt(
        _ name: String,
        _ route: Route,
        _ requirements: [TokenRequirement],
        _ condition: Condition?
    ) -> Attempt {
        var request = MadeUpRequest()
        if let condition { request.satisfy(condition) }
        // An issuer refuses clients that it does not know before it looks at their tokens.
        if let client = session.items.first(where: { $0.collection == "oauthClients" })?.items.first {
            request.identify(as: client)
        }
        for requirement in requirements {
            guard let kind = scenario.tokens.kind(named: requirement.kind), !kind.isForeign else { continue }
            for carrier in requirement.carriers ?? kind.carriers { request.carry(carrier) }
        }
        let path = route.key.template.segments.map { segment -> String in
            switch segment {
            case .literal(let text): "/" + PercentEncoding.encode(text)
            case .parameter, .wildcard: "/1"
            }
        }
        let target = (path.isEmpty ? "/" : path.joined()) + request.queryText
        let message = HTTPRequest(
            method: route.key.method ?? .post,
            target: target,
            fields: request.allFields,
            body: request.body
        )
        _ = session.decide(IncomingRequest(message), at: now)
        let exchange = session.journal.exchanges.last
        let body = exchange.flatMap { try? JSONParser().parse($0.response.body).root }
        // GraphQL reports an error in a response with status 200.
        let isError = exchange.map { $0.response.status >= 400 } ?? false || body?["errors"] != nil
        return Attempt(
            name: name,
            granted: exchange?.granted.filter { $0.source == .new }.map(\.kind) ?? [],
            isRefused: isError && exchange?.offered.isEmpty == false,
            error: body?["error"]?.string
        )
    }
}

/// A request with what a condition requires of it, as far as that is plain, and a made-up token in every place.
private struct MadeUpRequest {
    private static let token = "made-up"
    private var fields = HTTPFields()
    private var query: [(String, String)] = []
    private var form: [(String, String)] = []
    private var json: JSONValue = [:]
    private var hasJSON = false

    mutating func satisfy(_ condition: Condition) {
        switch condition {
        case .all(let conditions): for condition in conditions { satisfy(condition) }
        case .any(let conditions): if let first = conditions.first { satisfy(first) }
        case .request(let part, let matcher):
            guard let text = Self.value(matcher) else { return }
            switch part {
            case .form(let name), .parameter(let name): form.append((name, text))
            case .query(let name): query.append((name, text))
            case .header(let name): fields.append(name, text)
            case .body(let pointer): put(text, at: pointer)
            default: break
            }
        default: break
        }
    }

    private static func value(_ matcher: Matcher) -> String? {
        switch matcher {
        case .equals(let value): value.string ?? value.text(.compact)
        case .oneOf(let values): values.first.map { $0.string ?? $0.text(.compact) }
        case .all(let matchers): matchers.lazy.compactMap(value).first
        default: nil
        }
    }

    mutating func identify(as client: JSONValue) {
        if let id = client["id"]?.string { form.append(("client_id", id)) }
        if let secret = client["secret"]?.string { form.append(("client_secret", secret)) }
    }

    mutating func carry(_ carrier: TokenCarrier) {
        switch carrier.part {
        case .header(let name): fields.append(name, (carrier.scheme.map { "\($0) " } ?? "") + Self.token)
        case .body(let pointer): put(Self.token, at: pointer)
        case .query(let name): query.append((name, Self.token))
        case .form(let name): form.append((name, Self.token))
        case .cookie(let name): fields.append("Cookie", "\(name)=\(Self.token)")
        case .basic: fields.append("Authorization", "Basic \(Base64.encode(Array("app:\(Self.token)".utf8)))")
        default: Issue.record("no token travels in the \(carrier.part.words)")
        }
    }

    private mutating func put(_ text: String, at pointer: JSONPointer) {
        hasJSON = true
        func nested(_ value: JSONValue, _ rest: ArraySlice<String>) -> JSONValue {
            guard let name = rest.first else { return .string(text) }
            var object = value.object ?? JSONObject()
            object[name] = nested(object[name] ?? [:], rest.dropFirst())
            return .object(object)
        }
        json = nested(json, pointer.tokens[...])
    }

    private static func encoded(_ items: [(String, String)]) -> String {
        items.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }.joined(separator: "&")
    }

    var queryText: String { query.isEmpty ? "" : "?" + Self.encoded(query) }

    var body: [UInt8] { form.isEmpty ? hasJSON ? json.utf8(.compact) : [] : Array(Self.encoded(form).utf8) }

    var allFields: HTTPFields {
        var all = fields
        if !form.isEmpty {
            all.append("Content-Type", "application/x-www-form-urlencoded")
        } else if hasJSON {
            all.append("Content-Type", "application/json")
        }
        return all
    }
}
