import Basics
import EventLoops
import HTTPCodec
import HTTPServing
import JSON
import StoryRunning
import StubServing
import TestSupport
import Testing

/// The page of a running server, and the calls of the admin API that it is made from.
@Suite(.timeLimit(.minutes(15)))
struct LivePageTests {
    private static let backend = """
        {
          "backend": "Page", "clock": { "frozen": true },
          "accounts": { "ada": { "id": 7 } },
          "tokens": { "kinds": { "access": { "lifetime": "2h" }, "refresh": { "lifetime": "30d", "format": "opaque" } } },
          "states": { "member": ["new", "old"] },
          "routes": {
            "POST /login": { "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}" } },
            "GET /notes": { "requires": "access", "text": "[1.50]" },
            "POST /echo": { "text": "{{request.body}}" }
          }
        }
        """
    private static let story = """
        { "extends": "backend.json", "id": "S-1", "title": "Old", "about": "It was.", "given": [{ "signIn": "phone" }],
          "expect": [{ "request": "GET /notes", "count": 1 }] }
        """
    private static let browser: HTTPFields = ["Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"]

    private func withPage(
        _ configure: (inout StubServer.Configuration) -> Void = { _ in },
        _ body: (Stub) async throws -> Void
    ) async throws {
        try await withStub(Self.backend, files: ["story.json": Self.story], configure, body)
    }

    // MARK: The document

