import Basics
import Rules
import StoryRunning
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `An exit code` {
    private let request = "curl -s $BACKLOT_URL/notes > /dev/null; "

    @Test func `is worth knowing where the story does not judge it`() async throws {
        let result = try await StoryRunner(script: request + "exit 3").judged()
        #expect(result.outcome == .passed)
        let notes = result.checks.compactMap(\.finding).filter { $0.id == "client/exit" }
        #expect(notes.map(\.message) == ["the client ended with exit code 3, which the story does not judge"])
        #expect(notes.allSatisfy { $0.severity == .note })
    }
}
