import Basics
import HTTPCodec
import JSON
import Rules
import Simulation
import StoryRunning
import TestSupport
import Testing

/// Whole plays, with curl in a shell as the client.
@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `A played story` {
    @Test func `passes when the client does what is expected`() async throws {
        let result = try await StoryRunner(script: "curl -s $BACKLOT_URL/notes").judged()
        #expect(result.outcome == .passed, "\(result.checks)")
        #expect(result.recording.evidence.exchanges.map(\.request.path) == ["/notes"])
    }

    @Test func `takes the URL in the command's arguments`() async throws {
        let runner = StoryRunner(command: ["curl", "-s", "{url}/notes"])
        #expect(try await runner.judged().outcome == .passed)
    }

    @Test func `fails when the client does something else`() async throws {
        let result = try await StoryRunner(script: "curl -s $BACKLOT_URL/notes $BACKLOT_URL/notes").judged()
        #expect(result.outcome == .failed)
        #expect(result.open == ["expect/count"])
    }

    @Test func `has a bare origin, and tells the client about itself`() async throws {
        let folder = try TemporaryFolder()
        let runner = StoryRunner(script: "env > \(folder.path)/variables; curl -s $BACKLOT_URL/notes")
        let story = try Stories.one(
            with: #", "given": [{ "signIn": "phone", "ago": "1h" }, { "signIn": "pad", "ago": "5m" }]"#
        )
        #expect(try await runner.judged(story).outcome == .passed)
        let text = String(decoding: try DiskFiles().read("\(folder.path)/variables"), as: UTF8.self)
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            values[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        let url = try #require(values["BACKLOT_URL"])
        #expect(url.hasPrefix("http://127.0.0.1:") && url.split(separator: "/").count == 2)
        #expect(values["BACKLOT_ADMIN"] == url + "/__backlot")
        #expect(values["BACKLOT_STORY"] == "N-1")
        #expect(values["BACKLOT_LAUNCH"] == "1")
        #expect(values["BACKLOT_SESSION"] == "default")
        let tokens = try JSONParser().parse(values["BACKLOT_TOKENS"] ?? "").root
        let devices = try JSONParser().parse(values["BACKLOT_DEVICES"] ?? "").root
        #expect(tokens["access"]?.string != nil && tokens["refresh"]?.string != nil)
        #expect(values["BACKLOT_TOKEN_ACCESS"] == tokens["access"]?.string)
        #expect(values["BACKLOT_TOKEN_REFRESH"] == tokens["refresh"]?.string)
        #expect(devices["phone"] == tokens)
        #expect(devices["pad"]?["access"] != tokens["access"])
        for prefix in ["TEST_RUNNER_", "SIMCTL_CHILD_"] {
            #expect(values[prefix + "BACKLOT_URL"] == url)
            #expect(values[prefix + "BACKLOT_TOKENS"] == values["BACKLOT_TOKENS"])
        }
    }

    @Test func `gives the client tokens that work`() async throws {
        let story = try Stories.one(
            expecting: #"[{ "request": "GET /mine", "count": 1, "status": 200 }]"#,
            with: #", "given": [{ "signIn": "phone" }]"#
        )
        let script = #"""
            token=${BACKLOT_TOKENS#*\"access\":\"}
            curl -s -H "Authorization: Bearer ${token%%\"*}" $BACKLOT_URL/mine
            """#
        let result = try await StoryRunner(script: script).judged(story)
        #expect(result.outcome == .passed, "\(result.checks.filter(\.isOpen))")
    }

    @Test func `has a folder for the client, which is gone afterwards`() async throws {
        let folder = try TemporaryFolder()
        let script = "echo $BACKLOT_STATE_DIR > \(folder.path)/where; echo x > $BACKLOT_STATE_DIR/tokens; "
        let result = try await StoryRunner(script: script + "curl -s $BACKLOT_URL/notes").judged()
        #expect(result.outcome == .passed)
        let path = String(decoding: try DiskFiles().read("\(folder.path)/where").dropLast(), as: UTF8.self)
        #expect(!path.isEmpty)
        #expect(DiskFiles().resolve(path) == nil)
    }

    @Test func `starts the client without input and without our descriptors`() async throws {
        let script = "read line && exit 8; ls -l /proc/$$/fd 2>/dev/null | grep -q eventpoll && exit 9; exit 0"
        #expect(try await StoryRunner(script: script).judged().play.launches.map(\.end) == [.exited(0)])
    }
}
