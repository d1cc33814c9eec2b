import HTTPCodec
import JSON
import StubServing
import TestSupport
import Testing

/// The commands that find a running server.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `A command for a running server` {
    private func withUser(_ body: (Stub) async throws -> Void) async throws {
        try await withStub(
            ScenarioLibrary("\(Project.folder)/Scenarios/smeem/splash-refresh-expired.json"),
            { _ in },
            body
        )
    }

    @Test(arguments: ["clock", "tokens", "journal", "verdict"])
    func `finds it by its port`(command: String) async throws {
        try await withUser { stub in
            let url = "http://127.0.0.1:\(stub.port)"
            // A verdict needs a request, or it is about nothing.
            _ = try stub.client().get("/api/v2/versions/client/app")
            let byURL = try await SpawnedCommand.run([command, "--url", url])
            for option in ["--port", "-p"] {
                #expect(try await SpawnedCommand.run([command, option, "\(stub.port)"]) == byURL)
            }
            // The variable is a default, and an option is not.
            let ported = try await SpawnedCommand.run(
                [command, "--port", "\(stub.port)"],
                environment: ["BACKLOT_URL": "http://127.0.0.1:1"]
            )
            #expect(ported == byURL)
        }
    }

    @Test(arguments: [
        (
            ["clock", "--port", "9000", "--url", "http://127.0.0.1:9847"],
            "--port and --url cannot be combined; keep one"
        ),
        (["clock", "--port", "0"], "--port requires"), (["clock", "--port", "http://x"], "--port requires"),
    ])
    func `refuses contradictions`(arguments: [String], sentence: String) async throws {
        let end = try await SpawnedCommand.run(arguments)
        #expect(end.status == 2 && end.output.isEmpty)
        #expect(end.errors.hasPrefix("error: \(sentence)"), "\(end.errors)")
    }

    @Test func `prints tokens as variables that a shell reads`() async throws {
        try await withUser { stub in
            let devices = try stub.admin(.get, "tokens")["devices"]
            let tokens = try #require(devices?[0]?["tokens"]?.array)
            let end = try await SpawnedCommand.run(["tokens", "--export", "--port", "\(stub.port)"])
            #expect(end.status == 0)
            let program =
                "\(end.output)printf '%s\\n' \"$BACKLOT_URL\" \"$BACKLOT_TOKEN_ACCESS\" \"$BACKLOT_TOKEN_REFRESH\" \"$BACKLOT_TOKENS\""
            let shell = try await SpawnedProgram("/bin/sh", ["-c", program]).end()
            let lines = shell.output.split(separator: "\n").map(String.init)
            try #require(lines.count == 4, "\(shell)")
            #expect(lines[0] == "http://127.0.0.1:\(stub.port)")
            for (kind, line) in [("access", lines[1]), ("refresh", lines[2])] {
                #expect(tokens.last { $0["kind"]?.string == kind }?["value"]?.string == line)
            }
            #expect(try JSONParser().parse(Array(lines[3].utf8)).root["access"]?.string == lines[1])
        }
    }

    @Test func `has nothing to export where no device has signed in`() async throws {
        try await withUser { stub in
            let end = try await SpawnedCommand.run(
                ["tokens", "--export", "--device", "watch", "--port", "\(stub.port)"]
            )
            #expect(end.status == 2 && end.output.isEmpty)
            #expect(end.errors == "error: the device \"watch\" has not signed in, so there is no token to export\n")
        }
        try await withStub(#"{"backend": "Plain", "routes": {"GET /": {"empty": true}}}"#) { stub in
            let end = try await SpawnedCommand.run(["tokens", "--export", "--port", "\(stub.port)"])
            #expect(end.status == 2 && end.output.isEmpty)
            #expect(end.errors == "error: no device has signed in, so there is no token to export\n")
        }
    }
}
