import Basics
import HTTPCodec
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
struct `A client of several processes` {
    /// An access token that has expired, and a refresh token that is good once.
    private static let backend = """
        { "backend": "Notes",
          "tokens": { "kinds": {
            "access": { "lifetime": "15m", "format": "opaque" },
            "refresh": { "lifetime": "30d", "format": "opaque", "rotate": { "grace": "0s" }, "in": { "query": "token" } } } },
          "given": [{ "signIn": "phone", "ago": "1h" }],
          "routes": {
            "GET /notes": { "requires": "access", "json": [] },
            "POST /refresh": { "requires": "refresh", "grants": { "access": "new", "refresh": "new" },
              "text": "{{token.access}} {{token.refresh}}" } } }
        """

    private func story(with more: String = "") throws -> RunnableStory {
        let files = MemoryFiles([
            "Scenarios/notes/backend.json": Self.backend,
            "Scenarios/notes/story.json": #"""
            { "extends": "backend.json", "id": "P-1", "title": "Copies",
              "expect": [{ "request": "POST /refresh" }]\#(more) }
            """#,
        ])
        let selection = StorySelection(["Scenarios/notes/story.json"], files: files)
        return try #require(selection.stories.first, "\(selection.problems)")
    }

    /// Reads its tokens, refreshes once all copies have read theirs, and writes the new ones.
    private static let copy = """
        token=$(printf %s "$BACKLOT_TOKENS" | sed 's/.*"refresh": *"\\([^"]*\\)".*/\\1/')
        curl -s -X POST "$BACKLOT_URL/refresh?token=$token" > $BACKLOT_STATE_DIR/$BACKLOT_PROCESS
        """

    @Test func `is named when its copies redeem one refresh token`() async throws {
        let runner = StoryRunner(script: Self.copy) { $0.processes = ["a", "b", "c"] }
        let result = try await runner.judged(try story())
        let exchanges = result.recording.evidence.exchanges
        #expect(Set(exchanges.map(\.process)) == ["a", "b", "c"])
        #expect(result.recording.evidence.processExits == ["a": [0], "b": [0], "c": [0]])
        #expect(result.play.launches.map(\.process) == ["a", "b", "c"])
        let violations = result.recording.verdict.rules.filter { $0.number == "B24" && $0.status == .failed }
        #expect(violations.count == 1)
        #expect(violations.first?.exchanges.count == 3)
        #expect(result.play.command.contains("--processes 3"))
    }

    /// The app is frozen after its refresh was committed, and before it has the response.
    @Test func `is frozen, started, woken and ended as the story says`() async throws {
        let story = try story(
            with: """
                , "processes": {"app": "start", "extension": "later"},
                "timeline": [
                  {"after": {"request": "POST /refresh"}, "process": "app", "do": "suspend"},
                  {"after": {"request": "POST /refresh"}, "process": "extension", "do": "start"},
                  {"after": {"request": "POST /refresh", "count": 2}, "process": "app", "do": "resume"},
                  {"after": {"request": "GET /notes"}, "process": "app", "do": "kill"}]
                """
        )
        let script =
            Self.copy + """

                test $BACKLOT_PROCESS = app || exit 0
                curl -s $BACKLOT_URL/notes > /dev/null
                sleep 3600
                """
        let result = try await StoryRunner(script: script).judged(story)
        let evidence = result.recording.evidence
        #expect(evidence.exchanges.map(\.process) == ["app", "extension", "app"])
        #expect(evidence.exchanges.map(\.request.method) == [.post, .post, .get])
        #expect(evidence.processExits == ["app": [137], "extension": [0]])
        #expect(result.open.filter { $0.hasPrefix("client/") } == [])
    }

    @Test func `is told which process ended how, and which left something running`() async throws {
        let script = """
            curl -s $BACKLOT_URL/notes > /dev/null
            test $BACKLOT_PROCESS = a && exit 3
            sleep 3600 &
            """
        let runner = StoryRunner(script: script) { $0.processes = ["a", "b"] }
        let result = try await runner.judged(try story())
        let messages = result.checks.compactMap(\.finding).map(\.message)
        #expect(messages.contains { $0.contains("in the process b") && $0.contains("left") })
        #expect(result.recording.evidence.processExits == ["a": [3], "b": [0]])
    }
}

@Suite(
    .timeLimit(.minutes(15)),
    .enabled(if: Programs.hasShell && Programs.hasCurl, "there is no /bin/sh or no curl here")
)
struct `A launch with a store` {
    /// The first launch stores two versions of a token; later ones try to read and to write it.
    private static let script = """
        curl -s $BACKLOT_URL/notes > /dev/null
        cd $BACKLOT_STATE_DIR
        case $BACKLOT_LAUNCH in
        1) echo one > token;;
        2) cat token > /dev/null && echo two > token;;
        3) read=$(cat token 2>/dev/null || echo nothing); (echo three > token) 2>/dev/null; echo "$read" >> FOLDER/seen;;
        4) cat token >> FOLDER/seen;;
        esac
        """

    @Test(arguments: [
        ("locked", "nothing two"), ("empty", "nothing three"), ("readOnly", "two two"), ("stale", "one three"),
    ])
    func `finds it so, and has it back afterwards`(_ fault: String, _ seen: String) async throws {
        let folder = try TemporaryFolder()
        let timeline =
            #""timeline": [{"at": "1h", "launch": 2}, {"at": "2h", "launch": 3, "store": "\#(fault)"}, {"at": "3h", "launch": 4}]"#
        let story = try Stories.one(expecting: #"[{ "request": "GET /notes", "count": 4 }]"#, with: ", " + timeline)
        let script = Self.script.replacing("FOLDER", with: folder.path)
        let result = try await StoryRunner(script: script).judged(story)
        #expect(result.outcome == .passed, "\(result.checks.filter(\.isOpen))")
        let text = String(decoding: try DiskFiles().read("\(folder.path)/seen"), as: UTF8.self)
        #expect(text.split(separator: "\n").joined(separator: " ") == seen)
        let told = result.recording.evidence.statements.map { $0.value.string ?? "" }
        #expect(told == [fault, "none"])
    }

    @Test(arguments: ["locked", "empty", "readOnly", "stale"])
    func `keeps the permissions of its files, and leaves the targets of links`(_ fault: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("outside", to: "target")
        let script = """
            cd $BACKLOT_STATE_DIR
            chmod 600 FOLDER/target
            test $BACKLOT_LAUNCH = 1 && { echo one > token; chmod 600 token; ln -s FOLDER/target link; }
            test $BACKLOT_LAUNCH = 4 && ls -l token FOLDER/target | cut -c1-10 > FOLDER/modes
            curl -s $BACKLOT_URL/notes > /dev/null
            """
        let timeline =
            #""timeline": [{"at": "1h", "launch": 2}, {"at": "2h", "launch": 3, "store": "\#(fault)"}, {"at": "3h", "launch": 4}]"#
        let story = try Stories.one(expecting: #"[{ "request": "GET /notes", "count": 4 }]"#, with: ", " + timeline)
        _ = try await StoryRunner(script: script.replacing("FOLDER", with: folder.path)).judged(story)
        let modes = String(decoding: try DiskFiles().read("\(folder.path)/modes"), as: UTF8.self)
        #expect(modes == "-rw-------\n-rw-------\n")
        #expect(try DiskFiles().read("\(folder.path)/target") == Array("outside".utf8))
    }
}
