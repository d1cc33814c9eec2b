import Basics
import Checking
import TestSupport
import Testing

@Suite(.enabled(if: GitRepository.isPossible, "git is not installed"))
struct `A revision of git` {
    @Test func `has the files as they were`() async throws {
        let repository = try await GitRepository()
        try repository.folder.write("new", to: "Contracts/a.json")
        let files = try GitRevision("HEAD", around: repository.folder.path, scratch: repository.folder.path)
        let path = "\(repository.folder.path)/Contracts/a.json"
        #expect(files.resolve(path) == path)
        #expect(try files.read(path) == Array("old".utf8))
        #expect(files.entries(of: "\(repository.folder.path)/Contracts") == ["a.json", "b c.json"])
        #expect(files.resolve("\(repository.folder.path)/Contracts/./../Contracts/b c.json") != nil)
        #expect(files.resolve("\(repository.folder.path)/Contracts/none.json") == nil)
        #expect(!files.isFolder(path) && files.isFolder("\(repository.folder.path)/Contracts"))
        #expect(ProjectRoot(enclosing: path, files: files)?.path == repository.folder.path)
        // What lies outside is of no revision.
        #expect(files.resolve("/bin/sh") == nil)
        #expect(throws: FileProblem.self) { try files.read("/bin/sh") }
    }

    @Test func `that is unknown is refused with what there is`() async throws {
        let repository = try await GitRepository()
        let unknown = try #require(throws: GitProblem.self) {
            _ = try GitRevision("nowhere", around: repository.folder.path, scratch: repository.folder.path)
        }
        #expect(unknown.sentence.hasPrefix("\"nowhere\" is not a file, and "))
        let option = try #require(throws: GitProblem.self) {
            _ = try GitRevision("--help", around: repository.folder.path, scratch: repository.folder.path)
        }
        #expect(option.sentence == "\"--help\" is not a file, and no revision begins with a hyphen")
    }

    @Test func `needs a repository`() throws {
        let folder = try TemporaryFolder()
        let problem = try #require(throws: GitProblem.self) {
            _ = try GitRevision("main", around: folder.path, scratch: folder.path)
        }
        #expect(problem.sentence.hasPrefix("\"main\" is not a file, and git found no repository here: "))
    }
}

/// A repository with one commit of two files.
private struct GitRepository {
    static let isPossible = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].contains {
        DiskFiles().resolve($0) != nil
    }

    let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        try folder.write("old", to: "Contracts/a.json")
        try folder.write("old", to: "Contracts/b c.json")
        let commands = """
            cd "$0" && git init -q && git add . && git -c user.name=n -c user.email=e@example.com \
            -c commit.gpgsign=false commit -q --no-verify -m one
            """
        let end = try await FinishedProgram(running: "/bin/sh", ["-c", commands, folder.path])
        try #require(end.status == 0, "\(end.output)")
    }
}
