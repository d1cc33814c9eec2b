import Basics
import Rules
import StoryRunning
import TestSupport
import Testing

/// How clients can end, with a shell as the client; each waits for other processes, in real time.
@Suite(.timeLimit(.minutes(15)), .enabled(if: Programs.hasShell, "there is no /bin/sh here"))
struct `A client that` {
    @Test func `sends nothing has not passed`() async throws {
        let story = try Stories.one(expecting: #"[{ "request": "GET /notes", "count": 0 }]"#)
        let result = try await StoryRunner(script: "exit 0").judged(story)
        #expect(result.open == ["client/no-request"])
        #expect(result.outcome == .failed)
        #expect(result.message(of: "client/no-request") == "the client sent nothing and ended with exit code 0")
    }

    @Test func `sends nothing has passed a silent story`() async throws {
        let story = try Stories.one(
            expecting: #"[{ "request": "GET /notes", "count": 0 }]"#,
            with: #", "silent": true"#
        )
        #expect(try await StoryRunner(script: "exit 0").judged(story).outcome == .passed)
    }

    @Test(arguments: [
        (
            #", { "client": "signedOut", "orUnknown": true }"#,
            "; a client that correctly sends no request reports signedOut true"
        ),
        ("", "put {url} into the command"),
    ])
    func `sends nothing is told of a fact that it can report instead`(fact: String, end: String) async throws {
        let none = #"{ "request": "GET /notes", "count": { "atMost": 1 } }"#
        let story = try Stories.one(expecting: "[\(none)\(fact)]")
        let result = try await StoryRunner(script: "exit 0").judged(story)
        #expect(result.open == ["client/no-request"])
        // A correct client may send nothing here, for all that is known.
        #expect(result.outcome == (fact.isEmpty ? .failed : .incomplete))
        let advice = result.checks.first { $0.isOpen }?.advice
        #expect(advice?.hasSuffix(end) ?? false, "\(advice ?? "")")
    }

    @Test(.enabled(if: Programs.hasCurl, "there is no curl here"))
    func `reports a fact and sends no request has reached the server`() async throws {
        let none = #"{ "request": "GET /notes", "count": { "atMost": 1 } }"#
        let story = try Stories.one(expecting: "[\(none), { \"client\": { \"screen\": \"start\" } }]")
        func judged(_ screen: String) async throws -> StoryResult {
            let report =
                #"curl -s -d '{"screen":"\#(screen)"}' -H 'Content-Type: application/json' $BACKLOT_ADMIN/client"#
            return try await StoryRunner(script: report).judged(story)
        }
        let wrong = try await judged("splash")
        #expect(wrong.open == ["client/no-request", "expect/client"])
        let silence = try #require(wrong.checks.first { $0.isOpen })
        #expect(
            silence.sentence == #"the client reported screen "splash", sent no request and ended with exit code 0"#
        )
        #expect(
            silence.advice
                == "make the client send the story's requests to the same base URL; a client that correctly sends "
                + #"no request reports screen "start""#
        )
        // What it reported is shown, too.
        let lines = StoryText(wrong, Paint(isColoured: false)).lines
        #expect(lines.contains { $0.hasSuffix(#"screen "start", but it reported screen "splash""#) }, "\(lines)")
        #expect(try await judged("start").outcome == .passed)
    }

    @Test func `sends nothing and fails is advised to correct its error first`() async throws {
        let result = try await StoryRunner(script: "echo cannot open nope.py >&2; exit 2").judged()
        let silence = try #require(result.checks.first { $0.isOpen })
        #expect(
            silence.sentence == "the client sent nothing and ended with exit code 2; it said: cannot open nope.py"
        )
        let advice = "correct the error that ended the client; if there is no error, make the client use the base URL"
        #expect(silence.advice?.hasPrefix(advice) ?? false)
    }

    @Test func `cannot be found by its shell is told by the shell's own words`() async throws {
        let result = try await StoryRunner(script: "surely-not-there").judged()
        let message = try #require(result.message(of: "client/no-request"))
        #expect(message.contains("exit code 127; it said: ") && message.contains("surely-not-there"))
    }

    @Test(.enabled(if: Programs.python != nil, "there is no python3 here"))
    func `speaks no HTTP is told why it was not understood`() async throws {
        let script = """
            import os, socket
            host, port = os.environ["BACKLOT_URL"][7:].split(":")
            socket.create_connection((host, int(port))).sendall(b"\\x16\\x03\\x01\\x00\\x05hello" + b"x" * 99)
            """
        let python = try #require(Programs.python)
        let runner = StoryRunner(command: [python, "-c", script])
        let message = try #require(try await runner.judged().message(of: "client/no-request"))
        #expect(message.hasPrefix("the client did not send a valid request: "))
        #expect(message.contains("TLS"))
    }

    @Test func `is interrupted twice is ended at once`() async throws {
        var runner = StoryRunner(script: "trap '' TERM; while :; do sleep 0.01; done") { client in
            client.grace = .seconds(50)
            client.endsAtOnce = { true }
        }
        runner.isInterrupted = { true }
        #expect(try await runner.judged().play.launches.map(\.end.code).allSatisfy { $0 > 128 })
    }

    /// This waits: 50 ms is how long the client may take, and nothing but time can tell that it hangs.
    @Test func `hangs is ended`() async throws {
        let runner = StoryRunner(script: "sleep 3600") { $0.timeLimit = .milliseconds(50) }
        let result = try await runner.judged()
        #expect(result.open.contains("client/hung"))
        #expect(result.play.launches.map(\.isOverdue) == [true])
    }

    @Test func `does not listen is ended all the same`() async throws {
        let runner = StoryRunner(script: "trap '' TERM; while :; do sleep 0.01; done") {
            $0.timeLimit = .milliseconds(50)
        }
        let result = try await runner.judged()
        #expect(result.play.launches.map(\.end) == [.killed(signal: 9)])
        #expect(result.message(of: "client/hung") == "the client had not ended after 50ms, so it was stopped")
    }

    @Test func `writes too much is ended`() async throws {
        // Not without end, because the output of a client whose run is late would fill the disk.
        let script = "head -c 4000000 /dev/zero; sleep 3600"
        let result = try await StoryRunner(script: script) { $0.mostOutput = 1 << 20 }.judged()
        #expect(result.message(of: "client/output") == "the client wrote more than 1 MB of output, so it was stopped")
        #expect(result.play.launches.map(\.isOverdue) == [false])
    }

    @Test(arguments: [("TERM", "SIGTERM"), ("KILL", "SIGKILL"), ("SEGV", "SIGSEGV")])
    func `is killed by a signal has failed`(signal: String, name: String) async throws {
        let result = try await StoryRunner(script: "kill -\(signal) $$").judged()
        #expect(result.message(of: "client/killed") == "the client was ended by \(name)")
        #expect(result.recording.evidence.exits.allSatisfy { $0 > 128 })
    }

    @Test func `leaves a child running has failed, and the child is ended`() async throws {
        let folder = try TemporaryFolder()
        let script = "sleep 3600 & echo $! > \(folder.path)/child"
        let result = try await StoryRunner(script: script).judged()
        #expect(result.open.contains("client/left-running"))
        let message = try #require(result.message(of: "client/left-running"))
        #expect(message.hasPrefix("the client ended and left "))
        let check =
            "kill -0 $(cat \(folder.path)/child) 2>/dev/null && "
            + "! grep -q '^State:.Z' /proc/$(cat \(folder.path)/child)/status"
        #expect(try await FinishedProgram(running: "/bin/sh", ["-c", check]).status != 0)
    }

    @Test func `ends with a child that is about to end has left nothing`() async throws {
        // It is waited for until it has ended, which a busy machine may put off.
        let result = try await StoryRunner(script: "sleep 0.005 & exit 0") { $0.settling = .seconds(600) }.judged()
        #expect(!result.open.contains("client/left-running"))
    }

    @Test func `is no program is not played`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("\u{7F}no program", to: "client")
        #expect(try await FinishedProgram(running: "/bin/chmod", ["+x", "\(folder.path)/client"]).status == 0)
        let runner = StoryRunner(command: ["\(folder.path)/client"])
        let story = try Stories.one()
        let problem = await #expect(throws: PlayProblem.self) { try await runner.play(story) }
        #expect(problem?.sentence.contains("cannot be started: ") == true)
    }

    @Test func `is interrupted has neither passed nor failed`() async throws {
        var runner = StoryRunner(script: "sleep 3600")
        runner.isInterrupted = { true }
        let result = try await runner.judged()
        #expect(result.isInterrupted)
        #expect(result.outcome == .incomplete || result.open.contains("client/interrupted"))
    }
}
