import Basics
import TestSupport
import Testing

@Suite("Writing files")
struct DiskFilesTests {
    private let files = DiskFiles()

    @Test func `replaces a link and keeps its target`() throws {
        let folder = try TemporaryFolder()
        try folder.write("kept", to: "target")
        try folder.link("report.json", to: "\(folder.path)/target")
        try files.write(Array("new".utf8), to: "\(folder.path)/report.json")
        #expect(try text("target", in: folder) == "kept")
        #expect(try text("report.json", in: folder) == "new")
    }

    @Test func `replaces a link that leads nowhere`() throws {
        let folder = try TemporaryFolder()
        try folder.link("report.json", to: "\(folder.path)/target")
        try files.write(Array("new".utf8), to: "\(folder.path)/report.json")
        #expect(files.resolve("\(folder.path)/target") == nil)
        #expect(try text("report.json", in: folder) == "new")
    }

    @Test func `writes through a link that the user has named`() throws {
        let folder = try TemporaryFolder()
        try folder.write("old", to: "target")
        try folder.link("report.json", to: "\(folder.path)/target")
        try files.write(Array("new".utf8), to: "\(folder.path)/report.json", followsLink: true)
        #expect(try text("target", in: folder) == "new")
    }

    @Test(.enabled(if: DiskFiles().resolve("/dev/full") != nil, "there is no /dev/full here"))
    func `reports a full disk`() throws {
        let folder = try TemporaryFolder()
        try folder.link("report.json", to: "/dev/full")
        let error = #expect(throws: FileProblem.self) {
            try files.write([1], to: "\(folder.path)/report.json", followsLink: true)
        }
        #expect(error?.reason == "the disk is full")
    }

    @Test func `changes the permissions of regular files only`() throws {
        let folder = try TemporaryFolder()
        try folder.write("kept", to: "target")
        try folder.write("token", to: "store/token")
        try folder.link("store/link", to: "\(folder.path)/target")
        try files.write(Array("token".utf8), to: "\(folder.path)/store/token", permissions: 0o600)
        let permissions = files.permissions(of: "\(folder.path)/target")
        files.forbidWriting(in: "\(folder.path)/store")
        defer { files.allowWriting(in: "\(folder.path)/store") }
        #expect(files.permissions(of: "\(folder.path)/store/token") == 0o400)
        #expect(files.permissions(of: "\(folder.path)/target") == permissions)
        #expect(files.permissions(of: "\(folder.path)/store/link") == nil)
    }

    private func text(_ name: String, in folder: TemporaryFolder) throws -> String {
        String(decoding: try files.read("\(folder.path)/\(name)"), as: UTF8.self)
    }
}
