import Basics
import Foundation
import JSON
import TestSupport
import Testing

/// Proofs of fixes, with a client of `Tests/Repairs` in a separate repository.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests"),
    .enabled("python3, git and patch are needed") {
        try await SpawnedProgram("/bin/sh", ["-c", "command -v python3 && command -v git && command -v patch"]).end()
            .status == 0
    }
)
struct `A proof` {
    private let folder: TemporaryFolder
    private let story: String

    init() async throws {
        folder = try TemporaryFolder()
        story = "\(Project.folder)/Tests/Repairs/b01.json"
        try await shell(
            """
            cp -r '\(Project.folder)/Tests/Repairs' client && cd client && echo __pycache__ > .gitignore
            git init -q -b main && git add -A && commit 'Add the clients'
            git checkout -q -b fix && patch -p1 -s < B01/fix.patch && commit 'Fix B1'
            git checkout -q -b other main && patch -p1 -s < B02/fix.patch && commit 'Fix B2'
            git checkout -q -b skip main && sed -i.old 's/^client.call.*//' B01/client.py && rm B01/*.old && commit 'Skip'
            git checkout -q main
            """
        )
    }

    private func shell(_ script: String) async throws {
        let commit = #"commit() { git -c user.name=Ann -c user.email=ann@example.com commit -qam "$1"; }"#
        let end = try await SpawnedProgram("/bin/sh", ["-ec", "\(commit)\n\(script)"], in: folder.path).end()
        try #require(end.status == 0, "\(end)")
    }

    /// Runs the command in the client's folder.
    private func prove(_ words: String...) async throws -> (code: Int32, document: JSONValue, reasons: [String]) {
        let end = try await SpawnedProgram(
            SpawnedCommand.executable ?? "",
            ["prove"] + words,
            in: "\(folder.path)/client"
        ).end()
        let document = try JSONParser().parse(Array(end.output.utf8)).root
        return (end.status, document, (document["findings"]?.array ?? []).compactMap { $0["id"]?.string })
    }

    private func prove(after revision: String, _ options: String...) async throws -> (code: Int32, reasons: [String]) {
        let words = [story, "--before", "main", "--after", revision, "--seeds", "1", "--json"] + options
        let end = try await SpawnedProgram(
            SpawnedCommand.executable ?? "",
            ["prove"] + words + ["--", "python3", "-m", "B01.client"],
            in: "\(folder.path)/client"
        ).end()
        let document = try JSONParser().parse(Array(end.output.utf8)).root
        return (end.status, (document["findings"]?.array ?? []).compactMap { $0["id"]?.string })
    }

    @Test func `gives a receipt for a fix, which can be verified`() async throws {
        let receipt = "\(folder.path)/receipt.json"
        let proof = try await prove(after: "fix", "--rule", "B1", "--output", receipt)
        #expect(proof.code == 0 && proof.reasons.isEmpty, "\(proof)")
        #expect(try Golden.text(of: "\(folder.path)/receipt.md").contains("B1 no-refresh-after-401"))
        #expect(try await prove("--check", receipt, "--json").code == 0)
        // A receipt of another story, and one that was changed.
        let text = try Golden.text(of: receipt)
        try folder.write(text.replacingOccurrences(of: "B1 no-refresh", with: "B2 no-refresh"), to: "receipt.json")
        let changed = try await prove("--check", receipt, "--json")
        #expect(changed.code == 1 && changed.reasons == ["prove/receipt"])
        try folder.write("{}", to: "receipt.json")
        #expect(try await prove("--check", receipt, "--json").code == 1)
        // Nothing is left in the repository.
        try await shell("cd client && test -z \"$(git status --porcelain)\" && test $(git worktree list | wc -l) = 1")
    }

    @Test(
        arguments: [
            ("main", 1, "prove/no-change"), ("other", 1, "prove/still-fails"), ("skip", 1, "prove/still-fails"),
            ("none", 2, "prove/repository"),
        ] as [(String, Int32, String)]
    )
    func `gives the reason for a change that is no fix`(revision: String, code: Int32, reason: String) async throws {
        let proof = try await prove(after: revision)
        #expect(proof.code == code && proof.reasons == [reason], "\(proof)")
    }

    @Test func `is a tool of the MCP server for a repository in the project's folder`() async throws {
        func prove(in root: String, _ story: String) async throws -> JSONValue {
            let client = try ModelContextClient(root: root, clients: ["app": "exec python3 -m B01.client"])
            let values: JSONValue = [
                "story": [.string(story)], "client": "app", "before": "main", "after": "fix", "seeds": 1,
            ]
            let result = try await client.call(1, "prove", values)
            _ = await client.end()
            return result
        }
        let root = "\(folder.path)/client"
        let proof = try await prove(in: root, "\(root)/b01.json")
        #expect(proof["structuredContent"]?["receipt"]?["stories"]?[0]?["file"]?.string == "b01.json", "\(proof)")
        // No path of this machine, except those of the client's command.
        #expect(!proof.text(.compact).contains(folder.path), "\(proof)")
        // A project that is a folder in a repository.
        try folder.write("{}", to: "client/part/Scenarios/b01.json")
        let part = try await prove(in: "\(root)/part", "Scenarios/b01.json")
        #expect(part["isError"]?.bool == true)
        #expect(part["content"]?[0]?["text"]?.string?.contains("--root \(root)") == true, "\(part)")
    }

    @Test func `passes a signal on to the build, and leaves nothing in the repository`() async throws {
        let pipe = "\(folder.path)/alive"
        try await shell("mkfifo '\(pipe)'")
        // Reads the number of the build's process, and then until that process has ended.
        let reader = try SpawnedProgram("/bin/sh", ["-c", "exec cat '\(pipe)'"])
        let build = "exec 3>'\(pipe)'; echo $$ >&3; exec sleep 3600"
        let proof = try SpawnedProgram(
            SpawnedCommand.executable ?? "",
            ["prove", story, "--before", "main", "--after", "fix", "--build", build, "--json", "--", "python3"],
            in: "\(folder.path)/client"
        )
        #expect(await Int(reader.firstLine()) != nil)
        proof.terminate()
        #expect(await reader.end().status == 0)
        let end = await proof.end()
        let document = try JSONParser().parse(Array(end.output.utf8)).root
        #expect(end.status == 130 && document["findings"]?[0]?["id"]?.string == "prove/interrupted", "\(end)")
        try await shell("cd client && test $(git worktree list | wc -l) = 1")
    }

    @Test func `distinguishes its obstacles from a failing story`() async throws {
        let build = try await prove(after: "fix", "--build", "echo broken >&2; exit 3")
        #expect(build.code == 2 && build.reasons == ["prove/build"])
        let rule = try await prove(after: "fix", "--rule", "B2")
        #expect(rule.code == 1 && rule.reasons == ["prove/not-reproduced"])
        try await shell("cd client && echo '# changed' >> notes.py")
        let dirty = try await prove(after: "fix")
        #expect(dirty.code == 2 && dirty.reasons == ["prove/repository"])
    }
}
