import Foundation
import TestSupport
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: SpawnedCommand.executable != nil, "the command was not built with the tests")
)
struct `A run whose output pipe is closed early` {
    private static let backend = #"{ "backend": "B", "routes": { "GET /": { "empty": true } } }"#
    private static let story = #"""
        { "extends": "backend.json", "id": "S-1", "title": "A story", "expect": [{ "request": "GET /", "count": 0 }] }
        """#

    /// What a run says on standard error, and then its exit code.
    private func errors(into output: String) async throws -> String {
        let folder = try TemporaryFolder()
        try folder.write(Self.backend, to: "app/backend.json")
        try folder.write(Self.story, to: "app/story.json")
        let backlot = try #require(SpawnedCommand.executable)
        // The client ends when the reader of the run's output has gone away.
        let script = """
            touch() { : > "$1"; }
            { "\(backlot)" run app -- /bin/sh -c 'until [ -e gone ]; do sleep 0.01; done'; echo "status $?" >&2; } \(output)
            """
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return try await SpawnedProgram("/bin/sh", ["-c", script], environment: ["PATH": path], in: folder.path).end()
            .errors
    }

    @Test func `ends quietly, with its own exit code`() async throws {
        #expect(try await errors(into: "| { exec <&-; touch gone; }") == "status 1\n")
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full here"))
    func `says what is lost where a disk is full`() async throws {
        let errors = try await errors(into: "> /dev/full & touch gone; wait")
        #expect(errors.contains("error: writing to standard output failed") && errors.hasSuffix("status 2\n"))
    }
}
