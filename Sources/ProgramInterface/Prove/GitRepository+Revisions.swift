import Checking
import EventLoops

/// The revisions of a client, which are checked out into separate folders.
extension GitRepository {
    /// A revision as git stores it.
    struct Revision: Sendable, Hashable {
        /// The revision as the user named it.
        var name: String
        var commit: String
        /// The digest of all of its files.
        var tree: String
    }

    /// The repository of a client.
    ///
    /// - Throws: ``ProofProblem`` without git or a repository.
    static func client(around folder: String, scratch: String) throws(ProofProblem) -> GitRepository {
        do {
            return try GitRepository(around: folder, scratch: scratch)
        } catch {
            throw ProofProblem(id: "prove/repository", "the client's repository cannot be read: \(error.sentence)")
        }
    }

    /// - Throws: ``ProofProblem`` if files differ from the newest commit: neither revision would contain the changes.
    func checkIsClean() throws(ProofProblem) {
        let status = run("status", "--porcelain", "--untracked-files=no")
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
        guard let commit = digest(of: name, "commit"), let tree = digest(of: name, "tree") else {
            throw ProofProblem(id: "prove/repository", "\(top) contains no revision \"\(name)\"")
        }
        return Revision(name: name, commit: commit, tree: tree)
    }

    /// Checks a revision out into a folder that does not exist yet.
    func add(_ revision: Revision, at folder: String) throws(ProofProblem) {
        let added = run("worktree", "add", "--detach", "--force", folder, revision.commit)
        guard added.code == 0 else {
            throw ProofProblem(id: "prove/repository", "\(revision.name) cannot be checked out: \(added.complaint)")
        }
    }

    /// Removes a folder with a revision.
    func remove(_ folder: String) { _ = run("worktree", "remove", "--force", folder) }
}
