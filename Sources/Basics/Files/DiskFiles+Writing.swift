#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension DiskFiles {
    /// Writes a file in one step, so that no reader sees half of it; a device or a pipe is written to in place.
    ///
    /// - Parameters:
    ///   - permissions: The permissions of the written file; `nil` for those that the user's mask leaves of 644.
    ///   - followsLink: A Boolean value that indicates whether a link at the path is written to, because the user has
    ///     named it. Otherwise, the file replaces the link, and the link's target keeps its contents.
    package func write(
        _ bytes: [UInt8],
        to path: String,
        permissions: UInt32? = nil,
        followsLink: Bool = false
    ) throws(FileProblem) {
        guard mayBeReplaced(path, followsLink) else { return try writeInPlace(bytes, to: path) }
        let draft = draftPath(of: path)
        do throws(FileProblem) {
            // What lies there is left of a process that was killed, or a link that leads elsewhere.
            unlink(draft)
            // A file with restricted permissions is never readable for others, not even before chmod.
            try writeInPlace(bytes, to: draft, O_EXCL, permissions: permissions == nil ? 0o644 : 0o600)
            if let permissions, chmod(draft, mode_t(permissions)) != 0 { throw FileProblem(writing: errno) }
            guard rename(draft, path) == 0 else { throw FileProblem(writing: errno) }
        } catch {
            unlink(draft)
            throw error
        }
    }

    /// A path next to another one that only this process uses.
    package func draftPath(of path: String) -> String { "\(path).\(getpid())" }

    /// Removes the drafts of a path that earlier processes left behind, because they were killed.
    package func removeAbandonedDrafts(of path: String) {
        let folder = FilePath.folder(of: path)
        let prefix = FilePath.name(of: path) + "."
        for name in entries(of: folder) where name.hasPrefix(prefix) {
            guard let process = pid_t(name.dropFirst(prefix.count)), process > 0 else { continue }
            let isRunning = process != getpid() && (kill(process, 0) == 0 || errno != ESRCH)
            if !isRunning { removeFolder(FilePath.join(folder, name)) }
        }
    }

    /// Gives a file or a folder another path, in one step.
    package func move(_ path: String, to target: String) throws(FileProblem) {
        guard rename(path, target) == 0 else { throw FileProblem(writing: errno) }
    }

    /// Adds to the end of a file, which is created if missing.
    package func append(_ bytes: [UInt8], to path: String) throws(FileProblem) {
        try writeInPlace(bytes, to: path, O_APPEND)
    }

    /// Returns whether a draft can replace what is at a path: a regular file, a link that is not followed, or nothing.
    private func mayBeReplaced(_ path: String, _ followsLink: Bool) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0 else { return true }
        let kind = status.st_mode & S_IFMT
        return kind == S_IFREG || kind == S_IFLNK && !followsLink
    }

    /// Returns the permissions of a regular file; `nil` for a link, a folder and everything else.
    package func permissions(of path: String) -> UInt32? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt32(status.st_mode & 0o777)
    }

    /// Writes a file that only its user can read; a file that exists is left as it is.
    ///
    /// - Returns: whether the file was written.
    package func writePrivately(_ bytes: [UInt8], to path: String) throws(FileProblem) -> Bool {
        let draft = draftPath(of: path)
        unlink(draft)
        defer { unlink(draft) }
        try writeInPlace(bytes, to: draft, O_EXCL, permissions: 0o600)
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw FileProblem(writing: errno) }
        return false
    }

    private func writeInPlace(
        _ bytes: [UInt8],
        to path: String,
        _ mode: Int32 = O_TRUNC,
        permissions: mode_t = 0o644
    ) throws(FileProblem) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, permissions)
        guard descriptor >= 0 else { throw FileProblem(writing: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { systemWrite(descriptor, $0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(descriptor)
                throw FileProblem(writing: code)
            }
            rest = rest.dropFirst(count)
        }
        // Some file systems notice only now that there is no room.
        guard close(descriptor) == 0 else { throw FileProblem(writing: errno) }
    }

    // MARK: Folders

    /// Makes a folder and its parent folders, unless they exist.
    package func makeFolder(_ path: String) throws(FileProblem) {
        var missing: [String] = []
        var folder = path
        while !isFolder(folder), missing.last != folder {
            missing.append(folder)
            folder = FilePath.folder(of: folder)
        }
        for folder in missing.reversed() where mkdir(folder, 0o755) != 0 {
            let code = errno
            // Another process may have made it just now.
            guard code == EEXIST, isFolder(folder) else { throw FileProblem(writing: code) }
        }
    }

    /// Makes a folder with a unique name that no other user may look into, and returns its path.
    package func makeTemporaryFolder(in parent: String) throws(FileProblem) -> String {
        var template = Array(FilePath.join(parent, "backlot-run-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw FileProblem(writing: errno) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Lets only the superuser write into a folder and the regular files directly in it; links are not followed.
    package func forbidWriting(in folder: String) {
        for entry in entries(of: folder) {
            let path = FilePath.join(folder, entry)
            if let permissions = permissions(of: path) { _ = chmod(path, mode_t(permissions & 0o555)) }
        }
        _ = chmod(folder, 0o555)
    }

    /// Lets the owner of a folder write into it again; its files keep their permissions.
    package func allowWriting(in folder: String) {
        _ = chmod(folder, 0o755)
    }

    /// Removes a folder with all that is in it; links are removed and not followed.
    package func removeFolder(_ path: String) {
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
            waiting += entries(of: next).map { FilePath.join(next, $0) }
        }
        for folder in folders.reversed() { rmdir(folder) }
    }
}

extension FileProblem {
    /// The reason why something could not be written.
    init(writing code: Int32) {
        switch code {
        case ENOENT: self.init(reason: "the folder does not exist")
        case ENOSPC, EDQUOT: self.init(reason: "the disk is full", advice: "free some space on it")
        case EACCES, EPERM, EROFS:
            self.init(reason: "writing is not permitted", advice: "change the permissions, or specify another place")
        case ENOTDIR, EEXIST: self.init(reason: "found a file instead of a folder")
        case EISDIR: self.init(reason: "found a folder instead of a file")
        default: self.init(reason: String(cString: strerror(code)))
        }
    }
}

/// The system call, out of reach of the method of the same name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