    @Test(arguments: ["/__backlot", "/__backlot/", "/__session/default/__backlot/"])
    func `A browser gets a page that runs nothing but its own script`(path: String) async throws {
        try await withPage { stub in
            let client = try stub.client()
            let response = try client.get(path, Self.browser)
            #expect(response.code == 200)
            #expect(response.fields["Content-Type"] == "text/html; charset=utf-8")
            #expect(response.fields["X-Frame-Options"] == "DENY")
            #expect(response.fields["X-Content-Type-Options"] == "nosniff")
            #expect(response.fields["Cache-Control"] == "no-store")
            let policy = try Policy(#require(response.fields["Content-Security-Policy"]))
            #expect(policy["default-src"] == "'none'")
            #expect(policy["frame-ancestors"] == "'none'")
            #expect(policy["base-uri"] == "'none'")
            #expect(policy["form-action"] == "'none'")
            #expect(policy["connect-src"] == "'self'")
            #expect(policy["require-trusted-types-for"] == "'script'")

            let page = response.text
            let nonce = try #require(policy["script-src"]).dropFirst("'nonce-".count).dropLast()
            #expect(nonce.utf8.count == 24)
            #expect(policy["style-src"] == policy["script-src"])
            #expect(page.contains("<script nonce=\"\(nonce)\">") && page.contains("<style nonce=\"\(nonce)\">"))
            #expect(page.split(separator: "<script").count == 2)
            #expect(page.split(separator: "</script").count == 2)
            #expect(!page.contains("{{"))
            #expect(!page.lowercased().contains("innerhtml"))
            #expect(page.firstMatch(of: #/<[^>]* on[a-z]+=/#) == nil, "no handlers in the markup")
            #expect(page.firstMatch(of: #/(src|href)="https?:/#) == nil, "nothing from elsewhere")
            #expect(page.firstMatch(of: #/<[^>]* style=/#) == nil, "no styles in the markup")

            let next = try client.get(path, Self.browser)
            #expect(next.fields["Content-Security-Policy"] != response.fields["Content-Security-Policy"])
        }
    }

    @Test(arguments: ["application/json", "*/*", "text/*;q=0.5", nil])
    func `Other clients get the list of parts`(accept: String?) async throws {
        try await withPage { stub in
            let response = try stub.client().get("/__backlot/", accept.map { ["Accept": $0] } ?? [:])
            #expect(response.fields["Content-Type"] == "application/json")
            #expect(try response.json["parts"]?.array?.isEmpty == false)
        }
    }

    @Test func `A page from elsewhere gets neither the page nor what it shows`() async throws {
        try await withPage { stub in
            let client = try stub.client()
            for path in ["/__backlot/", "/__backlot/changes", "/__backlot/exchanges/1"] {
                for fields in [["Host": "evil.example"], ["Origin": "http://evil.example"], ["Origin": "null"]]
                    as [HTTPFields]
                {
                    var asked = Self.browser
                    for field in fields { asked.append(field.name, field.value) }
                    let response = try client.get(path, asked)
                    #expect(response.code == 403 && response.problem == "forbidden", "\(path) \(fields)")
                }
            }
        }
    }

    @Test func `With a token for the admin API the page is open, and what it shows is not`() async throws {
        try await withPage({ $0.adminToken = "secret" }) { stub in
            let client = try stub.client()
            let page = try client.get("/__backlot/", Self.browser)
            #expect(page.code == 200 && page.text.contains("id=\"secret\""))
            #expect(try client.get("/__backlot/").code == 401)
            for part in ["changes", "events", "documents", "exchanges/1"] {
                #expect(try client.get("/__backlot/\(part)", Self.browser).code == 401, "\(part)")
            }
            #expect(try client.get("/__backlot/changes", ["Backlot-Admin-Token": "secret"]).code == 200)
        }
    }

    // MARK: What it asks for

    @Test func `Changes are listed since a number, and from the start when the session has begun again`() async throws {
        try await withPage { stub in
            let client = try stub.client()
            let empty = try stub.admin(.get, "changes")
            #expect(empty["count"] == 0 && empty["exchanges"] == [] && empty["clock"]?["mode"] == "frozen")
            _ = try client.call(.post, "/login")
            _ = try client.get("/notes")
            _ = try client.get("/nothing")
            let all = try stub.admin(.get, "changes?since=0")
            let life = try #require(all["life"]?.string)
            #expect(numbers(all) == [1, 2, 3])
            #expect(all["exchanges"]?[0]?["granted"] == ["access-1", "refresh-1"])
            #expect(all["exchanges"]?[1]?["tokens"] == [["id": "access", "state": "missing"]])
            #expect(all["devices"]?[0]?["tokens"]?.array?.count == 2)
            #expect(numbers(try stub.admin(.get, "changes?since=2&life=\(life)")) == [3])
            #expect(numbers(try stub.admin(.get, "changes?since=3&life=\(life)")) == [])
            #expect(numbers(try stub.admin(.get, "changes?since=3&life=\(life)&again=1,9")) == [1])
            #expect(numbers(try stub.admin(.get, "changes?since=3&life=other&again=1")) == [1, 2, 3])
            #expect(numbers(try stub.admin(.get, "changes?since=18446744073709551615&life=\(life)")) == [])
            try stub.admin(.delete, "journal")
            _ = try client.get("/nothing")
            #expect(numbers(try stub.admin(.get, "changes?since=3&life=\(life)")) == [4])
            try stub.admin(.post, "scenario", ["story": "S-1"])
            let other = try stub.admin(.get, "changes?since=4&life=\(life)")
            #expect(other["life"]?.string != life && other["story"] == "S-1" && other["count"] == 0)
        }
    }

    @Test func `A long journal comes in pieces`() async throws {
        try await withPage { stub in
            let client = try stub.client()
            for _ in 0..<501 { _ = try client.get("/nothing") }
            let first = try stub.admin(.get, "changes")
            #expect(first["more"] == true && numbers(first) == Array(1...500))
            let rest = try stub.admin(.get, "changes?since=500&life=\(first["life"]?.string ?? "")")
            #expect(rest["more"] == false && numbers(rest) == [501])
        }
    }

    @Test func `An exchange has its bodies as they were sent`() async throws {
        try await withPage { stub in
            let client = try stub.client()
            _ = try client.call(.post, "/echo", ["Content-Type": "application/json"], #"{ "n": 1.50, "n": 2 }"#)
            let exchange = try stub.admin(.get, "exchanges/1")
            #expect(exchange["request"]?["text"]?.string == #"{ "n": 1.50, "n": 2 }"#)
            #expect(exchange["request"]?["size"] == 21)
            #expect(exchange["route"] == "POST /echo" && exchange["status"] == 200)
            let broken = HTTPRequest(method: .post, target: "/echo", body: [0xFF, 0x00])
            _ = try client.exchange(broken)
            #expect(try stub.admin(.get, "exchanges/2")["request"]?["base64"] == "/wA=")
        }
    }

    @Test(arguments: [
        ("changes?since=x", 400, "bad-query"), ("changes?again=1,x", 400, "bad-query"),
        ("changes?since=-1", 400, "bad-query"), ("changes?from=1", 400, "bad-query"),
        ("exchanges", 400, "bad-exchange"), ("exchanges/x", 400, "bad-exchange"), ("exchanges/7", 404, "not-found"),
        ("changes?session=none", 404, "not-found"),
    ])
    func `What is not valid is refused`(part: String, code: Int, problem: String) async throws {
        try await withPage { stub in
            let response = try stub.client().get("/__backlot/\(part)")
            #expect(response.code == code && response.problem == problem, "\(response.text)")
        }
    }

    private func numbers(_ changes: JSONValue) -> [Int] {
        (changes["exchanges"]?.array ?? []).compactMap { $0["number"]?.number?.int }
    }

    // MARK: In a browser

    @Test(
        .enabled(if: Chromium.path != nil && Chromium.python != nil, "chromium and python3 are needed to open the page")
    )
    func `Chromium shows exchanges as text, moves the clock, and sees a token die`() async throws {
        try await withPage({
            $0.documents = SessionDocument.all(version: "1")
            // The page is told what changes as real time passes.
            $0.time = SystemTime()
        }) { stub in
            let end = try await SpawnedProgram(
                #require(Chromium.python),
                [
                    Project.folder + "/Tests/StubServingTests/Page/browse.py", #require(Chromium.path),
                    "http://127.0.0.1:\(stub.port)",
                ]
            ).end()
            try #require(end.status == 0, "\(end.errors)")
            let seen = try JSONParser().parse(Array(end.output.utf8)).root
            #expect(seen["console"] == [])
            #expect(seen["token"] == ["abc", true], "the token is not in the address")
            #expect(seen["rowsAtFirst"] == 0)
            #expect(seen["byKeyboard"] == "GET /notes")
            #expect(seen["hostile"]?.string?.contains("<img src=x onerror=hacked=1>") == true)
            #expect(seen["hostile"]?.string?.contains("1.50") == true)
            #expect(seen["hostile"]?.string?.contains("12345678901234567890") == true)
            #expect(seen["ran"] == false && seen["images"] == 0)
            #expect(seen["oddCurl"]?.string?.contains(" -X 'X|touch$IFS' ") == true)
            #expect(seen["stored"] == 0, "the origin's other pages cannot read the token")
            #expect(seen["curl"]?.string?.hasPrefix("curl --globoff --path-as-is -X POST 'http://127.0.0.1:") == true)
            #expect(seen["now"] == "2026-03-01T11:00:00Z")
            #expect(seen["afterSwitch"] == "0 exchanges")
            #expect(seen["links"] == true)
            let sample = try JSONParser().parse(Array((seen["case"]?.string ?? "").utf8)).root
            #expect(sample["when"]?["body"]?["/n"] == 1.5 && sample["status"] == 200)
            let draft = try JSONParser().parse(Array((seen["draft"]?.string ?? "").utf8)).root
            #expect(draft["extends"] == "backend.json")
            #expect(draft["timeline"]?.array?.count == 3, "two steps of the clock and a state")
            #expect(draft["expect"]?[0] == ["request": "POST /login", "count": 1, "status": 200])
            #expect(seen["saved"] == ["application/json", "application/json", "text/html"])
            #expect(seen["frames"] == "", "the page is not shown in a frame")
            #expect(seen["large"]?["lengths"]?.array?.allSatisfy { $0.int.map { $0 <= 200_100 } ?? false } == true)
            #expect(seen["large"]?["shown"] == "a\\u{202e}b\\u{0}c\\u{2066}d")
            #expect(seen["large"]?["title"] == "GET /\\u{202e}gnp.exe")
            #expect(seen["flood"]?["kept"] == 20_000 && seen["flood"]?["last"] == 50_000)
            #expect(seen["flood"]?["count"] == "20000 exchanges, 30000 earlier exchanges not shown")
            #expect(
                (seen["flood"]?["rows"]?.int).map { $0 > 0 && $0 < 100 } == true,
                "only rows that can be seen are made"
            )
            #expect((seen["flood"]?["nodes"]?.int).map { $0 < 3_000 } == true)
            #expect(seen["unreached"] == [])
            #expect(seen["cut"] == [])
            #expect(seen["contrast"] == [])
            #expect(seen["nameless"] == [])
            #expect(seen["overflow"]?.array?.allSatisfy { $0 == 0 } == true, "nothing is wider than the window")
        }
    }
}

/// The directives of a content security policy by name.
private struct Policy {
    private var directives: [String: String] = [:]

    init(_ text: String) {
        for directive in text.split(separator: ";") {
            let words = directive.split(separator: " ")
            guard let name = words.first else { continue }
            directives[String(name)] = words.dropFirst().joined(separator: " ")
        }
    }

    subscript(_ name: String) -> String? { directives[name] }
}

/// The programs with which the page is opened.
private enum Chromium {
    static let path = first(["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"])
    static let python = first(["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"])

    private static func first(_ paths: [String]) -> String? { paths.first { DiskFiles().resolve($0) != nil } }
}
