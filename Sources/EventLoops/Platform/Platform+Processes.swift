#if canImport(Darwin)
    import Darwin
    import MachO
#elseif canImport(Glibc)
    import CLinux
    import Glibc
#elseif canImport(Musl)
    import CLinux
    import Musl
#endif

extension Platform {
    // MARK: Children

    static func spawn(_ program: ProgramStart) throws(SystemError) -> Int32 {
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
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(special)
        if program.leadsGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= Int32(POSIX_SPAWN_SETPGROUP)
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))

        for (stream, descriptor) in [program.input, program.output, program.errors].enumerated() {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor.number, Int32(stream))
            } else {
                #if canImport(Darwin)
                    posix_spawn_file_actions_addinherit_np(&actions, Int32(stream))
                #endif
            }
        }
        if let folder = program.folder {
            #if os(macOS)
                let code = posix_spawn_file_actions_addchdir_np(&actions, folder)
            #elseif canImport(Darwin)
                // The other systems of this family have no such action, and do not let apps start programs anyway.
                let code = ENOTSUP
            #else
                let code = clinux_spawn_addchdir(&actions, folder)
            #endif
            guard code == 0 else { throw SystemError("chdir", ErrorNumber(rawValue: code)) }
        }

        var number: pid_t = 0
        let code = withExtendedLifetime(program) {
            withCStrings(program.words) { words -> Int32 in
                guard let file = words[0] else { return ENOENT }
                // Darwin's posix_spawnp hands a file that is not a program to a shell; a path needs no search.
                let spawn = program.words[0].utf8.contains(UInt8(ascii: "/")) ? posix_spawn : posix_spawnp
                guard let environment = program.environment else {
                    return spawn(&number, file, &actions, &attributes, words, inheritedEnvironment)
                }
                return withCStrings(environment) { spawn(&number, file, &actions, &attributes, words, $0) }
            }
        }
        guard code == 0 else { throw SystemError("posix_spawn", ErrorNumber(rawValue: code)) }
        return number
    }

    /// The variables as the system has them: `NAME=value` each, and a null at the end.
    private static var inheritedEnvironment: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        #if canImport(Darwin)
            // No header of Darwin's declares `environ`.
            return _NSGetEnviron().pointee
        #else
            return environ
        #endif
    }

    /// Leaves it to ``end(of:)`` to take note, so that the number stays the child's until then.
    static func waitForEnd(of number: Int32) {
        var information = siginfo_t()
        _ = repeating { waitid(P_PID, id_t(number), &information, WEXITED | WNOWAIT) }
    }

    static func end(of number: Int32) -> ProcessEnd? {
        var status: Int32 = 0
        let answer = repeating { waitpid(number, &status, WNOHANG) }
        guard answer != 0 else { return nil }
        guard answer == number else { return .unknown }
        let signal = status & 0x7F
        return signal == 0 ? .exited(Int(status >> 8 & 0xFF)) : .killed(signal: Int(signal))
    }

    static func send(_ signal: ChildProcess.Signal, to number: Int32, andItsGroup: Bool) {
        let code =
            switch signal {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .kill: SIGKILL
            case .suspend: SIGSTOP
            case .resume: SIGCONT
            }
        _ = andItsGroup ? killpg(number, code) : kill(number, code)
    }

    static func hasMembers(group: Int32) -> Bool {
        if killpg(group, 0) == 0 { return true }
        #if canImport(Darwin)
            // EPERM means that there was no process to signal: a group of zombies, or of another user's processes, which
            // we could not end either.
            return false
        #else
            return errno == EPERM
        #endif
    }

    // MARK: Files for their streams

    /// The access mode of an opened file.
    package enum FileUse: Sendable {
        case reading
        /// The file is made if it is missing, and emptied if it exists.
        case writing
    }

    /// Opens a file or a device; children get it only as one of their streams.
    package static func openFile(_ path: String, for use: FileUse) throws(SystemError) -> Descriptor {
        let flags = use == .reading ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
        let number = repeating { open(path, flags | O_CLOEXEC, 0o644) }
        guard number >= 0 else { throw SystemError("open", lastError) }
        return Descriptor(adopting: number)
    }

    /// Writes to a file in one call, as far as it takes them.
    package static func write(_ bytes: [UInt8], to file: Descriptor) {
        _ = repeating { bytes.withUnsafeBytes { systemWrite(file.number, $0.baseAddress, $0.count) } }
    }

    /// Reads what a blocking descriptor has, and waits until there is something; empty at its end.
    package static func nextBytes(from file: Descriptor, atMost limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let number = repeating { systemRead(file.number, buffer.baseAddress, limit) }
            count = max(0, number)
        }
    }

    // MARK: This process

    /// The path of the program that this process runs; `nil` where the system does not tell.
    package static var executablePath: String? {
        #if canImport(Darwin)
            var size: UInt32 = 0
            _ = _NSGetExecutablePath(nil, &size)
            var path = [CChar](repeating: 0, count: Int(size) + 1)
            guard _NSGetExecutablePath(&path, &size) == 0, let resolved = realpath(path, nil) else { return nil }
            defer { free(resolved) }
            return String(cString: resolved)
        #else
            var path = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink("/proc/self/exe", &path, path.count)
            // One that fills the buffer may have been cut.
            guard count > 0, count < path.count else { return nil }
            return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        #endif
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

/// The system's call, where a function of ours has the same name.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
