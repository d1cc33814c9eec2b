#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// What is at the place of a program.
enum ProgramFile {
    case executable
    case notExecutable
    case folder
    case missing

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .missing
            return
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            self = .folder
        } else {
            self = access(path, X_OK) == 0 ? .executable : .notExecutable
        }
    }
}
