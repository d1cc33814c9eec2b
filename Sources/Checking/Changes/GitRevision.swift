package import Basics
import EventLoops

/// The files of a repository as a commit has them, read by `git`.
///
/// A class, because every file is read once.
package final class GitRevision: FileReading {
    private let revision: String
    private let repository: GitRepository
    private let blobs = Lock<[String: [UInt8]?]>([:])
    private let trees = Lock<[String: [String]]>([:])

    /// - Parameters:
    ///   - revision: a commit, in any way that `git rev-parse` understands.
    ///   - folder: a folder of the repository.
    ///   - scratch: a folder for what `git` writes.
    /// - Throws: ``GitProblem`` when there is no `git`, no repository or no such commit.
    package init(_ revision: String, around folder: String, scratch: String) throws(GitProblem) {
        let named = "\"\(revision)\" is not a file"
        guard revision.utf8.first != UInt8(ascii: "-") else {
            throw GitProblem(sentence: "\(named), and no revision begins with a hyphen")
        }
        do {
            repository = try GitRepository(around: folder, scratch: scratch)
        } catch {
            throw GitProblem(sentence: "\(named), and \(error.sentence)")
        }
        guard repository.digest(of: revision, "commit") != nil else {
            throw GitProblem(
                sentence: "\(named), and \(repository.top) contains no revision with this name; "
                    + "a shallow clone lacks older revisions"
            )
        }
        self.revision = revision
    }

    package func resolve(_ path: String) -> String? {
        guard FilePath.isPath(path) else { return nil }
        let absolute = absolute(path)
        return blob(absolute) != nil || isFolder(absolute) ? absolute : nil
    }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        guard let bytes = blob(absolute(path)) else {
            throw FileProblem(reason: "\(revision) does not contain the file")
        }
        return bytes
    }

    package func entries(of folder: String) -> [String] {
        let folder = absolute(folder)
        guard let inside = inside(folder) else { return [] }
        return trees.withLock { trees in
            if let known = trees[folder] { return known }
            let listing = repository.run("ls-tree", "-z", "--name-only", "\(revision):\(inside)")
            let names = listing.code == 0 ? listing.output.split(separator: 0) : []
            var entries = names.map { String(decoding: $0, as: UTF8.self) }
            if inside.isEmpty { entries.append(".git") }
            trees[folder] = entries
            return entries
        }
    }

    package func isFolder(_ path: String) -> Bool {
        let path = absolute(path)
        return blob(path) == nil && !entries(of: path).isEmpty
    }

    private func blob(_ path: String) -> [UInt8]? {
        guard let inside = inside(path), !inside.isEmpty else { return nil }
        return blobs.withLock { blobs in
            if let known = blobs[path] { return known }
            let run = repository.run("cat-file", "blob", "\(revision):\(inside)")
            let bytes = run.code == 0 ? run.output : nil
            blobs[path] = .some(bytes)
            return bytes
        }
    }

    /// The path from the repository's folder, without a slash in front; `nil` outside of it.
    private func inside(_ path: String) -> String? {
        guard FilePath.contains(repository.top, path) else { return nil }
        return String(Substring(path.utf8.dropFirst(repository.top.utf8.count).drop { $0 == UInt8(ascii: "/") }))
    }

    /// The absolute path, with links resolved as far as the file or its folder is there today.
    private func absolute(_ path: String) -> String {
        let files = DiskFiles()
        if let resolved = files.resolve(path) { return resolved }
        if let folder = files.resolve(FilePath.folder(of: path)) {
            return FilePath.join(folder, FilePath.name(of: path))
        }
        var parts: [Substring] =
            FilePath.isAbsolute(path) ? [] : (files.resolve(".") ?? repository.top).split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
