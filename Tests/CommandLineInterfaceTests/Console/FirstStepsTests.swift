import Basics
import EventLoops
import Foundation
import TestSupport
import Testing

/// The first commands in a new folder: the commands without arguments, and the scenario to start from.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `The first steps in an empty folder` {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // An empty folder in a folder that is a project's root, so that nothing above is found.
        try folder.write("", to: ".git/HEAD")
    }

    private func start(_ program: String, _ arguments: [String]) throws -> SpawnedProgram {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try SpawnedProgram(program, arguments, environment: ["PATH": path], in: folder.path)
    }

    private func backlot(_ arguments: String...) async throws -> SpawnedProgram.End {
        try await start(#require(SpawnedCommand.executable), arguments).end()
    }

    private func text(of name: String) throws -> String { try Golden.text(of: "\(folder.path)/\(name)") }

    @Test func `init, check and serve follow each other without an argument`() async throws {
        let made = try await backlot("init")
        #expect(made.status == 0 && made.errors.isEmpty, "\(made)")
        let files = ["app/backend.json", "app/access-expired.json", "app/refresh-expired.json", "scenario.schema.json"]
        #expect(made.output.hasPrefix(files.map { "wrote Scenarios/\($0)\n" }.joined()))

        let checked = try await backlot("check")
        #expect(checked.status == 0 && checked.output.contains("0 errors, 0 warnings, 0 notes"), "\(checked)")

        let server = try start(#require(SpawnedCommand.executable), ["serve", "--port", "0"])
        #expect(await server.firstLine().hasPrefix("http://127.0.0.1:"))
        server.terminate()
        let served = await server.end()
        #expect(served.status == 0 && served.errors.contains("  GET     /notes/{id}  (access token)\n"))
        for story in ["APP-1", "APP-2"] { #expect(served.errors.contains("  \(story)  The ")) }
    }

    @Test func `init without an OpenAPI file replaces nothing`() async throws {
        try folder.write("mine", to: "Scenarios/app/access-expired.json")
        try folder.write("mine too", to: "Scenarios/scenario.schema.json")
        let refused = try await backlot("init")
        #expect(refused.status == 2 && refused.output.isEmpty)
        #expect(refused.errors.hasPrefix("error: \"Scenarios/app/access-expired.json\" already exists"))
        #expect(DiskFiles().entries(of: "\(folder.path)/Scenarios/app") == ["access-expired.json"])

        try FileManager.default.removeItem(atPath: "\(folder.path)/Scenarios/app/access-expired.json")
        #expect(try await backlot("init").status == 0)
        #expect(try text(of: "Scenarios/scenario.schema.json") == "mine too")

        let backend = try text(of: "Scenarios/app/backend.json")
        let again = try await backlot("init", "--force")
        #expect(again.status == 2 && again.errors.contains("found a backend in \"Scenarios/app\""))
        #expect(try text(of: "Scenarios/app/backend.json") == backend)
    }

    @Test func `serve and init say what to name where they cannot know it`() async throws {
        let empty = try await backlot("serve")
        #expect(empty.status == 2 && empty.output.isEmpty)
        #expect(
            empty.errors.contains("found no backend.json here or in Scenarios")
                && empty.errors.contains("backlot init")
        )
        try folder.write(#"{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" } }"#, to: "api.json")
        #expect(try await backlot("serve").errors.contains("backlot serve api.json"))
        let refused = try await backlot("init")
        #expect(refused.status == 2 && refused.errors.contains("backlot init api.json"))
        for name in ["a", "b"] { try folder.write(#"{ "backend": "B" }"#, to: "Scenarios/\(name)/backend.json") }
        #expect(try await backlot("serve").errors.contains("found several backends: Scenarios/a, Scenarios/b"))
    }

    @Test func `a wrong path or word says what would be right`() async throws {
        try folder.write(#"{ "backend": "B" }"#, to: "Scenarios/pets/backend.json")
        try folder.write(#"{ "openapi": "3.1.0", "info": { "title": "T", "version": "1" } }"#, to: "api.json")
        try folder.write(#"{ "id": 1 }"#, to: "fixture.json")
        let wrong: [([String], String)] = [
            (["serve", "Scenarios/pest"], "no file or folder \"Scenarios/pest\"; did you mean \"Scenarios/pets\"?"),
            (["serve", "8080"], "no file or folder \"8080\"; write a port as --port 8080"),
            (["init", "Scenarios"], "\"Scenarios\" is a folder; the OpenAPI file is the first argument"),
            (
                ["init", "shop"],
                "there is no file \"shop\"; the OpenAPI file is the first argument: backlot init openapi.json shop"
            ),
            (["check", "fixture.json"], "A backend contains the key \"backend\", a story contains \"extends\""),
            (["validate", "--schema", "api.json", "fixture.json"], "--contract api.json --pointer"),
            (["import", "fixture.json"], "a HAR file contains \"log\"; WireMock mappings contain \"request\""),
            (["import", "Scenarios/pets"], "the folder does not contain WireMock mappings"),
            (["import", "Scenarios"], "the folder does not contain WireMock mappings"),
            (["report"], "a file written by backlot journal --json"),
            (["mock", "api.json"], "did you mean 'backlot serve'?"),
            (["run", "python3", "client.py"], "is missing after --, as in 'backlot run Scenarios/app -- python3"),
        ]
        for (arguments, sentence) in wrong {
            let end = try await start(#require(SpawnedCommand.executable), arguments).end()
            #expect(end.status == 2 && (end.errors + end.output).contains(sentence), "\(arguments): \(end)")
        }
    }

    private static let contract = #"""
        {
          "openapi": "3.1.0", "info": { "title": "Pets", "version": "1" },
          "paths": { "/pets": { "get": { "responses": { "204": { "description": "None." } } } } }
        }
        """#

    @Test(arguments: [
        ([], "Scenarios/pets/backend.json"), (["Scenarios/other"], "Scenarios/other/backend.json"),
        (["mocks"], "mocks/backend.json"), (["."], "backend.json"), (nil, "Scenarios/app/refresh-expired.json"),
    ])
    func `What init writes names a schema that editors find`(arguments: [String]?, file: String) async throws {
        if let arguments {
            try folder.write(Self.contract, to: "api.json")
            let force = arguments == ["."] ? ["--force"] : []
            let end = try await start(#require(SpawnedCommand.executable), ["init", "api.json"] + arguments + force)
                .end()
            #expect(end.status == 0, "\(end)")
            #expect(!end.output.contains(".."))
        } else {
            #expect(try await backlot("init").status == 0)
        }
        let path = "\(folder.path)/\(file)"
        let document = try JSONSerialization.jsonObject(with: Data(text(of: file).utf8)) as? [String: Any]
        let schema = try #require(document?["$schema"] as? String)
        let found = try Golden.text(of: FilePath.join(FilePath.folder(of: path), schema))
        #expect(try await found == backlot("schema").output)
        #expect(try await backlot("check", file).status == 0)
    }
}

/// The scenario that `backlot init` writes, played to clients of a shell and curl.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "there is no curl here")
)
struct `The scenario to start from` {
    /// Refreshes once when it is refused, and repeats its request where that has helped.
    private static let client = #"""
        value() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p"; }
        post() { curl -s -H 'Content-Type: application/json' -d "$2" "$BACKLOT_URL/$1"; }
        notes() { curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $access" "$BACKLOT_URL/notes"; }
        access=$(echo "$BACKLOT_TOKENS" | value access)
        refresh=$(echo "$BACKLOT_TOKENS" | value refresh)
        if [ "$(notes)" = 401 ]; then
          access=$(post refresh "{\"refreshToken\":\"$refresh\"}" | value accessToken)
          if [ -n "$access" ]; then notes; fi
        fi
        """#

    private let folder: TemporaryFolder
    private let backlot: String

    init() async throws {
        folder = try TemporaryFolder()
        backlot = try #require(SpawnedCommand.executable)
        let made = try await SpawnedProgram(backlot, ["init"], in: folder.path).end()
        #expect(made.status == 0, "\(made)")
    }

    private func play(_ client: String) async throws -> SpawnedProgram.End {
        try folder.write(client, to: "client.sh")
        let arguments = ["run", "Scenarios/app", "--", "/bin/sh", "\(folder.path)/client.sh"]
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await SpawnedProgram(backlot, arguments, environment: ["PATH": path], in: folder.path).end()
    }

    @Test func `passes a client that refreshes once and stops when that is refused`() async throws {
        let end = try await play(Self.client)
        #expect(end.status == 0 && end.output.hasSuffix("2 stories: 2 passed\n"), "\(end)")
    }

    @Test func `fails a client that never refreshes, and one that goes on without a session`() async throws {
        let stubborn = try await play(Self.client.replacingOccurrences(of: "= 401", with: "= never"))
        #expect(stubborn.status == 1 && stubborn.output.hasSuffix("2 stories: 0 passed, 2 failed\n"), "\(stubborn)")
        #expect(stubborn.output.contains("expected POST /refresh once with status 200, but it never arrived"))

        let restless = try await play(
            Self.client.replacingOccurrences(of: "if [ -n \"$access\" ]; then notes; fi", with: "notes")
        )
        #expect(restless.status == 1 && restless.output.contains("APP-2"), "\(restless)")
        #expect(restless.output.hasSuffix("2 stories: 1 passed, 1 failed\n"), "\(restless)")
    }

    /// Status codes of requests to a server that plays it.
    private func statuses(_ requests: [[String]]) async throws -> [String] {
        let server = try SpawnedProgram(backlot, ["serve", "--port", "0", "--quiet"], in: folder.path)
        let url = await server.firstLine()
        var statuses: [String] = []
        for request in requests {
            let words = ["-s", "-o", "/dev/null", "-w", "%{http_code}", url + request[0]] + request.dropFirst()
            statuses.append(try await SpawnedProgram("/usr/bin/curl", words).end().output)
        }
        server.terminate()
        return statuses
    }

    @Test func `refuses tokens that it has not issued, and other passwords`() async throws {
        let json = ["-H", "Content-Type: application/json", "-d"]
        let forged = "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjo0MTAyNDQ0ODAwfQ.c2lnbmF0dXJl"
        let refused = [
            ["/refresh"] + json + [#"{"refreshToken":"never-issued"}"#],
            ["/refresh"] + json + [#"{"refreshToken":"\#(forged)"}"#],
            ["/refresh"] + json + ["{}"],
            ["/refresh", "-d", "grant_type=refresh_token&refresh_token=never-issued"],
            ["/refresh", "-X", "POST"],
            ["/notes"], ["/notes", "-H", "Authorization: Bearer \(forged)"],
        ]
        #expect(try await statuses(refused) == refused.map { _ in "401" })
        let signIns = [#"{"email":"ada@example.com","password":"secret"}"#, #"{"email":"ada@example.com"}"#, "x"]
        #expect(try await statuses(signIns.map { ["/login"] + json + [$0] }) == ["200", "403", "400"])
    }
}
