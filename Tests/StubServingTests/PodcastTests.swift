import Basics
import HTTPCodec
import JSON
import ScenarioFormat
import StubServing
import TestSupport
import Testing

/// Programs that a machine may have.
private enum Installed {
    static let curl = first(of: ["/usr/bin/curl", "/opt/homebrew/bin/curl", "/usr/local/bin/curl"])

    private static func first(of paths: [String]) -> String? { paths.first { DiskFiles().resolve($0) != nil } }
}

/// An everyday backend written down as data, played by clients that nobody here wrote.
@Suite(.timeLimit(.minutes(15)))
struct `The podcast backend` {
    private static let folder = Project.folder + "/Tests/StubServingTests/Podcast"

    private func withServer(_ file: String = "backend.json", _ body: (Stub, String) async throws -> Void) async throws {
        let library = try ScenarioLibrary("\(Self.folder)/\(file)", files: DiskFiles())
        try await withStub(library) { stub in try await body(stub, "http://127.0.0.1:\(stub.port)") }
    }

    private func curl(_ arguments: String...) async throws -> String {
        let path = try #require(Installed.curl)
        return try await FinishedProgram(running: path, ["-s", "--noproxy", "*"] + arguments).output
    }

    @Test(arguments: ["backend.json", "lost-rotation.json", "busy.json", "session-over.json"])
    func `loads without a finding`(file: String) async throws {
        let library = try ScenarioLibrary("\(Self.folder)/\(file)", files: DiskFiles())
        #expect(try library.load(story: nil).findings.map(\.description) == [])
    }

    @Test(.enabled(if: Installed.curl != nil, "there is no curl"))
    func `is OAuth 2 with rotation to curl`() async throws {
        try await withServer { _, base in
            let sent = try await curl(
                "-d",
                "grant_type=password&client_id=podly&username=ada&password=secret",
                base + "/oauth/token"
            )
            let tokens = try JSONParser().parse(sent).root
            let (access, refresh) = (tokens["access_token"]?.string ?? "", tokens["refresh_token"]?.string ?? "")
            #expect(tokens["expires_in"] == 900 && tokens["token_type"] == "Bearer")
            let bearer = "Authorization: Bearer \(access)"
            #expect(try await curl("-H", bearer, base + "/episodes?page=1").contains("One"))
            let renewal = "grant_type=refresh_token&client_id=podly&refresh_token="
            #expect(try await curl("-d", renewal + refresh, base + "/oauth/token").contains("access_token"))
            for token in [refresh, "made-up"] {
                #expect(try await curl("-d", renewal + token, base + "/oauth/token") == #"{"error":"invalid_grant"}"#)
            }
            #expect(try await curl("-o", "/dev/null", "-w", "%{http_code}", "-H", bearer, base + "/feed") == "401")
        }
    }

    @Test(.enabled(if: Installed.curl != nil, "there is no curl"))
    func `has pages, versions, parts and compressed bodies for curl`() async throws {
        try await withServer { _, base in
            let sent = try await curl(
                "-d",
                "grant_type=password&client_id=podly&username=ada&password=secret",
                base + "/oauth/token"
            )
            let access = try JSONParser().parse(sent).root["access_token"]?.string ?? ""
            let bearer = "Authorization: Bearer \(access)"
            let status = ["-o", "/dev/null", "-w", "%{http_code} %header{link}", "-H", bearer]
            func ask(_ more: [String]) async throws -> String {
                let path = try #require(Installed.curl)
                return try await FinishedProgram(running: path, ["-s", "--noproxy", "*"] + status + more).output
            }
            #expect(try await ask([base + "/episodes"]) == "200 </episodes?page=2>; rel=\"next\"")
            #expect(try await ask([base + "/episodes?page=3"]) == "200 ")
            let headers = try await curl("-D", "-", "-o", "/dev/null", "-H", bearer, base + "/episodes/1")
            let line = headers.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("etag:") }
            let tag = String(line?.dropFirst(5).drop { $0 == " " } ?? "")
            #expect(try await ask(["-H", "If-None-Match: \(tag)", base + "/episodes/1"]) == "304 ")
            let change = ["-X", "PATCH", "-H", "Content-Type: application/json", "-d", #"{"title": "Uno"}"#]
            let stale = change + ["-H", "If-Match: \"old\"", base + "/episodes/1"]
            #expect(try await ask(stale) == "412 ")
            #expect(try await ask(change + ["-H", "If-Match: \(tag)", base + "/episodes/1"]) == "200 ")
            #expect(try await curl("--compressed", "-H", bearer, base + "/episodes?page=3").contains("Five"))
            #expect(try await curl("-r", "4-6", base + "/audio/one.mp3") == "012")
            #expect(try await ask(["-r", "99-", base + "/audio/one.mp3"]) == "416 ")
        }
    }

