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

    private func port(of url: String) throws -> UInt16 {
        try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// Runs a command with `--json`, and validates what it prints against the schema that it publishes.
    @discardableResult
    private func result(_ arguments: String..., code: Int32, environment: [String: String] = [:]) async throws
        -> JSONValue
    {
        let split = arguments.firstIndex(of: "--") ?? arguments.endIndex
        let words = arguments[..<split] + ["--json"] + arguments[split...]
        let end = try await SpawnedCommand.run(Array(words), environment: environment)
        #expect(end.status == code, "\(arguments): \(end)")
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 1, "\(arguments): \(end)")
        return try await validated(String(lines.first ?? ""), command: arguments[0], code: code)
    }

    private func validated(_ text: String, command: String, code: Int32?) async throws -> JSONValue {
        let document = try JSONParser().parse(Array(text.utf8)).root
        let end = try await SpawnedCommand.run(["schema", "--of", command])
        #expect(end.status == 0, "\(end)")
        let schema = try Schema.compile(JSONParser().parse(Array(end.output.utf8)).root)
        let evaluation = try schema.evaluate(document)
        #expect(evaluation.isValid, "\(command): \(evaluation.leaves.map(\.sentence)) \(text)")
        #expect(document["exitCode"]?.int.map { Int32($0) } == code)
        if code == 2 { #expect(document["findings"]?.array?.isEmpty == false, "\(text)") }
        #expect(text.utf8.count <= CommandResult.size || document["omittedFindings"] == nil || code == nil)
        return document
    }

    @Test func `validates for offline commands, in success, failure and misuse`() async throws {
        try await result("check", path("Scenarios"), code: 0)
        let broken = try await result("check", path("Broken"), code: 1)
        #expect(broken["findings"]?[0]?["id"]?.string == "scenario/unknown-key")
        #expect(broken["findings"]?[0]?["line"]?.int == 1 && broken["findings"]?[0]?["advice"] != nil)
        #expect(broken["next"]?[0]?.string == "backlot explain scenario/unknown-key")
        let usage = try await result("check", "--strikt", code: 2)
        #expect(usage["findings"]?[0]?["id"]?.string == "command/usage")
        #expect(usage["next"]?[0]?.string == "backlot check --help")

        try await result("validate", "--schema", path("schema.json"), path("valid.json"), code: 0)
        let invalid = try await result("validate", "--schema", path("schema.json"), path("invalid.json"), code: 1)
        #expect(invalid["findings"]?[0]?["id"]?.string == "schema/type")
        try await result("validate", "--schema", path("none.json"), path("valid.json"), code: 2)
        try await result("validate", "--batch", code: 2)

        let stories = try await result("stories", path("Scenarios"), code: 0)
        #expect(stories["text"]?.string?.contains("A-1") == true)
        try await result("stories", path("Scenarios"), "--readme", path("README.md"), code: 1)
        try await result("stories", path("Nothing"), code: 2)

        try await result("init", path("contract.json"), path("Scenarios/pets"), code: 0)
        try await result("init", path("none.json"), code: 2)
        try await result("schema", code: 0)
        try await result("schema", "--of", "runn", code: 2)
        try await result("completions", "bash", code: 0)
        try await result("completions", "csh", code: 2)
        let explained = try await result("explain", "B2", "expect/count", "1", code: 0)
        #expect(explained["explanations"]?.array?.count == 3)
        try await result("explain", "B99", code: 2)
        try await result("certificate", code: 0, environment: ["HOME": folder.path, "XDG_DATA_HOME": folder.path])
        try await result("certificate", "--nonsense", code: 2)
        try await result("skill", "--install", path("skills"), code: 0)
        try await result("skill", "--nonsense", code: 2)
        try await result("mcp", code: 2)
        let help = try await result("help", "rules", code: 0)
        #expect(help["text"]?.string?.contains("refresh-storm") == true)
    }

    @Test func `validates for commands that run a client`() async throws {
        let passed = try await result("run", path("Scenarios/app/a-1.json"), "--", "/bin/sh", "-c", "exit 0", code: 0)
        #expect(passed["storyCounts"]?["passed"]?.int == 1 && passed["findings"]?.array?.isEmpty == true)
        let failed = try await result("run", path("Scenarios/app"), "--", "/bin/sh", "-c", "exit 0", code: 1)
        #expect(failed["storyCounts"]?["passed"]?.int == 3)
        #expect(failed["stories"]?[0]?["id"]?.string == "A-4")
        #expect(failed["findings"]?[0]?["subject"]?.string == "A-4")
        #expect(failed["report"] == nil)
        let detailed = try await result(
            "run",
            path("Scenarios/app"),
            "--detail",
            "--",
            "/bin/sh",
            "-c",
            "exit 0",
            code: 1
        )
        #expect(detailed["report"]?["stories"]?.array?.count == 4)
        try await result("run", path("Scenarios/app"), code: 2)
        try await result("run", path("Scenarios/none"), "--", "/bin/sh", "-c", "exit 0", code: 2)
        try await result("explore", path("Scenarios/app/a-1.json"), "--output", path("found"), "--", "/bin/sh", code: 2)
    }

    @Test func `validates for a client test`() async throws {
        let program = try #require(SpawnedCommand.path(of: TestOptions.program))
        let end = try await SpawnedProgram(
            program,
            ["test", "smeem", "--operation", "getMe", "--check", "responses", "--json"],
            in: Project.folder
        ).end()
        _ = try await validated(String(end.output.dropLast()), command: "test", code: 0)
        #expect(end.status == 0, "\(end)")
    }

    @Test func `validates for a running server and its journal`() async throws {
        let server = try SpawnedCommand.start(["serve", path("Scenarios/app/a-4.json"), "--port", "0", "--json"])
        let first = try await validated(await server.firstLine(), command: "serve", code: nil)
        #expect(first["outcome"]?.string == "running")
        let url = try #require(first["url"]?.string)
        try await result("clock", "--url", url, code: 0)
        try await result("clock", "advance", "2h", "--url", url, code: 0)
        try await result("clock", "advance", "soon", "--url", url, code: 2)
        try await result("tokens", "--url", url, code: 0)
        try await result("tokens", "expire", "--url", url, code: 2)
        try await result("fault", "--url", url, code: 0)
        try await result("fault", "arm", "GET /notes", "503", "--url", url, code: 0)
        try await result("fault", "arm", "GET /none", "503", "--url", url, code: 2)
        // The story expects one request.
        for _ in 0..<2 { _ = try HTTPClient(port: port(of: url)).exchange(HTTPRequest(target: "/notes")) }
        let one = try await result("journal", "--exchange", "1", "--url", url, code: 0)
        #expect(one["exchanges"]?.array?.count == 1)
        try await result("journal", "--exchange", "99", "--url", url, code: 2)
        try await result("session", "--url", url, code: 0)
        for verb in ["save", "diff", "restore", "delete"] {
            try await result("session", verb, "before", "--url", url, code: 0)
        }
        try await result("session", "diff", "before", "--url", url, code: 2)
        let verdict = try await result("verdict", "--url", url, code: 1)
        #expect(verdict["verdict"]?.string != "passed" && verdict["findings"]?.array?.isEmpty == false)

        // A journal with the envelope is a journal.
        let journal = try await SpawnedCommand.run(["journal", "--json", "--url", url])
        try folder.write(journal.output, to: "journal.json")
        try await result("report", path("journal.json"), code: 1)
        try await result("report", path("valid.json"), code: 2)
        let capture = try await SpawnedCommand.run(["journal", "--har", "--url", url])
        try folder.write(capture.output, to: "capture.har")
        try await result("import", path("capture.har"), path("Scenarios/captured"), code: 0)
        try await result("import", path("valid.json"), path("Scenarios/other"), code: 2)
        let autopsy = try await SpawnedCommand.run(["autopsy", path("capture.har"), "--json"])
        _ = try await validated(String(autopsy.output.dropLast()), command: "autopsy", code: autopsy.status)

        server.interrupt()
        let end = await server.end()
        let last = try #require(end.output.split(separator: "\n").last)
        let closing = try await validated(String(last), command: "serve", code: 0)
        #expect(closing["findings"]?.array?.isEmpty == false && closing["outcome"]?.string == "failed")
        for command in ["clock", "tokens", "fault", "journal", "verdict"] {
            let refused = try await result(command, "--url", "http://127.0.0.1:1", code: 2)
            #expect(refused["findings"]?[0]?["id"]?.string == "command/refused")
        }
        try await result("serve", path("Broken"), code: 2)
        try await result("serve", "--port", "x", code: 2)
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
        try await result("proxy", "nothing", code: 2)
    }

    @Test func `validates for a receipt`() async throws {
        try await result("prove", code: 2)
        try await result("prove", "--check", path("none.json"), code: 2)
        for text in ["{}", #"{"kind": "backlot receipt"}"#, #"{"kind": "backlot receipt", "digest": "1"}"#] {
            try folder.write(text, to: "receipt.json")
            let damaged = try await result("prove", "--check", path("receipt.json"), code: 1)
            #expect(damaged["findings"]?[0]?["id"]?.string == "prove/receipt" && damaged["receipt"] == nil)
        }
    }

    @Test func `validates for the verification of a server`() async throws {
        let server = try SpawnedCommand.start(["serve", path("contract.json"), "--port", "0"])
        let url = await server.firstLine()
        try await result("verify", path("contract.json"), "--against", url, code: 0)
        try folder.write(
            Self.contract.replacingOccurrences(of: #""type": "string""#, with: #""type": "integer""#),
            to: "other.json"
        )
        let failed = try await result("verify", path("other.json"), "--against", url, code: 1)
        #expect(failed["findings"]?[0]?["operation"]?.string == "getPet" || failed["findings"]?[0]?["pointer"] != nil)
        try await result("verify", path("none.json"), "--against", url, code: 2)
        server.interrupt()
        _ = await server.end()
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
