package import Basics
import EventLoops

/// The files of a repository as a commit has them, read by `git`.
///
/// A class, because every file is read once.
package final class GitRevision: FileReading {
    private let revision: String
    /// The folder of the working tree, resolved.
    private let top: String
    private let blobs = Lock<[String: [UInt8]?]>([:])
    private let trees = Lock<[String: [String]]>([:])
    private let git: Git

    /// - Parameters:
    ///   - revision: a commit, in any way that `git rev-parse` understands.
    ///   - folder: a folder of the repository.
    ///   - scratch: a folder for what `git` writes.
    /// - Throws: ``GitProblem`` when there is no `git`, no repository or no such commit.
    package init(_ revision: String, around folder: String, scratch: String) throws(GitProblem) {
        git = Git(scratch: scratch)
        let named = "\"\(revision)\" is not a file"
        // git would take it for an option.
        guard revision.utf8.first != UInt8(ascii: "-") else {
            throw GitProblem(sentence: "\(named), and no revision begins with a hyphen")
        }
        let place = git.run(["rev-parse", "--show-toplevel"], in: folder)
        switch place.code {
        case 0: break
        case 127: throw GitProblem(sentence: "\(named), and reading a revision requires git, which is not installed")
        default: throw GitProblem(sentence: "\(named), and git found no repository here: \(place.complaint)")
        }
        let path = String(decoding: place.output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        guard let top = DiskFiles().resolve(path) else {
            throw GitProblem(sentence: "\(named), and the repository's folder \"\(path)\" cannot be read")
        }
        guard git.run(["rev-parse", "--verify", "--quiet", revision + "^{commit}"], in: top).code == 0 else {
            throw GitProblem(
                sentence: "\"\(revision)\" is not a file, and \(top) contains no revision with this name; "
                    + "a shallow clone lacks older revisions"
            )
        }
        self.revision = revision
        self.top = top
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
            let listing = git.run(["ls-tree", "-z", "--name-only", "\(revision):\(inside)"], in: top)
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
            let run = git.run(["cat-file", "blob", "\(revision):\(inside)"], in: top)
            let bytes = run.code == 0 ? run.output : nil
            blobs[path] = .some(bytes)
            return bytes
        }
    }

    /// The path from the repository's folder, without a slash in front; `nil` outside of it.
    private func inside(_ path: String) -> String? {
        guard FilePath.contains(top, path) else { return nil }
        return String(Substring(path.utf8.dropFirst(top.utf8.count).drop { $0 == UInt8(ascii: "/") }))
    }

    /// The absolute path, with links resolved as far as the file or its folder is there today.
    private func absolute(_ path: String) -> String {
        let files = DiskFiles()
        if let resolved = files.resolve(path) { return resolved }
        if let folder = files.resolve(FilePath.folder(of: path)) {
            return FilePath.join(folder, FilePath.name(of: path))
        }
        var parts: [Substring] = FilePath.isAbsolute(path) ? [] : (files.resolve(".") ?? top).split(separator: "/")
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// The reason why a revision cannot be read.
package struct GitProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String
}

/// Runs `git`, and takes what it says.
package struct Git: Sendable {
    /// The folder for its output.
    private let scratch: String

    package init(scratch: String) {
        self.scratch = scratch
    }

    /// - Returns: the exit code, 127 without `git`; the standard output, and the first line of the error output.
    package func run(_ words: [String], in folder: String) -> (code: Int, output: [UInt8], complaint: String) {
        let files = DiskFiles()
        do {
            let folderOfOutput = try files.makeTemporaryFolder(in: scratch)
            defer { files.removeFolder(folderOfOutput) }
            let script = "out=$1; shift; exec git \"$@\" >\"$out/out\" 2>\"$out/err\" </dev/null"
            let child = try ChildProcess(
                ProgramStart(["/bin/sh", "-c", script, "sh", folderOfOutput, "-C", folder] + words)
            )
            child.waitForEnd()
            guard case .exited(let code) = child.end() else { return (-1, [], "git was terminated by a signal") }
            let complaint = String(decoding: try files.read(folderOfOutput + "/err"), as: UTF8.self)
            let line = complaint.split(separator: "\n").first.map(String.init) ?? ""
            return (code, try files.read(folderOfOutput + "/out"), line)
        } catch let problem as FileProblem {
            return (-1, [], problem.reason)
        } catch {
            return (-1, [], "\(error)")
        }
    }
}
