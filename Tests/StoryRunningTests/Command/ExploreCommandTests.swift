import Basics
import Foundation
import JSON
import TestSupport
import Testing

/// The command itself, with shells as clients.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `The command explore` {
    private static let backend = #"""
        {
          "backend": "App",
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "format": "opaque" },
            "refresh": { "lifetime": "30d", "format": "opaque", "rotate": true, "in": { "query": "token" } } } },
          "routes": {
            "POST /login": {
              "cases": [{ "when": { "query": { "password": { "not": "secret" } } }, "status": 403, "empty": true }],
              "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" } },
            "POST /logout": { "requires": "access", "then": [{ "signOut": "caller" }], "empty": true },
            "POST /refresh": {
              "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" } },
            "GET /me": { "requires": "access", "json": {} },
            "GET /notes": { "requires": "access", "json": [] },
            "GET /news": { "json": [] }
          }
        }
        """#

    private static func story(_ id: String, _ given: String) -> String {
        #"{ "extends": "backend.json", "id": "\#(id)", "title": "A day", "given": [\#(given)], "expect": [{ "request": "GET /me" }] }"#
    }

    /// What all clients have: `get` sends the stored access token, `load` refreshes once when it is refused, and signs out
    /// when the refresh token is refused.
    private static let head = #"""
        store=$BACKLOT_STATE_DIR/tokens
        [ -e "$store" ] || printf '%s' "$BACKLOT_TOKENS" > "$store" || exit 0
        token() { sed -n 's/.*"'$1'": *"\([^"]*\)".*/\1/p' "$store"; }
        send() { curl -s -m 20 -o /dev/null -w '%{http_code}' "$@"; }
        get() { send -H "Authorization: Bearer $(token access)" "$BACKLOT_URL$1"; }
        load() {
            [ -n "$(token access)" ] || exit 0
            [ "$(get $1)" = 401 ] && [ -z "$BUG" ] || return 0
            new=$(curl -s -m 20 -w ' %{http_code}' -X POST "$BACKLOT_URL/refresh?token=$(token refresh)")
            case $new in
            *' 200') printf '%s' "${new% 200}" > "$store" && get $1 ;;
            *' 401') : > "$store"; exit 0 ;;
            *) exit 0 ;;
            esac
        }

        """#

    /// A folder with the backend, stories and a client.
    private func folder(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Self.backend, to: "Scenarios/app/backend.json")
        try folder.write(Self.story("DAY", #"{ "signIn": "phone" }"#), to: "Scenarios/app/day.json")
        try folder.write(Self.story("LATE", #"{ "signIn": "phone", "ago": "40d" }"#), to: "Scenarios/app/late.json")
        try folder.write(Self.head + script, to: "client.sh")
        return folder
    }

    private func explore(_ folder: TemporaryFolder, _ base: String, _ more: [String] = []) async throws
        -> SpawnedProgram.End
    {
        let words =
            ["explore", "\(folder.path)/Scenarios/app/\(base)", "--output", "\(folder.path)/Scenarios/found"] + more
        return try await SpawnedCommand.run(words + ["--", "/bin/sh", "\(folder.path)/client.sh"])
    }

    struct Idle: Sendable, CustomTestStringConvertible {
        var name: String
        var base = "day.json"
        var script: String
        var words: String
        var advice: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Idle(
            name: "a client without tokens",
            base: "",
            script: "get /me; get /notes",
            words: "both requests that require an access token received 401: no device is signed in",
            advice:
                #""given": [{"signIn": "phone"}], "expect": [{"request": "GET /me"}]}, or make the client sign in with POST /login"#
        ),
        Idle(
            name: "a client that does not send its tokens",
            script: "send $BACKLOT_URL/me",
            words: "GET /me (exchange 1), received 401: the client sent no token, although a device is signed in",
            advice: "make the client send its stored access token, which is in BACKLOT_TOKENS"
        ),
        Idle(
            name: "a client with a token of its own making",
            script: "send -H 'Authorization: Bearer x' $BACKLOT_URL/me",
            words: "the client's token is not an access token of this server",
            advice: "BACKLOT_TOKENS"
        ),
        Idle(
            name: "a session that is over",
            base: "late.json",
            script: "load /me",
            words: "access-1 was expired before the client started",
            advice: "explore a story without failures"
        ),
        Idle(
            name: "a sign-in that fails",
            base: "",
            script: "send -X POST $BACKLOT_URL/login; get /me",
            words: "the sign-in, POST /login (exchange 1), received 403",
            advice: "correct the client's sign-in request"
        ),
        Idle(
            name: "a client that never asks",
            script: "exit 0",
            words: "the client sent nothing and ended with exit code 0",
            advice: "make the client use the base URL in BACKLOT_URL"
        ),
        Idle(
            name: "a client that asks for something else",
            script: "get /you",
            words: "day.json contains no route for GET /you",
            advice: "add a route for the request, or correct the client's base URL"
        ),
        Idle(
            name: "a client that signs out at once",
            script: #"send -X POST -H "Authorization: Bearer $(token access)" $BACKLOT_URL/logout; get /me"#,
            words:
                "the client signed out with POST /logout (exchange 1), before its first request that requires an access token",
            advice: "make the command perform the actions of a signed-in user before it signs out"
        ),
        Idle(
            name: "a client that only signs out",
            script: #"send -X POST -H "Authorization: Bearer $(token access)" $BACKLOT_URL/logout"#,
            words:
                "the client sent no request that requires an access token but POST /logout (exchange 1), which signs out",
            advice: "such as GET /me"
        ),
        Idle(
            name: "nothing that could be disturbed",
            script: "get /news",
            words: "the client sent no request that requires an access token",
            advice: "make the command perform the actions of a signed-in user, such as GET /me"
        ),
    ])
    func `exits with 2 where nothing was tried, and says what to write`(idle: Idle) async throws {
        let folder = try folder(idle.script)
        let end = try await explore(folder, idle.base, ["--report", "junit=\(folder.path)/explore.xml"])
        let text = end.output + end.errors
        #expect(end.status == 2, "\(text)")
        #expect(text.contains(idle.words), "\(text)")
        #expect(text.contains(idle.advice), "\(text)")
        #expect(!text.contains("nothing found") && !text.contains(", ok"), "\(text)")
        guard let bytes = try? DiskFiles().read("\(folder.path)/explore.xml") else { return }
        let report = String(decoding: bytes, as: UTF8.self)
        #expect(report.contains(#"tests="2" failures="1" errors="0""#) && report.contains("<skipped "), "\(report)")
        #expect(report.contains(#"type="explore/nothing-tried""#), "\(report)")
    }

    @Test func `exits with 2 where there was no time to try anything`() async throws {
        let folder = try folder("load /me")
        let end = try await explore(folder, "day.json", ["--max-runs", "2"])
        #expect(end.status == 2 && end.output.contains("no failure was injected in any run"), "\(end.output)")
        #expect(end.output.contains(" runs left out, because the limit of 2 runs was reached"), "\(end.output)")
    }

    @Test func `exits with 0 where a correct client was tried, and says how often`() async throws {
        let folder = try folder("load /me; load /notes")
        let reports = ["--max-runs", "16", "--report", "json=\(folder.path)/explore.json"]
        let end = try await explore(folder, "day.json", reports)
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.output.contains("; nothing found; 1 further run to compare; "), "\(end.output)")
        let report = try JSONParser().parse(try DiskFiles().read("\(folder.path)/explore.json")).root
        #expect(report["counts"]?["checks"]?.int == 15 && report["counts"]?["failed"]?.int == 0)
    }

    @Test func `counts the same in every report, and writes stories that run takes as a folder`() async throws {
        let folder = try folder("load /me; load /notes")
        let formats = ["text", "json", "junit", "html", "markdown"]
        let reports = ["--max-runs", "12"] + formats.flatMap { ["--report", "\($0)=\(folder.path)/report.\($0)"] }
        try folder.write("BUG=1\n" + Self.head + "load /me; load /notes", to: "client.sh")
        let end = try await explore(folder, "day.json", reports)
        #expect(end.status == 1, "\(end.output)\(end.errors)")
        func read(_ format: String) throws -> String {
            String(decoding: try DiskFiles().read("\(folder.path)/report.\(format)"), as: UTF8.self)
        }
        let counts = try #require(try JSONParser().parse(Array(try read("json").utf8)).root["counts"])
        let numbers = ["checks", "passed", "failed", "skipped", "errors"].map { counts[$0]?.int ?? -1 }
        #expect(numbers[0] == 11 && numbers[1] + numbers[2] + numbers[3] == 11 && numbers[2] > 2, "\(numbers)")
        let closing = "2 exchanges explored in 11 runs: \(numbers[1]) passed, \(numbers[2]) failed"
        #expect(end.output.contains(closing), "\(end.output)")
        #expect(end.output.contains("; \(numbers[4]) errors about 1 rule; "), "\(end.output)")
        for format in formats where format != "junit" {
            #expect(try read(format).contains(closing), "\(format)")
        }
        #expect(
            try read("junit").contains(#"tests="11" failures="\#(numbers[2])" errors="0" skipped="\#(numbers[3])""#)
        )
        #expect(try read("text").contains("\(numbers[2]) of 11 checks failed"))
        #expect(try read("html").contains("\(numbers[2]) of 11 checks failed"))
        // What was written has ids of its own, and runs as it lies there: with the bug, and without it.
        let names = DiskFiles().entries(of: "\(folder.path)/Scenarios/found").filter { $0.hasPrefix("DAY-B1-") }
        let ids = try names.map { name in
            try JSONParser().parse(try DiskFiles().read("\(folder.path)/Scenarios/found/\(name)")).root["id"]?.string
                ?? ""
        }
        #expect(names.count == 2 && ids.map { $0 + ".json" } == names, "\(ids)")
        let command = ["run", "\(folder.path)/Scenarios/found", "--", "/bin/sh", "\(folder.path)/client.sh"]
        let broken = try await SpawnedCommand.run(command)
        #expect(broken.status == 1 && broken.output.hasSuffix("2 stories: 0 passed, 2 failed\n"), "\(broken)")
        try folder.write(Self.head + "load /me; load /notes", to: "client.sh")
        let sound = try await SpawnedCommand.run(command)
        #expect(sound.status == 0 && sound.output.hasSuffix("2 stories: 2 passed\n"), "\(sound)")
        let listed = try await SpawnedCommand.run(["stories", "\(folder.path)/Scenarios/found"])
        #expect(listed.status == 0 && ids.allSatisfy { listed.output.contains($0) }, "\(listed)")
    }
}
