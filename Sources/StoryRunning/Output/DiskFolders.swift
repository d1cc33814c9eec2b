import ProjectFiles

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Folders and files on disk, as a run writes them.
struct DiskFolders: Sendable {
    /// Why something could not be written, as a part of a sentence.
    struct Problem: Error, Hashable {
        var reason: String

        fileprivate init(_ code: Int32) {
            switch code {
            case ENOSPC: reason = "the disk is full"
            case EACCES, EPERM, EROFS: reason = "it may not be written"
            case ENOTDIR, EEXIST: reason = "a file is where a folder should be"
            case EISDIR: reason = "a folder is where the file should be"
            default: reason = String(cString: strerror(code))
            }
        }
    }

    /// Makes a folder with a name of its own that nobody else may look into.
    func makeTemporary(in parent: String) throws(Problem) -> String {
        var template = Array(FilePath.join(parent, "backlot-run-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Problem(errno) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Makes a folder, and those that it lies in, where there are none.
    func make(_ path: String) throws(Problem) {
        var missing: [String] = []
        var folder = path
        while !DiskFiles().isFolder(folder), !missing.contains(folder) {
            missing.append(folder)
            folder = FilePath.folder(of: folder)
        }
        for folder in missing.reversed() where mkdir(folder, 0o755) != 0 {
            let code = errno
            // Somebody else may have made it just now.
            guard code == EEXIST, DiskFiles().isFolder(folder) else { throw Problem(code) }
        }
    }

    /// Writes a file, in place of any that is there.
    func write(_ text: String, to path: String) throws(Problem) {
        let descriptor = openFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Problem(errno) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                throw Problem(code)
            }
            rest = rest.dropFirst(count)
        }
        // Some file systems notice only now that there is no room.
        guard close(descriptor) == 0 else { throw Problem(errno) }
    }

    /// Removes a folder with all that is in it; links are removed and not followed.
    func remove(_ path: String) {
        var waiting = [path]
        var folders: [String] = []
        while let next = waiting.popLast() {
            var status = stat()
            guard lstat(next, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                unlink(next)
                continue
            }
            folders.append(next)
            waiting += DiskFiles().entries(of: next).map { FilePath.join(next, $0) }
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}

private func openFile(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
    open(path, flags, mode)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
