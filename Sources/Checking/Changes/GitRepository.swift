import Basics
package import EventLoops

/// The repository around a folder, read and changed by `git`.
package struct GitRepository: Sendable {
    /// The folder of the working tree, resolved.
    package let top: String
    /// A folder for what `git` writes.
    private let scratch: String

    /// - Throws: ``GitProblem`` when there is no `git` or no repository.
    package init(around folder: String, scratch: String) throws(GitProblem) {
        let place = Self.run(["rev-parse", "--show-toplevel"], in: folder, scratch: scratch)
        guard place.code == 0 else {
            let reason = place.complaint
            throw GitProblem(sentence: place.code == 127 ? reason : "git found no repository here: \(reason)")
        }
        guard let top = DiskFiles().resolve(place.line) else {
            throw GitProblem(sentence: "the repository's folder \"\(place.line)\" cannot be read")
        }
        (self.top, self.scratch) = (top, scratch)
    }

    /// Runs `git` in the folder of the working tree.
    package func run(_ words: String...) -> ProgramRun.End { Self.run(words, in: top, scratch: scratch) }

    /// The digest of the `commit` or `tree` that a revision names; `nil` for an unknown revision.
    package func digest(of revision: String, _ kind: String) -> String? {
        // git would take it for an option.
        guard revision.utf8.first != UInt8(ascii: "-") else { return nil }
        let found = run("rev-parse", "--verify", "--quiet", "\(revision)^{\(kind)}")
        return found.code == 0 ? found.line : nil
    }

    private static func run(_ words: [String], in folder: String, scratch: String) -> ProgramRun.End {
        do throws(ProgramProblem) {
            return try ProgramRun(["git", "-C", folder] + words).end(scratch: scratch)
        } catch {
            return ProgramRun.End(code: 127, output: [], errors: error.sentence)
        }
    }
}

/// The reason why a repository or a revision cannot be read.
package struct GitProblem: Error, Hashable {
    /// A sentence without a closing full stop.
    package var sentence: String
}
