import Basics
import Foundation
import ScenarioFormat
import TestSupport
import Testing

@Suite
struct `Files on disk` {
    private let folder: TemporaryFolder
    private let files = DiskFiles()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(
            #"{ "backend": "B", "routes": { "GET /a": { "fixture": "f.json" } } }"#,
            to: "Scenarios/b/b.json"
        )
        try folder.write("{}", to: "Scenarios/b/f.json")
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func load(_ name: String) throws -> [String] {
        let root = try #require(ProjectRoot(path("Scenarios"), files: files))
        do {
            return try ScenarioLoader(files: files, project: root).load(path(name)).findings.map(\.description)
        } catch {
            return error.findings.map { $0.description.replacing(folder.path, with: "…") }
        }
    }

    @Test
    func `are read as they are`() throws {
        #expect(try files.read(path("Scenarios/b/f.json")) == Array("{}".utf8))
        #expect(files.entries(of: path("Scenarios/b")) == ["b.json", "f.json"])
        #expect(files.isFolder(path("Scenarios")) && !files.isFolder(path("Scenarios/b/f.json")))
        #expect(files.entries(of: path("nowhere")) == [])
    }

    @Test(arguments: [
        ("nowhere", "there is no such file"), ("Scenarios", "the path is a folder"),
        ("pipe", "the path is not a regular file"),
        ("circle", "the symbolic links form a cycle"), ("Scenarios/b/f.json/x", "there is no such file"),
    ])
    func `say why they cannot be read`(name: String, reason: String) throws {
        try folder.link("circle", to: "circle")
        _ = mkfifo(path("pipe"), 0o600)
        #expect(throws: FileProblem(reason: reason)) { try files.read(path(name)) }
    }

    @Test(.enabled(if: getuid() != 0, "the superuser may read everything"))
    func `that may not be read are told apart`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path("Scenarios/b/f.json"))
        #expect(throws: FileProblem(reason: "reading is not permitted")) { try files.read(path("Scenarios/b/f.json")) }
        #expect(
            try load("Scenarios/b/b.json") == [
                #"…/Scenarios/b/b.json:1:54: error: "f.json" cannot be read: reading is not permitted [scenario/fixture]"#
            ]
        )
    }

    @Test
    func `are found through links, and by no other name`() throws {
        try folder.link("elsewhere", to: "Scenarios/b")
        #expect(files.resolve(path("elsewhere/../b/f.json")) == path("Scenarios/b/f.json"))
        #expect(files.resolve(path("Scenarios/b/../b/./f.json")) == path("Scenarios/b/f.json"))
        #expect(files.resolve(path("Scenarios/b/f.json\0.txt")) == nil)
        #expect(files.resolve("") == nil)
        #expect(files.resolve(path("nowhere")) == nil)
    }

    @Test
    func `change their stamp when they change`() throws {
        let before = try #require(files.stamp(of: path("Scenarios/b/f.json")))
        #expect(files.stamp(of: path("Scenarios/b/f.json")) == before)
        try folder.write("{ }", to: "Scenarios/b/f.json")
        #expect(files.stamp(of: path("Scenarios/b/f.json")) != before)
        #expect(files.stamp(of: path("nowhere")) == nil)
    }

    @Test
    func `outside of the root are refused, through links too`() throws {
        try folder.write("{}", to: "secret.json")
        try folder.link("Scenarios/b/link.json", to: "../../secret.json")
        try folder.link("Scenarios/away", to: "..")
        try folder.write(#"{ "extends": "../away/secret.json" }"#, to: "Scenarios/b/story.json")
        try folder.write(
            #"{ "backend": "B", "routes": { "GET /a": { "fixture": "link.json" }, "GET /b": { "file": "../away/secret.json" } } }"#,
            to: "Scenarios/b/links.json"
        )
        let advice = "put fixtures in the backend file's folder or a subfolder [scenario/fixture]"
        #expect(
            try load("Scenarios/b/links.json") == [
                #"…/Scenarios/b/links.json:1:54: error: "link.json" is outside the backend's folder; "# + advice,
                #"…/Scenarios/b/links.json:1:89: error: "../away/secret.json" is outside the backend's folder; "#
                    + advice,
            ]
        )
        #expect(
            try load("Scenarios/b/story.json") == [
                #"…/Scenarios/b/story.json:1:14: error: "…/Scenarios/b/../away/secret.json" is outside the project root "#
                    + "…/Scenarios; move the file into the project root, or use backlot serve with --root"
                    + " [scenario/outside-root]"
            ]
        )
        #expect(
            try load("Scenarios/away/secret.json").first?.contains("is outside the project root") == true
        )
    }

    @Test(arguments: ["loop", "nowhere"])
    func `do not exist if they are links without a target`(target: String) throws {
        try folder.link("Scenarios/b/loop", to: target)
        try folder.write(#"{ "backend": "B", "routes": { "GET /a": { "file": "loop" } } }"#, to: "Scenarios/b/c.json")
        #expect(
            try load("Scenarios/b/c.json") == [
                #"…/Scenarios/b/c.json:1:51: error: "loop" is a symbolic link that leads to no file [scenario/fixture]"#
            ]
        )
    }

    @Test
    func `inside of the root may be links`() throws {
        try folder.link("Scenarios/b/same.json", to: "b.json")
        try folder.link("Scenarios/b/g.json", to: "f.json")
        try folder.write(
            #"{ "backend": "B", "routes": { "GET /a": { "fixture": "g.json" } } }"#,
            to: "Scenarios/b/c.json"
        )
        #expect(try load("Scenarios/b/same.json") == [])
        #expect(try load("Scenarios/b/c.json") == [])
    }
}
