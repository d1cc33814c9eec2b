import Basics
import ScenarioFormat
import TestSupport
import Testing

@testable import Checking

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

@Suite struct `The folder of a draft` {
    private let files = DiskFiles()
    private static let drafted = [
        BackendDraft.File(path: "backend.json", bytes: Array("new".utf8)),
        BackendDraft.File(path: "fixtures/a.json", bytes: Array("[]".utf8)),
    ]

    private func text(_ path: String) -> String? {
        (try? files.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All paths below a folder.
    private func paths(_ folder: String) -> [String] {
        files.entries(of: folder).flatMap { name in
            let path = "\(folder)/\(name)"
            return files.isFolder(path) && !files.isLink(path) ? paths(path) : [path]
        }
    }

    @Test func `appears with all of its files, and the schema is written once`() throws {
        let project = try TemporaryFolder()
        let path = "\(project.path)/Scenarios/a"
        let folder = DraftFolder(path, files: files)
        #expect(folder.problem(overwriting: nil) == nil && folder.schemaPath == "../scenario.schema.json")
        #expect(try folder.write(Self.drafted).count == 3)
        let names = paths(project.path).map { String($0.dropFirst(project.path.count + 1)) }
        #expect(names == ["Scenarios/a/backend.json", "Scenarios/a/fixtures/a.json", "Scenarios/scenario.schema.json"])
        #expect(try DraftFolder("\(project.path)/Scenarios/b", files: files).write(Self.drafted).count == 2)
        #expect(folder.problem(overwriting: false)?.contains("is not empty") == true)
    }

    @Test(arguments: ["Scenarios/scenario.schema.json", "Scenarios/a/backend.json", "Scenarios/a/fixtures"])
    func `is not written through a link`(_ link: String) throws {
        let (project, other) = (try TemporaryFolder(), try TemporaryFolder())
        try project.write("old", to: "Scenarios/a/notes.txt")
        try project.link(link, to: "\(other.path)/target")
        let folder = DraftFolder("\(project.path)/Scenarios/a", files: files)
        let before = paths(project.path)
        let problem = #expect(throws: DraftFolder.Problem.self) { try folder.write(Self.drafted) }
        #expect(problem?.sentence.contains("\(link)\" is a symbolic link") == true, "\(problem?.sentence ?? "")")
        #expect(paths(project.path) == before && files.entries(of: other.path).isEmpty)
    }

    @Test(arguments: [("Scenarios", "victim"), ("Scenarios/app", "victim"), ("Scenarios", "none")])
    func `is not a linked one unless the user names it`(link: String, target: String) throws {
        let (project, other) = (try TemporaryFolder(), try TemporaryFolder())
        try other.write("old", to: "victim/notes.txt")
        try project.link(link, to: "\(other.path)/\(target)")
        let path = "\(project.path)/Scenarios/app"
        for force in [nil, false, true] {
            let problem = DraftFolder(path, isNamed: false, files: files).problem(overwriting: force)
            #expect(
                problem?.contains("\(link)\" is a symbolic link, which is not followed") == true,
                "\(problem ?? "")"
            )
        }
        guard target == "victim" else { return }
        #expect(DraftFolder(path, files: files).problem(overwriting: true) == nil)
    }

    @Test func `that is a link to nothing is refused`() throws {
        let (project, other) = (try TemporaryFolder(), try TemporaryFolder())
        try project.link("Scenarios/a", to: "\(other.path)/none")
        let folder = DraftFolder("\(project.path)/Scenarios/a", files: files)
        #expect(folder.problem(overwriting: true)?.contains("symbolic link to a folder that does not exist") == true)
    }

    @Test func `replaces a hard link, and the file keeps its content under its other name`() throws {
        let (project, other) = (try TemporaryFolder(), try TemporaryFolder())
        try other.write("kept", to: "original")
        try project.write("old", to: "a/notes.txt")
        try #require(link("\(other.path)/original", "\(project.path)/a/backend.json") == 0)
        _ = try DraftFolder("\(project.path)/a", files: files).write(Self.drafted)
        #expect(text("\(project.path)/a/backend.json") == "new" && text("\(other.path)/original") == "kept")
    }

    @Test func `keeps its content when a file cannot be written`() throws {
        let project = try TemporaryFolder()
        try project.write("old", to: "a/backend.json")
        let long = BackendDraft.File(path: String(repeating: "x", count: 400), bytes: [])
        let folder = DraftFolder("\(project.path)/a", files: files)
        #expect(throws: DraftFolder.Problem.self) { try folder.write(Self.drafted + [long]) }
        #expect(paths(project.path) == ["\(project.path)/a/backend.json"])
        #expect(text("\(project.path)/a/backend.json") == "old")
        try project.write("", to: "b/fixtures/a.json/x")
        #expect(throws: DraftFolder.Problem.self) {
            try DraftFolder("\(project.path)/b", files: files).write(Self.drafted)
        }
        #expect(paths("\(project.path)/b") == ["\(project.path)/b/fixtures/a.json/x"])
    }

    @Test(arguments: [true, false])
    func `does not appear without its schema`(isNew: Bool) throws {
        let project = try TemporaryFolder()
        if !isNew { try project.write("old", to: "a/notes.txt") }
        let before = paths(project.path)
        // The schema cannot be written where a folder has its name.
        let other = BackendDraft.File(path: "scenario.schema.json/a.json", bytes: [])
        let folder = DraftFolder("\(project.path)/a", files: files)
        #expect(throws: DraftFolder.Problem.self) { try folder.write(Self.drafted + [other]) }
        #expect(paths(project.path) == before)
    }

    @Test(arguments: ["new/", "new//", "new/.", "new/./"])
    func `writes a new folder whose path ends with slashes`(name: String) throws {
        let project = try TemporaryFolder()
        let folder = DraftFolder("\(project.path)/\(name)", files: files)
        #expect(folder.problem(overwriting: nil) == nil)
        _ = try folder.write(Self.drafted)
        #expect(paths(project.path).contains("\(project.path)/new/backend.json"))
    }

    @Test func `removes what a killed process left, but not what a running one writes`() throws {
        let project = try TemporaryFolder()
        let (dead, running) = (".backlot-draft.2000000000/backend.json", ".backlot-draft.\(getppid())/backend.json")
        for folder in ["a", "."] {
            for name in [dead, running] { try project.write("half", to: "\(folder)/\(name)") }
        }
        for name in ["a", "b"] {
            let folder = DraftFolder("\(project.path)/\(name)", files: files)
            #expect(folder.problem(overwriting: nil) == nil)
            _ = try folder.write(Self.drafted)
        }
        let names = paths(project.path).map { String($0.dropFirst(project.path.count + 1)) }
        let drafts = names.filter { $0.contains(".backlot-draft.") }
        #expect(drafts == [running, "a/\(running)"])
    }
}
