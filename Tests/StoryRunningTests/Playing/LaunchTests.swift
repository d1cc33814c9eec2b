import Judgements
import ScenarioFormat
import Simulation
import StoryRunning
import Testing

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `A story with launches` {
    private static let script = """
        curl -s $BACKLOT_URL/notes?launch=$BACKLOT_LAUNCH
        test $BACKLOT_LAUNCH = 1 && echo kept > $BACKLOT_STATE_DIR/file && exit 0
        test "$(cat $BACKLOT_STATE_DIR/file)" = kept
        """

    private func story() throws -> RunnableStory {
        try Stories.one(
            expecting: #"[{ "request": "GET /notes", "count": 2 }, { "exit": 0 }]"#,
            with: #", "timeline": [{ "at": "15d", "launch": 2 }]"#
        )
    }

    @Test func `starts the client for each of them, with what it has stored`() async throws {
        let result = try await StoryRunner(script: Self.script).judged(try story())
        #expect(result.outcome == .passed, "\(result.checks.filter(\.isOpen))")
        #expect(result.play.launches.map(\.end) == [.exited(0), .exited(0)])
        let exchanges = result.recording.evidence.exchanges
        #expect(exchanges.map(\.launch) == [1, 2])
        #expect(exchanges[1].time - exchanges[0].time > .seconds(14 * 86_400))
    }

    @Test func `counts the exit code of every launch`() async throws {
        let result = try await StoryRunner(script: Self.script + "; exit $((BACKLOT_LAUNCH - 1))").judged(try story())
        #expect(result.open == ["expect/exit"])
    }
}
