import Foundation
import TestSupport
import Testing

/// The command itself, with shells as clients.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `The command run` {
    /// A folder with a backend and stories, each with one `GET /notes`.
    private func folder(_ ids: String...) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Stories.backend, to: "notes/backend.json")
        for id in ids { try folder.write(Stories.story(id), to: "notes/\(id).json") }
        return folder
    }

    private static let good = ["--", "curl", "-s", "{url}/notes"]

    @Test func `exits with 0 when every story has passed`() async throws {
        let folder = try folder("a", "b")
        let end = try await SpawnedCommand.run(["run", "\(folder.path)/notes"] + Self.good)
        #expect(end.status == 0)
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("✓ a  A note  (1 exchange, ") == true)
        #expect(lines.last == "2 stories: 2 passed")
        #expect(end.errors.isEmpty)
    }

    @Test func `exits with 1 when one has failed, and says why and how to see it again`() async throws {
        let folder = try folder("a")
        let path = "\(folder.path)/notes/a.json"
        let end = try await SpawnedCommand.run(["run", path, "--", "curl", "-s", "{url}/other"])
        #expect(end.status == 1)
        #expect(end.output.contains("  failed      expected GET /notes once, but it never arrived"))
        #expect(end.output.contains("              \(path):1:"))
        #expect(end.output.contains("  again: backlot run \(path) --seed 1 -- curl -s '{url}/other'\n"))
        #expect(end.output.hasSuffix("1 story: 0 passed, 1 failed\n"))
    }

    @Test func `sets variables for the client, and repeats them`() async throws {
        let folder = try folder("a")
        let path = "\(folder.path)/notes/a.json"
        let client = ["--", "/bin/sh", "-c", #"test "$MODE" = 'a b' && curl -s "$BACKLOT_URL/$PLACE""#]
        let run = ["run", path, "--env", "MODE=a b", "--env", "PLACE=notes"]
        #expect(try await SpawnedCommand.run(run + client).status == 0)
        let end = try await SpawnedCommand.run(run + ["--env", "PLACE=other"] + client)
        #expect(end.status == 1)
        let options = "--env 'MODE=a b' --env PLACE=notes --env PLACE=other"
        #expect(end.output.contains("  again: backlot run \(path) --seed 1 \(options) -- /bin/sh -c "), "\(end.output)")
    }

    @Test(arguments: [
        (["run", "PATH", "--env", "MODE", "--", "true"], "--env requires a variable such as LOCALE=ko, not 'MODE'"),
        (["run", "PATH", "--env", "1=2", "--", "true"], "--env requires a variable such as LOCALE=ko, not '1=2'"),
        (["run", "PATH", "--", "surely-not-there"], "the folders in PATH contain no command \"surely-not-there\""),
        (["run", "PATH", "--", "/etc"], "\"/etc\" is a folder, not a command"),
        (["run", "PATH"], "-- COMMAND"),
        (["run", "--", "true"], "STORY"),
        (["run", "PATH/missing.json", "--", "true"], "there is no file"),
        (["run", "PATH/backend.json", "--", "true"], "no story was found"),
        (["run", "PATH", "--story", "b", "--", "true"], "the given files do not contain the story \"b\""),
        (["run", "PATH", "--update-baseline", "--", "true"], "--update-baseline requires --baseline FILE"),
        (["run", "PATH", "--baseline", "PATH/none", "--", "true"], "cannot be read: there is no such file"),
        (["run", "PATH", "--time-limit", "0s", "--", "true"], "a duration such as 90s"),
    ])
    func `exits with 2 where nothing can be played`(arguments: [String], sentence: String) async throws {
        let folder = try folder("a")
        let words = arguments.map { $0.replacingOccurrences(of: "PATH", with: "\(folder.path)/notes") }
        let end = try await SpawnedCommand.run(words)
        #expect(end.status == 2)
        #expect(end.errors.contains(sentence), "\(end.errors)")
        #expect(end.output.isEmpty)
    }

    @Test func `plays nothing when one of the files cannot be loaded`() async throws {
        let folder = try folder("a")
        try folder.write(Stories.story("b", expecting: "[]"), to: "notes/b.json")
        let marker = "\(folder.path)/marker"
        let end = try await SpawnedCommand.run(["run", "\(folder.path)/notes", "--", "touch", marker])
        #expect(end.status == 2)
        #expect(end.errors.contains("the story b expects nothing from the client, so it never passes"))
        #expect(!FileManager.default.fileExists(atPath: marker))
    }

    @Test func `writes reports, and leaves standard output to one that is written there`() async throws {
        let folder = try folder("a")
        let file = "\(folder.path)/run.xml"
        let options = ["--report", "junit=\(file)", "--report", "json=-"]
        let end = try await SpawnedCommand.run(["run", "\(folder.path)/notes"] + options + Self.good)
        #expect(end.status == 0)
        #expect(end.output.hasPrefix("{"))
        #expect(end.errors.hasSuffix("1 story: 1 passed\n"))
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#"<testsuite name="a""#))
    }

    @Test func `adds Markdown to the summary of a GitHub job, unless it was asked for elsewhere`() async throws {
        let folder = try folder("a")
        try folder.write("before\n", to: "summary.md")
        let summary = "\(folder.path)/summary.md"
        let environment = ["GITHUB_STEP_SUMMARY": summary]
        let command = ["run", "\(folder.path)/notes"]
        #expect(try await SpawnedCommand.run(command + Self.good, environment: environment).status == 0)
        let text = try String(contentsOfFile: summary, encoding: .utf8)
        #expect(text.hasPrefix("before\n## ✅ backlot run\n"))
        let elsewhere = ["--report", "markdown=\(folder.path)/own.md"]
        #expect(try await SpawnedCommand.run(command + elsewhere + Self.good, environment: environment).status == 0)
        #expect(try String(contentsOfFile: summary, encoding: .utf8) == text)
    }

    @Test func `exits with 2 when a file cannot be written, and keeps the others`() async throws {
        let folder = try folder("a")
        try folder.write("", to: "out/a/checks.json/in-the-way")
        let options = ["--output", "\(folder.path)/out"]
        let end = try await SpawnedCommand.run(["run", "\(folder.path)/notes"] + options + Self.good)
        #expect(end.status == 2)
        #expect(end.errors.contains("checks.json\" cannot be written: found a folder instead of a file"))
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/out/a/journal.json"))
    }

    @Test func `makes a baseline and goes by it`() async throws {
        let folder = try folder("a")
        let known = "\(folder.path)/known.json"
        let story = ["run", "\(folder.path)/notes", "--baseline", known]
        let bad = ["--", "curl", "-s", "{url}/other"]
        #expect(try await SpawnedCommand.run(story + ["--update-baseline"] + bad).status == 0)
        let text = try String(contentsOfFile: known, encoding: .utf8)
        #expect(text == "{\n  \"a\": [\"expect/count\"]\n}\n" || text.contains("\"expect/count\""))
        let end = try await SpawnedCommand.run(story + bad)
        #expect(end.status == 0)
        #expect(end.output.contains(", 1 known failure)"))
        // A client that sends nothing leaves no check that has held.
        let silent = ["--", "true"]
        let made = try await SpawnedCommand.run(story + ["--update-baseline"] + silent)
        #expect(made.status == 0)
        #expect(made.errors == "\(known): 2 failures are known\n")
        #expect(try await SpawnedCommand.run(story + silent).status == 0)
        #expect(try await SpawnedCommand.run(story + ["--update-baseline"] + bad).status == 0)
        let fixed = try await SpawnedCommand.run(story + Self.good)
        #expect(fixed.status == 1)
        #expect(fixed.output.contains("a no longer fails expect/count, so the baseline must not contain this entry"))
    }

    @Test func `ends its client when it is interrupted, and keeps what there is`() async throws {
        let folder = try folder("a")
        let marker = "\(folder.path)/marker"
        let script = "curl -s $BACKLOT_URL/notes; echo $$ > \(marker).new; mv \(marker).new \(marker); sleep 3600"
        let options = ["--output", "\(folder.path)/out", "--time-limit", "1h"]
        let command = try SpawnedCommand.start(
            ["run", "\(folder.path)/notes"] + options + ["--", "/bin/sh", "-c", script]
        )
        await command.wait { FileManager.default.fileExists(atPath: marker) }
        command.interrupt()
        let end = await command.end()
        #expect(end.status == 130)
        #expect(end.output.contains("the run was interrupted before the client had ended"))
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/out/a/journal.json"))
        let number = try String(contentsOfFile: marker, encoding: .utf8).split(separator: "\n")[0]
        #expect(try await FinishedProgram(running: "/bin/sh", ["-c", "kill -0 \(number) 2>/dev/null"]).status != 0)
    }
}
