#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Files on disk, through POSIX and without Foundation, whose start-up costs more than reading a scenario does.
package struct DiskFiles: FileReading {
    /// The largest file that is read, so that a path to a device or a disk image is an error and not a hang.
    package static let largest = 256 * 1024 * 1024

    package init() {}

    package func resolve(_ path: String) -> String? {
        // A C string would end at the NUL and name another file.
        guard FilePath.isPath(path), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw FileProblem(reason: Self.reason(errno)) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw FileProblem(reason: Self.reason(errno)) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw FileProblem(reason: "the path is a folder")
        default: throw FileProblem(reason: "the path is not a regular file")
        }
        guard status.st_size <= Self.largest else {
            throw FileProblem(reason: "the file is larger than \(Self.largest / 1024 / 1024) MB")
        }
        return try read(descriptor, expecting: Int(status.st_size))
    }

    private func read(_ descriptor: Int32, expecting size: Int) throws(FileProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var chunk = [UInt8](repeating: 0, count: min(max(size, 1), 1 << 20))
        while true {
            let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileProblem(reason: Self.reason(errno)) }
            if count == 0 { return bytes }
            guard bytes.count + count <= Self.largest else { throw FileProblem(reason: "it keeps growing") }
            bytes += chunk[..<count]
        }
    }

    package func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = String(cString: Self.name(of: entry))
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Returns the position of the name in the system's buffer.
    ///
    /// An entry is only as long as its name, so the field must not be copied as a whole: after the last entry of a large
    /// folder there is no more buffer.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> UnsafePointer<CChar> {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
        return UnsafePointer(UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
    }

    package func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Returns whether a path is a symbolic link, even if its target does not exist.
    package func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The identity of a version of a file: its modification time, its size, and the file's identifier.
    package func stamp(of path: String) -> FileStamp? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let modified = status.st_mtimespec
        #else
            let modified = status.st_mtim
        #endif
        return FileStamp(
            seconds: Int64(modified.tv_sec),
            nanoseconds: Int64(modified.tv_nsec),
            size: Int64(status.st_size),
            file: UInt64(status.st_ino)
        )
    }

    private static func reason(_ code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: FileProblem.missing.reason
        case EACCES, EPERM: "reading is not permitted"
        case ELOOP: "the symbolic links form a cycle"
        case ENAMETOOLONG: "the file name is too long"
        default: String(cString: strerror(code))
        }
    }
}

/// One version of a file, as far as the file system shows.
package struct FileStamp: Sendable, Hashable {
    var seconds: Int64
    var nanoseconds: Int64
    package var size: Int64
    var file: UInt64
}

/// The system call, out of reach of the method of the same name.
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}
