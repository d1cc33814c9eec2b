import Basics
import Checking

/// The git repository of a client, whose revisions are checked out into separate folders.
struct ClientRepository: Sendable {
    private let git: Git
    /// The folder of the working tree, resolved.
    let top: String

    /// A revision as git stores it.
    struct Revision: Sendable, Hashable {
        /// The revision as the user named it.
        var name: String
        var commit: String
        /// The digest of all of its files.
        var tree: String
    }

    /// - Throws: ``ProofProblem`` without git or a repository.
    init(around folder: String, scratch: String) throws(ProofProblem) {
        git = Git(scratch: scratch)
        let place = git.run(["rev-parse", "--show-toplevel"], in: folder)
        guard place.code == 0 else {
            let reason = place.code == 127 ? "git is not installed" : place.complaint
            throw ProofProblem(id: "prove/repository", "the client's repository cannot be read: \(reason)")
        }
        let path = Self.line(place.output)
        guard let top = DiskFiles().resolve(path) else {
            throw ProofProblem(id: "prove/repository", "the folder \(path) of the client's repository cannot be read")
        }
        self.top = top
    }

    /// - Throws: ``ProofProblem`` if files differ from the newest commit: neither revision would contain the changes.
    func checkIsClean() throws(ProofProblem) {
        let status = git.run(["status", "--porcelain", "--untracked-files=no"], in: top)
        guard status.code == 0, status.output.isEmpty else {
            throw ProofProblem(
                id: "prove/repository",
                "\(top) contains changes that are not committed, so neither revision contains them",
                advice: "commit the changes, or stash them"
            )
        }
    }

    /// - Throws: ``ProofProblem`` for an unknown revision.
    func revision(_ name: String) throws(ProofProblem) -> Revision {
        func resolve(_ kind: String) -> String? {
            // git would take it for an option.
            guard name.utf8.first != UInt8(ascii: "-") else { return nil }
            let found = git.run(["rev-parse", "--verify", "--quiet", "\(name)^{\(kind)}"], in: top)
            return found.code == 0 ? Self.line(found.output) : nil
        }
        guard let commit = resolve("commit"), let tree = resolve("tree") else {
            throw ProofProblem(id: "prove/repository", "\(top) contains no revision \"\(name)\"")
        }
        return Revision(name: name, commit: commit, tree: tree)
    }

    /// Checks a revision out into a folder that does not exist yet.
    func add(_ revision: Revision, at folder: String) throws(ProofProblem) {
        let added = git.run(["worktree", "add", "--detach", "--force", folder, revision.commit], in: top)
        guard added.code == 0 else {
            throw ProofProblem(id: "prove/repository", "\(revision.name) cannot be checked out: \(added.complaint)")
        }
    }

    private static func line(_ output: [UInt8]) -> String {
        String(decoding: output.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Removes a folder with a revision.
    func remove(_ folder: String) {
        _ = git.run(["worktree", "remove", "--force", folder], in: top)
    }
}
