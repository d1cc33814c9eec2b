import Basics
import JSON
import Rules
import ScenarioFormat
import Simulation
import StoryRunning
import TestSupport
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

    @Test func `4.4 tells each launch its time, and when the first token of each device expires`() async throws {
        let folder = try TemporaryFolder()
        // On the phone the access token has expired 45 minutes ago, on the pad it has 10 minutes left.
        let story = try Stories.one(
            expecting: #"[{ "request": "GET /notes", "count": 2 }]"#,
            with: """
                , "clock": { "start": "2026-03-01T09:00:00Z", "frozen": true },
                "given": [{ "signIn": "phone", "ago": "1h" }, { "signIn": "pad", "ago": "5m" }],
                "timeline": [{ "at": "15d", "launch": 2 }]
                """
        )
        let script = """
            printf '%s\\n' "$BACKLOT_NOW" "$BACKLOT_TOKENS" "$BACKLOT_DEVICES" > \(folder.path)/$BACKLOT_LAUNCH
            curl -s $BACKLOT_URL/notes
            """
        let result = try await StoryRunner(script: script).judged(story)
        #expect(result.outcome == .passed, "\(result.checks.filter(\.isOpen))")
        for (launch, now) in [(1, "2026-03-01T09:00:00Z"), (2, "2026-03-16T09:00:00Z")] {
            let text = String(decoding: try DiskFiles().read("\(folder.path)/\(launch)"), as: UTF8.self)
            let lines = text.split(separator: "\n").map(String.init)
            try #require(lines.count == 3)
            #expect(lines[0] == now)
            let devices = try JSONParser().parse(lines[2]).root
            // 2026-03-01T08:15:00Z and 2026-03-01T09:10:00Z, in seconds since 1970.
            #expect(try JSONParser().parse(lines[1]).root["expires_at"] == .number(JSONNumber(1_772_352_900)))
            #expect(devices["phone"]?["expires_at"] == .number(JSONNumber(1_772_352_900)))
            #expect(devices["pad"]?["expires_at"] == .number(JSONNumber(1_772_356_200)))
        }
    }

    @Test func `2.3 gives a later launch no tokens that the client has not stored itself`() async throws {
        let folder = try TemporaryFolder()
        let story = try Stories.one(
            expecting: #"[{ "request": "GET /notes", "count": 2 }]"#,
            with: """
                , "clock": { "start": "2026-03-01T09:00:00Z", "frozen": true },
                "given": [{ "signIn": "phone", "ago": "1h" }],
                "timeline": [{ "at": "1d", "issue": "access", "device": "phone" }, { "at": "15d", "launch": 2 }]
                """
        )
        let script = """
            printf '%s' "$BACKLOT_TOKENS" > \(folder.path)/$BACKLOT_LAUNCH
            curl -s $BACKLOT_URL/notes
            """
        let result = try await StoryRunner(script: script).judged(story)
        #expect(result.recording.evidence.ledger.tokens.count { $0.kind == "access" } == 2)
        let first = try DiskFiles().read("\(folder.path)/1")
        #expect(!first.isEmpty)
        #expect(try DiskFiles().read("\(folder.path)/2") == first)
    }

    @Test func `counts the exit code of every launch`() async throws {
        let result = try await StoryRunner(script: Self.script + "; exit $((BACKLOT_LAUNCH - 1))").judged(try story())
        #expect(result.open == ["expect/exit"])
    }
}
