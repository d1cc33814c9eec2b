import ProjectFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A client that runs as a child process, at the head of a process group of its own.
///
/// The group is what is ended, so that a shell does not leave behind what it has started.
struct ClientProcess: Sendable {
    /// The number of the process, and of its group.
    private let number: pid_t

    enum Signal {
        case terminate
        case kill
    }

    /// Starts a program without input; its output goes into files.
    ///
    /// Signals are as a fresh process has them, and no descriptor of ours goes along.
    ///
    /// - Throws: ``ClientProblem`` when a file cannot be written or the program cannot be started.
    init(_ words: [String], environment: [String], _ streams: ClientStreams) throws(ClientProblem) {
        let input = try Self.descriptor(of: "/dev/null", O_RDONLY)
        defer { close(input) }
        let output = try Self.descriptor(of: streams.output, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(output) }
        let errors = try Self.descriptor(of: streams.errors, O_WRONLY | O_CREAT | O_TRUNC)
        defer { close(errors) }
        number = try Self.spawn(words, environment, streams: [input, output, errors])
    }

    private static func descriptor(of path: String, _ flags: Int32) throws(ClientProblem) -> Int32 {
        let descriptor = open(path, flags | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .file(path, reason: reason(errno)) }
        return descriptor
    }

    private static func spawn(
        _ words: [String],
        _ environment: [String],
        streams: [Int32]
    ) throws(ClientProblem) -> pid_t {
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
            var actions: posix_spawn_file_actions_t?
            let special = POSIX_SPAWN_CLOEXEC_DEFAULT
        #else
            var attributes = posix_spawnattr_t()
            var actions = posix_spawn_file_actions_t()
            let special: Int32 = 0
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }

        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // What a process ignores, its children ignore as well.
        for signal in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
        posix_spawnattr_setflags(&attributes, Int16(flags | Int32(special)))
        for (stream, descriptor) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(stream))
        }

        var number: pid_t = 0
        let code = withCStrings(words) { words in
            withCStrings(environment) { environment in
                words[0].map { posix_spawnp(&number, $0, &actions, &attributes, words, environment) } ?? ENOENT
            }
        }
        guard code == 0 else { throw .start(words.first ?? "", reason: reason(code)) }
        return number
    }

    // MARK: While it runs

    /// How it has ended; `nil` while it runs.
    ///
    /// Once that has been told, it must not be asked again.
    func end() -> ClientEnd? {
        var status: Int32 = 0
        var answer = waitpid(number, &status, WNOHANG)
        while answer < 0, errno == EINTR { answer = waitpid(number, &status, WNOHANG) }
        guard answer != 0 else { return nil }
        // The system no longer knows how it ended, so nothing good can be said about that.
        guard answer == number else { return .exited(255) }
        let signal = status & 0x7F
        return signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .killed(signal: Int(signal))
    }

    /// Sends a signal to everybody in the group.
    func signal(_ signal: Signal) {
        killpg(number, signal == .kill ? SIGKILL : SIGTERM)
    }

    /// Who is left in the group after its head has ended, by name as far as the system tells; `nil` for nobody.
    var leftovers: [String]? {
        guard killpg(number, 0) == 0 || errno == EPERM else { return nil }
        #if os(Linux)
            // Whoever has ended counts as well until somebody has asked, so each is looked at.
            let names = Self.names(inGroup: number)
            return names.isEmpty ? nil : names
        #else
            return []
        #endif
    }

    #if os(Linux)
        private static func names(inGroup group: pid_t) -> [String] {
            let files = DiskFiles()
            return files.entries(of: "/proc").filter { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
                .compactMap { entry -> String? in
                    guard let bytes = try? files.read("/proc/\(entry)/stat") else { return nil }
                    // 4242 (name) S parent group …: a name may contain anything, so the last bracket counts.
                    guard
                        let start = bytes.firstIndex(of: UInt8(ascii: "(")),
                        let end = bytes.lastIndex(of: UInt8(ascii: ")")), start < end
                    else { return nil }
                    let rest = bytes[(end + 1)...].split(separator: UInt8(ascii: " "))
                    guard rest.count > 2, rest[2].elementsEqual("\(group)".utf8) else { return nil }
                    guard !rest[0].elementsEqual("Z".utf8), !rest[0].elementsEqual("X".utf8) else { return nil }
                    return String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
                }
        }
    #endif

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT: "there is no such file"
        case EACCES: "it may not be used so"
        case ENOSPC: "the disk is full"
        case ENOEXEC: "it is no program; a script needs a first line such as #!/bin/sh"
        default: String(cString: strerror(code))
        }
    }
}

/// Lends texts as C has them: a list of pointers with a null at its end.
private func withCStrings<Result>(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: texts.count + 1)
    for (index, text) in texts.enumerated() { (pointers + index).initialize(to: strdup(text)) }
    (pointers + texts.count).initialize(to: nil)
    defer {
        for index in texts.indices { free(pointers[index]) }
        pointers.deallocate()
    }
    return body(pointers)
}
