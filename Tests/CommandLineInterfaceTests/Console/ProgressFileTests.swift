import Basics
import CommandLineInterface
import TestSupport
import Testing

@Suite struct `What is under way` {
    private func text(of path: String) throws -> String {
        String(decoding: try DiskFiles().read(path), as: UTF8.self)
    }

    @Test func `is on a line each before it begins, whatever its name`() throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/notes.txt"
        let notes = ProgressFile(file)
        #expect(try text(of: file) == "")
        notes.note("smeem getMe 200")
        #expect(try text(of: file) == "smeem getMe 200\n")
        notes.note("pets two\nlines\r\nof it")
        #expect(try text(of: file) == "smeem getMe 200\npets two lines of it\n")
    }

    @Test func `begins anew with every program`() throws {
        let folder = try TemporaryFolder()
        try folder.write("smeem getMe 200\n", to: "notes.txt")
        ProgressFile("\(folder.path)/notes.txt").note("whipit refresh")
        #expect(try text(of: "\(folder.path)/notes.txt") == "whipit refresh\n")
    }

    @Test func `is whole when many things begin at once`() async throws {
        let folder = try TemporaryFolder()
        let notes = ProgressFile("\(folder.path)/notes.txt")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { notes.note("call \(number) is a line of its own") } }
        }
        let lines = Set(try text(of: "\(folder.path)/notes.txt").split(separator: "\n").map(String.init))
        #expect(lines == Set((0..<200).map { "call \($0) is a line of its own" }))
    }

    @Test func `is noted nowhere without a file, and where there is no folder for one`() throws {
        ProgressFile(nil).note("smeem getMe 200")
        let folder = try TemporaryFolder()
        ProgressFile("\(folder.path)/missing/notes.txt").note("smeem getMe 200")
        #expect(DiskFiles().entries(of: folder.path).isEmpty)
    }

    @Test func `is told with the latest first, and no more than may have been at it`() {
        #expect(ProgressFile.latest(in: "") == [])
        #expect(ProgressFile.latest(in: "one\ntwo\n") == ["two", "one"])
        let all = (1...20).map { "call \($0)\n" }.joined()
        #expect(ProgressFile.latest(in: all) == (13...20).reversed().map { "call \($0)" })
    }
}
