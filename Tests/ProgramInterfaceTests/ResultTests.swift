import Basics
import CommandLineInterface
import Foundation
import HTTPCodec
import HTTPServing
import JSON
import JSONSchema
import TestSupport
import Testing

/// The results that commands print with `--json`, as processes.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The result of a command` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("", to: ".git/HEAD")
        try folder.write(Self.backend, to: "Scenarios/app/backend.json")
        // The client of these stories is a command that sends nothing.
        for number in 1...4 {
            try folder.write(
                Self.story("A-\(number)", count: number == 4 ? 1 : 0),
                to: "Scenarios/app/a-\(number).json"
            )
        }
        try folder.write(#"{ "backend": "App", "routs": {} }"#, to: "Broken/backend.json")
        try folder.write(#"{ "type": "integer" }"#, to: "schema.json")
        try folder.write("1", to: "valid.json")
        try folder.write("\"1\"", to: "invalid.json")
        try folder.write(Self.contract, to: "contract.json")
        try folder.write(
            Self.contract.replacingOccurrences(of: #""type": "string""#, with: #""type": "integer""#),
            to: "other.json"
        )
        try folder.write(Self.tokens, to: "Scenarios/tokens/backend.json")
        for ago in ["0s", "2h"] { try folder.write(Self.expired(ago), to: "Scenarios/tokens/t-\(ago).json") }
        try folder.write(Self.client, to: "client.sh")
        try folder.write("# Stories\n\n<!-- stories -->\n<!-- /stories -->\n", to: "README.md")
    }

    private static let backend = #"""
        { "backend": "App",
          "tokens": { "kinds": { "access": { "lifetime": "1h", "in": { "header": "Authorization", "scheme": "Bearer" } } } },
          "routes": { "POST /login": { "grants": { "access": "new" }, "json": { "access": "{{token.access}}" } },
                      "GET /notes": { "requires": "access", "json": [] } } }
        """#

    private static func story(_ id: String, count: Int) -> String {
        #"""
        { "extends": "backend.json", "id": "\#(id)", "title": "Nothing is sent", "about": "The client does nothing.",
          "silent": \#(count == 0), "bugClasses": "B2", "expect": [{ "request": "GET /notes", "count": \#(count) }] }
        """#
    }

    private static let contract = #"""
        { "openapi": "3.1.0", "info": { "title": "Pets", "version": "1" }, "paths": { "/pet": { "get": {
          "operationId": "getPet", "responses": { "200": { "description": "A pet.", "content": { "application/json": {
            "schema": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } },
            "example": { "name": "Rex" } } } } } } } } }
        """#

    /// A client that sends its stored token, and with `BUG` does not renew a refused one.
    private static let client = #"""
        store=$BACKLOT_STATE_DIR/tokens
        [ -e "$store" ] || printf '%s' "$BACKLOT_TOKENS" > "$store" || exit 0
        token() { sed -n 's/.*"'$1'": *"\([^"]*\)".*/\1/p' "$store"; }
        get() { curl -s -m 20 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(token access)" "$BACKLOT_URL/me"; }
        [ -n "$(token access)" ] || exit 0
        [ "$(get)" = 401 ] && [ -z "$BUG" ] || exit 0
        new=$(curl -s -m 20 -w ' %{http_code}' -X POST "$BACKLOT_URL/refresh?token=$(token refresh)")
        case $new in
        *' 200') printf '%s' "${new% 200}" > "$store" && get ;;
        *' 401') : > "$store" ;;
        esac
        exit 0

        """#

    /// The backend of that client, and a story in which its token has expired.
    private static let tokens = #"""
        { "backend": "Tokens",
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "format": "opaque" },
            "refresh": { "lifetime": "30d", "format": "opaque", "rotate": true, "in": { "query": "token" } } } },
          "routes": {
            "POST /refresh": {
              "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "json": { "access": "{{token.access}}", "refresh": "{{token.refresh}}" } },
            "GET /me": { "requires": "access", "json": {} } } }
        """#

    private static func expired(_ ago: String) -> String {
        #"""
        { "extends": "backend.json", "id": "T-\#(ago)", "title": "The token is \#(ago) old", "bugClasses": "B1",
          "given": [{ "signIn": "phone", "ago": "\#(ago)" }], "expect": [{ "request": "GET /me", "status": 200 }] }
        """#
    }

    /// Command lines with the exit codes that they must have, for each command.
    ///
    /// Words between braces are the URLs of servers. A line that begins with `>` writes its result to the file that
    /// follows; one that begins with `$` is a line for the shell, which prepares the next ones.
    private static let cases: [String: String] = [
        "serve": "2 serve Broken \n 2 serve --port x",
        "proxy": """
        2 proxy nothing
        2 proxy --nonsense
        2 proxy
        2 proxy --offline
        2 proxy --replay none --offline
        2 proxy --replay Scenarios/app --offline --record new
        2 proxy --replay Scenarios/app --offline --vault
        2 proxy http://127.0.0.1:1 Scenarios/app --replay Scenarios/app
        2 proxy http://127.0.0.1:1 --record Scenarios/app
        """,
        "run": """
        0 run Scenarios/app/a-1.json -- true
        1 run Scenarios/app -- true
        1 run Scenarios/app --detail -- true
        2 run Scenarios/app
        2 run Scenarios/none -- true
        2 run Scenarios/app/a-1.json -- no-such-program
        """,
        "explore": """
        0 explore Scenarios/tokens/t-0s.json --output found -- sh client.sh
        1 explore Scenarios/tokens/t-0s.json --output found --env BUG=1 -- sh client.sh
        2 explore Scenarios/app/a-1.json --output found -- true
        2 explore Scenarios/tokens/t-0s.json --budget soon -- true
        """,
        "check": """
        0 check Scenarios
        1 check Broken
        2 check Scenarios --list-variants getNothing
        2 check --strikt
        """,
        "verify": """
        0 verify contract.json --against {pets}
        1 verify other.json --against {pets}
        2 verify none.json --against {pets}
        2 verify contract.json
        """,
        "validate": """
        0 validate --schema schema.json valid.json
        1 validate --schema schema.json invalid.json
        2 validate --schema none.json valid.json
        2 validate --batch
        """,
        "init": "0 init contract.json Scenarios/pets \n 2 init contract.json Scenarios/pets \n 2 init none.json",
        "stories": """
        0 stories Scenarios
        1 stories Scenarios --readme README.md
        0 stories Scenarios --readme README.md --write
        2 stories Nothing
        """,
        "clock": """
        0 clock --url {failing}
        0 clock advance 2h --url {failing}
        2 clock advance soon --url {failing}
        2 clock --url http://127.0.0.1:1
        """,
        "tokens": """
        0 tokens --url {failing}
        2 tokens expire --url {failing}
        2 tokens expire nothing --url {failing}
        2 tokens --url http://127.0.0.1:1
        """,
        "fault": """
        0 fault --url {failing}
        0 fault arm GET_/notes 503 --url {failing}
        0 fault clear --url {failing}
        2 fault arm GET_/none 503 --url {failing}
        2 fault arm --url {failing}
        2 fault --url http://127.0.0.1:1
        """,
        "journal": """
        0 journal --url {failing}
        0 journal --exchange 1 --url {failing}
        0 journal clear --url {failing}
        2 journal --exchange 99 --url {failing}
        2 journal --exchange 0 --url {failing}
        2 journal --url http://127.0.0.1:1
        """,
        "session": """
        0 session --url {failing}
        0 session save before --url {failing}
        0 session diff before --url {failing}
        0 session restore before --url {failing}
        0 session delete before --url {failing}
        2 session diff before --url {failing}
        2 session save --url {failing}
        2 session --url http://127.0.0.1:1
        """,
        "verdict": """
        0 verdict --url {passing}
        1 verdict --url {failing}
        2 verdict --url {pets}
        2 verdict --sesion one
        2 verdict --url http://127.0.0.1:1
        """,
        "report": """
        > passed.json journal --url {passing}
        > failed.json journal --url {failing}
        0 report passed.json
        1 report failed.json
        2 report valid.json
        2 report
        """,
        "autopsy": """
        $ "$BACKLOT" run Scenarios/tokens/t-2h.json --output right -- sh client.sh
        $ echo 'printf "%s" "$BACKLOT_TOKENS" > "$store"; get' | cat client.sh - | sed '/^exit 0/d' > stale.sh
        $ "$BACKLOT" run Scenarios/tokens/t-2h.json --output wrong -- sh stale.sh || test $? = 1
        0 autopsy right/T-2h/capture.har
        1 autopsy wrong/T-2h/capture.har
        2 autopsy valid.json
        2 autopsy
        """,
        "explain": "0 explain B2 expect/count route.requires 1 \n 2 explain B99 \n 2 explain",
        "prove": """
        $ rm -r .git && git init -q -b main && echo BUG=1 > client && cat client.sh >> client
        $ git add client && git -c user.name=A -c user.email=a@example.com commit -qm Add && git checkout -qb fix
        $ cp client.sh client && git -c user.name=A -c user.email=a@example.com commit -qam Fix
        0 prove Scenarios/tokens/t-2h.json --before main --after fix --seeds 1 --output receipt.json -- sh client
        0 prove --check receipt.json
        1 prove Scenarios/tokens/t-2h.json --before fix --after main --seeds 1 -- sh client
        2 prove Scenarios/tokens/t-2h.json --before main --after none --seeds 1 -- sh client
        2 prove Scenarios/tokens/t-2h.json --before main --after fix
        2 prove --check none.json
        1 prove --check valid.json
        $ sed -i.old s/fix/fox/ receipt.json
        1 prove --check receipt.json
        """,
        "mcp": "2 mcp \n 2 mcp --root none",
        "skill": "0 skill \n 0 skill --install skills \n 2 skill --install valid.json \n 2 skill --nonsense",
        "import": """
        $ "$BACKLOT" run Scenarios/tokens/t-2h.json --output right -- sh client.sh
        0 import right/T-2h/capture.har Scenarios/captured
        2 import valid.json Scenarios/other
        2 import
        """,
        "certificate": "0 certificate \n 2 certificate --nonsense",
        "schema": "0 schema \n 0 schema --of run \n 2 schema --of runn",
        "completions": "0 completions bash \n 2 completions csh",
        "help": "0 help rules \n 0 help run \n 2 help --nonsense",
        "version": "0 version \n 2 version --nonsense",
    ]
    /// Commands that check nothing, so no result of theirs is `failed`.
    private static let neverFails: Set = [
        "clock", "tokens", "fault", "journal", "session", "init", "import", "certificate", "explain", "schema", "skill",
        "completions", "help", "version",
    ]
    /// Commands that have tests for their streams of results below, or print the messages of another protocol.
    private static let streams: Set = ["serve", "proxy", "mcp", "test"]

    @Test func `has cases of success, failure and misuse for every command`() async throws {
        let help = try await SpawnedCommand.run(["help"]).output
        let list = try #require(help.components(separatedBy: "commands:\n").last)
        let rows = list.split(separator: "\n").prefix { $0.hasPrefix("  ") }
        let names = rows.compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(names.count > 20)
        for name in names where name != "test" {
            let lines = (Self.cases[name] ?? "").split(separator: "\n")
            let codes = Set(lines.compactMap { $0.split(separator: " ").first }.compactMap { Int($0) })
            #expect(codes.contains(2), "\(name)")
            guard !Self.streams.contains(name) else { continue }
            #expect(codes.contains(0) && codes.contains(1) != Self.neverFails.contains(name), "\(name)")
        }
    }

    /// The outcome that an exit code has in a result.
    private static let outcomes: [Int32: String] = [0: "passed", 1: "failed", 2: "error", 130: "interrupted"]

    /// Validates a result of a command against the schema that the command publishes.
    @discardableResult
    private func validated(_ text: String, command: String, code: Int32?) async throws -> JSONValue {
        let document = try JSONParser().parse(Array(text.utf8)).root
        let evaluation = try await PublishedSchemas.shared.schema(of: command).evaluate(document)
        #expect(evaluation.isValid, "\(command): \(evaluation.leaves.map(\.sentence)) \(text)")
        #expect(document["command"]?.string?.split(separator: " ").first.map(String.init) == command, "\(text)")
        #expect(document["exitCode"]?.int.map { Int32($0) } == code)
        if code == 1 || code == 2 { #expect(document["findings"]?.array?.isEmpty == false, "\(text)") }
        #expect(text.utf8.count <= CommandResult.size || document["omittedFindings"] == nil || code == nil)
        return document
    }

    /// Runs a command with `--json` in the folder of the files.
    private func run(_ words: [String]) async throws -> SpawnedProgram.End {
        let split = words.firstIndex(of: "--") ?? words.endIndex
        return try await SpawnedCommand.start(
            words[..<split] + ["--json"] + words[split...],
            environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path],
            in: folder.path
        ).end()
    }

    @discardableResult
    private func result(_ words: [String], code: Int32) async throws -> JSONValue {
        let end = try await run(words)
        #expect(end.status == code, "\(words): \(end)")
        #expect(end.output.split(separator: "\n").count == 1, "\(words): \(end)")
        let document = try await validated(end.output, command: words[0], code: code)
        #expect(document["outcome"]?.string == Self.outcomes[code], "\(words)")
        return document
    }

    @Test(
        .enabled("curl and git are needed") {
            try await SpawnedProgram("/bin/sh", ["-c", "command -v curl && command -v git"]).end().status == 0
        },
        arguments: cases.keys.sorted()
    )
    func `validates in every case of a command`(command: String) async throws {
        let lines = try #require(Self.cases[command]).split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        var servers: [String: (program: SpawnedProgram, url: String)] = [:]
        for line in lines {
            var words = Array(line.dropFirst())
            for index in words.indices where words[index].hasPrefix("{") {
                let name = words[index]
                let server = if let server = servers[name] { server } else { try await serve(name) }
                servers[name] = server
                words[index] = server.url
            }
            // A route is one word.
            words = words.map { $0.replacingOccurrences(of: "_/", with: " /") }
            switch line[0] {
            case "$":
                let script = "BACKLOT='\(SpawnedCommand.executable ?? "")'; " + words.joined(separator: " ")
                let end = try await SpawnedProgram("/bin/sh", ["-c", script], in: folder.path).end()
                try #require(end.status == 0, "\(end)")
            case ">": try folder.write(try await run(Array(words.dropFirst())).output, to: words[0])
            default: try await result(words, code: try #require(Int32(line[0])))
            }
        }
        for (program, _) in servers.values {
            program.interrupt()
            _ = await program.end()
        }
    }

    /// Starts a server: of a contract, or of a story that passes, or of one that expects a single request.
    private func serve(_ name: String) async throws -> (program: SpawnedProgram, url: String) {
        let files = [
            "{pets}": "contract.json", "{passing}": "Scenarios/app/a-1.json", "{failing}": "Scenarios/app/a-4.json",
        ]
        let program = try SpawnedCommand.start(["serve", path(try #require(files[name])), "--port", "0"])
        let url = await program.firstLine()
        if name == "{failing}" {
            for _ in 0..<2 { _ = try HTTPClient(port: port(of: url)).exchange(HTTPRequest(target: "/notes")) }
        }
        return (program, url)
    }

    private func port(of url: String) throws -> UInt16 {
        try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    @Test func `names the place, the advice and the next command`() async throws {
        let broken = try await result(["check", "Broken"], code: 1)
        #expect(broken["findings"]?[0]?["id"]?.string == "scenario/unknown-key")
        #expect(broken["findings"]?[0]?["line"]?.int == 1 && broken["findings"]?[0]?["advice"] != nil)
        #expect(broken["next"]?[0]?.string == "backlot explain scenario/unknown-key")
        let usage = try await result(["check", "--strikt"], code: 2)
        #expect(usage["findings"]?[0]?["id"]?.string == "command/usage")
        #expect(usage["next"]?[0]?.string == "backlot check --help")
        let refused = try await result(["clock", "--url", "http://127.0.0.1:1"], code: 2)
        #expect(refused["findings"]?[0]?["id"]?.string == "command/refused")
        let explained = try await result(["explain", "B2", "expect/count", "1"], code: 0)
        #expect(explained["explanations"]?.array?.count == 3)
        let help = try await result(["help", "rules"], code: 0)
        #expect(help["text"]?.string?.contains("refresh-storm") == true)
    }

    @Test func `counts the stories of a run, and names those that failed`() async throws {
        let passed = try await result(["run", "Scenarios/app/a-1.json", "--", "true"], code: 0)
        #expect(passed["storyCounts"]?["passed"]?.int == 1 && passed["findings"]?.array?.isEmpty == true)
        let failed = try await result(["run", "Scenarios/app", "--", "true"], code: 1)
        #expect(failed["storyCounts"]?["passed"]?.int == 3 && failed["report"] == nil)
        #expect(failed["stories"]?[0]?["id"]?.string == "A-4" && failed["findings"]?[0]?["subject"]?.string == "A-4")
        let detailed = try await result(["run", "Scenarios/app", "--detail", "--", "true"], code: 1)
        #expect(detailed["report"]?["stories"]?.array?.count == 4)
    }

    @Test func `validates for a client test`() async throws {
        let program = try #require(SpawnedCommand.path(of: TestOptions.program))
        // Another process ended while it tested an operation, which this one reports.
        let ended = EndedTest("a client ended the process", advice: "in a debugger", latest: ["smeem"])
        for (code, words, environment) in [
            (0, ["smeem", "--operation", "getMe", "--check", "responses"], [:]),
            (
                1, ["smeem", "--operation", "getMe", "--check", "responses"],
                [EndedTest.variable: EndedTest.text([ended])]
            ),
            (2, ["no-such-client"], [:]), (2, ["--jobs", "0"], [:]),
        ] as [(Int32, [String], [String: String])] {
            let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            let end = try await SpawnedProgram(
                program,
                ["test"] + words + ["--json"],
                environment: variables,
                in: Project.folder
            ).end()
            #expect(end.status == code, "\(words): \(end)")
            try await validated(end.output, command: "test", code: code)
        }
    }

    @Test func `validates for a server, whose outcome is the verdict on its clients`() async throws {
        let server = try SpawnedCommand.start(["serve", path("Scenarios/app/a-4.json"), "--port", "0", "--json"])
        let first = try await validated(await server.firstLine(), command: "serve", code: nil)
        #expect(first["outcome"]?.string == "running")
        let url = try #require(first["url"]?.string)
        for _ in 0..<2 { _ = try HTTPClient(port: port(of: url)).exchange(HTTPRequest(target: "/notes")) }
        server.interrupt()
        let last = try #require(await server.end().output.split(separator: "\n").last)
        let closing = try await validated(String(last), command: "serve", code: 0)
        #expect(closing["findings"]?.array?.isEmpty == false && closing["outcome"]?.string == "failed")
    }

    @Test func `validates for a proxy`() async throws {
        let upstream = try SpawnedCommand.start(["serve", path("contract.json"), "--port", "0"])
        let proxy = try await SpawnedCommand.start(["proxy", upstream.firstLine(), "--port", "0", "--json"])
        let first = try await validated(await proxy.firstLine(), command: "proxy", code: nil)
        #expect(first["command"]?.string == "proxy" && first["url"]?.string != nil)
        proxy.interrupt()
        let last = try #require(await proxy.end().output.split(separator: "\n").last)
        #expect(try await validated(String(last), command: "proxy", code: 0)["outcome"]?.string == "passed")
        upstream.interrupt()
        _ = await upstream.end()
    }

    @Test func `names what is wrong with a damaged receipt`() async throws {
        for text in ["{}", #"{"kind": "backlot receipt"}"#, #"{"kind": "backlot receipt", "digest": "1"}"#] {
            try folder.write(text, to: "receipt.json")
            let damaged = try await result(["prove", "--check", "receipt.json"], code: 1)
            #expect(damaged["findings"]?[0]?["id"]?.string == "prove/receipt" && damaged["receipt"] == nil)
        }
    }

    @Test func `has at most 4 kB for 80 stories with three failures`() async throws {
        for number in 5...80 {
            try folder.write(
                Self.story("A-\(number)", count: number > 78 ? 1 : 0),
                to: "Scenarios/app/a-\(number).json"
            )
        }
        let end = try await SpawnedCommand.run([
            "run", path("Scenarios/app"), "--json", "--", "/bin/sh", "-c", "exit 0",
        ])
        let document = try await validated(String(end.output.dropLast()), command: "run", code: 1)
        #expect(document["storyCounts"] == ["passed": 77, "failed": 3, "incomplete": 0])
        let subjects = (document["findings"]?.array ?? []).compactMap { $0["subject"]?.string }
        #expect(Set(subjects) == ["A-4", "A-79", "A-80"])
        #expect(end.output.utf8.count <= 4_096)
    }

    @Test func `contains the errors first, and counts what it omits`() throws {
        var result = CommandResult()
        for number in 1...200 {
            let message = "The value number \(number) is wrong for a reason that takes about a line to say"
            result.findings.append(.init(Finding(number == 200 ? .error : .note, id: "scenario/unknown-key", message)))
        }
        let brief = result.document(of: "check", .failed, isDetailed: false)
        let shown = try #require(brief["findings"]?.array)
        #expect(shown[0]["severity"]?.string == "error")
        #expect(brief["omittedFindings"]?.int == 200 - shown.count)
        #expect(brief.text(.compact).utf8.count < CommandResult.size)
        let whole = result.document(of: "check", .failed, isDetailed: true)
        #expect(whole["findings"]?.array?.count == 200 && whole["omittedFindings"] == nil)
    }
}

/// The schemas that commands publish for their results, each read once for all tests.
private actor PublishedSchemas {
    static let shared = PublishedSchemas()

    private var schemas: [String: Schema] = [:]

    func schema(of command: String) async throws -> Schema {
        if let schema = schemas[command] { return schema }
        let end = try await SpawnedCommand.run(["schema", "--of", command])
        try #require(end.status == 0, "\(end)")
        let schema = try Schema.compile(JSONParser().parse(Array(end.output.utf8)).root)
        schemas[command] = schema
        return schema
    }
}