    @Test(.enabled(if: Installed.curl != nil, "there is no curl"))
    func `has cookies, GraphQL and other origins for curl`() async throws {
        let jar = try TemporaryFolder()
        try await withServer { stub, base in
            let cookies = "\(jar.path)/cookies"
            _ = try await curl("-c", cookies, "-X", "POST", base + "/web/login")
            #expect(try await curl("-b", cookies, base + "/web/me") == #"{"name":"Ada"}"#)
            try stub.advance("1h")
            #expect(try await curl("-o", "/dev/null", "-w", "%{http_code}", "-b", cookies, base + "/web/me") == "401")
            let json = ["-H", "Content-Type: application/json", "-d"]
            let latest = try await curl(json[0], json[1], json[2], #"{"operationName": "Latest"}"#, base + "/graphql")
            #expect(latest == #"{"data":{"latest":{"title":"Five"}}}"#)
            let me = try await curl(json[0], json[1], json[2], #"{"operationName": "Me"}"#, base + "/graphql")
            #expect(me.contains("UNAUTHENTICATED"))
            let preflight = try await curl(
                "-D",
                "-",
                "-X",
                "OPTIONS",
                "-H",
                "Origin: https://a",
                "-H",
                "Access-Control-Request-Method: GET",
                base + "/episodes"
            )
            #expect(preflight.contains("204") && preflight.contains("Access-Control-Allow-Origin: *"))
            #expect(
                try await curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Origin: https://a", base + "/nowhere")
                    == "404"
            )
        }
    }

    /// What `rows.py` prints: each row of the backend, and the library that plays it.
    private static let rows = [
        "busy": "requests", "cursor and pages": "httpx", "versions, parts and gzip": "httpx", "cookie login": "aiohttp",
        "server-sent events": "sseclient", "WebSocket": "aiohttp", "GraphQL": "requests",
    ]

    @Test(.enabled("there is no python3") { await Python.imports("sys") })
    func `is played row by row by libraries of other authors`() async throws {
        try await withServer { _, base in
            let end = try await FinishedProgram(running: "/usr/bin/env", ["python3", "\(Self.folder)/rows.py", base])
            #expect(end.status == 0, "\(end.output)")
            let lines = end.output.split(whereSeparator: \.isNewline)
            for line in lines where line.contains("skipped") { print(line) }
            for (row, library) in Self.rows {
                #expect(
                    lines.contains {
                        $0 == "\(row): played by \(library)" || $0.hasPrefix("\(row): skipped, there is no ")
                    },
                    "\(row): \(end.output)"
                )
            }
        }
    }

    @Test(
        .enabled("python3 has no requests-oauthlib and authlib") {
            await Python.imports("requests_oauthlib", "authlib")
        }
    )
    func `is read by requests-oauthlib and authlib`() async throws {
        try await withServer { _, base in
            let end = try await FinishedProgram(running: "/usr/bin/env", ["python3", "\(Self.folder)/client.py", base])
            #expect(end.status == 0 && end.output.hasSuffix("all of it\n"), "\(end.output)")
        }
    }
}
