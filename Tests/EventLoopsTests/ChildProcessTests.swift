import EventLoops
import TestSupport
import Testing

private let hasShell = (try? Platform.openFile("/bin/sh", for: .reading)) != nil

/// Programs in processes of their own, with a shell as the program.
@Suite(.timeLimit(.minutes(15)), .enabled(if: hasShell, "there is no /bin/sh here"))
struct ChildProcessTests {
    private static let manyDescriptors = 3_000

    private func run(_ script: String, _ change: (inout ProgramStart) -> Void = { _ in }) throws -> ProcessEnd? {
        var program = ProgramStart(["/bin/sh", "-c", script])
        change(&program)
        let child = try ChildProcess(program)
        child.waitForEnd()
        return child.end()
    }

    @Test(arguments: [0, 1, 7, 255])
    func `An exit code is told as it is`(code: Int) throws {
        #expect(try run("exit \(code)") == .exited(code))
    }

    @Test func `A signal is told by its number`() throws {
        #expect(try run("kill -9 $$") == .killed(signal: 9))
    }

    @Test func `A process that runs has not ended, and can be told to end`() throws {
        let child = try ChildProcess(ProgramStart(["/bin/sh", "-c", "exec sleep 3600"]))
        #expect(child.end() == nil)
        #expect(!child.hasGroup)
        child.signal(.terminate)
        child.waitForEnd()
        #expect(child.end() == .killed(signal: 15))
    }

    @Test func `A group that computes is at work, and one that has ended is not`() throws {
        var program = ProgramStart(["/bin/sh", "-c", "while :; do :; done"])
        program.leadsGroup = true
        let child = try ChildProcess(program)
        #if os(Linux) || os(macOS)
            // Between its steps a process may wait for a page for a moment.
            #expect((0..<1_000).contains { _ in child.isGroupAtWork == true })
        #endif
        child.signal(.kill)
        child.waitForEnd()
        #expect(child.isGroupAtWork != true)
        #expect(child.end() == .killed(signal: 9))
        // Without a group of its own there is none to ask about.
        let other = try ChildProcess(ProgramStart(["/bin/sh", "-c", ":"]))
        #expect(other.isGroupAtWork == nil)
        other.waitForEnd()
        _ = other.end()
    }

    @Test func `A signal reaches the whole group of its head`() throws {
        let folder = try TemporaryFolder()
        #expect(try run("mkfifo ready") { $0.folder = folder.path } == .exited(0))
        // The shell ends when the program beside it has ended, which only a signal of its own brings about.
        let script = "trap 'wait; exit 7' TERM; /bin/sh -c ': > ready; exec sleep 3600' & wait"
        let child = try ChildProcess(
            ProgramStart(["/bin/sh", "-c", script], folder: folder.path, leadsGroup: true)
        )
        #expect(child.hasGroup)
        // Opened when the program opens the other end.
        _ = try Platform.openFile(folder.path + "/ready", for: .reading)
        child.signal(.terminate)
        child.waitForEnd()
        #expect(child.end() == .exited(7))
    }

    @Test func `The environment is ours unless another one is given`() throws {
        #expect(try run(#"test -n "$PATH" && test -z "$COLOUR""#) == .exited(0))
        let check = #"test "$COLOUR" = "deep blue" && test -z "$HOME""#
        #expect(try run(check) { $0.environment = ["COLOUR=deep blue"] } == .exited(0))
    }

    @Test func `The working folder is ours unless another one is given`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "only-here")
        #expect(try run("test -e only-here") == .exited(1))
        #expect(try run("test -e only-here") { $0.folder = folder.path } == .exited(0))
        #expect(throws: SystemError.self) { try run("true") { $0.folder = folder.path + "/missing" } }
    }

    @Test func `What cannot be started says why`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SystemError("posix_spawn", .noSuchFile)) {
            try ChildProcess(ProgramStart([folder.path + "/missing"]))
        }
        #expect(throws: SystemError("posix_spawn", .notPermitted)) { try ChildProcess(ProgramStart([folder.path])) }
        #expect(throws: SystemError("posix_spawn", .noSuchFile)) { try ChildProcess(ProgramStart([])) }
    }

    @Test func `This process knows its own program`() throws {
        let path = try #require(Platform.executablePath)
        #expect(path.hasPrefix("/"))
        _ = try Platform.openFile(path, for: .reading)
    }

    // MARK: As tests start programs

    @Test func `A program gets its input, and its output and errors are kept apart`() async throws {
        let end = try await SpawnedProgram("/bin/sh", ["-c", "cat; echo oh >&2; exit 3"], input: "hello").end()
        #expect(end.status == 3 && end.output == "hello" && end.errors == "oh\n")
        let joined = try await FinishedProgram(running: "/bin/sh", ["-c", "echo a; echo b >&2; echo c"])
        #expect(joined == FinishedProgram(output: "a\nb\nc\n", status: 0))
    }

    @Test func `A program that does not read its input harms nobody`() async throws {
        let input = String(repeating: "x", count: 1 << 20)
        #expect(try await SpawnedProgram("/bin/sh", ["-c", "exit 0"], input: input).end().status == 0)
    }

    @Test func `The first line is there before the end, and the end can be told`() async throws {
        let program = try SpawnedProgram("/bin/sh", ["-c", "echo ready; exec sleep 3600"])
        #expect(await program.firstLine() == "ready")
        #expect(program.isRunning)
        program.terminate()
        #expect(await program.end().status == 143)
        #expect(!program.isRunning)
    }

    // Foundation's Process died of fewer descriptors than that on Linux.
    @Test(.enabled(if: Platform.raiseDescriptorLimit() >= 8_192, "no 8,192 descriptors may be open here"))
    func `A program starts beside thousands of descriptors, and gets none of them`() async throws {
        let many = try (0..<Self.manyDescriptors).map { _ in try Platform.openFile("/dev/null", for: .reading) }
        // Only those: what URLSession opens meanwhile in other tests is passed on by the system's own library.
        let end = try await SpawnedProgram("/bin/sh", ["-c", "ls -l /dev/fd/ | grep -c null || true"]).end()
        withExtendedLifetime(many) {}
        #expect(end.status == 0)
        let count = try #require(Int(end.output.split(whereSeparator: \.isWhitespace).joined()))
        #expect(count < 100)
    }
}
