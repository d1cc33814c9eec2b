import Basics
import TestSupport
import Testing

@Suite
struct `The project's root` {
    private let files = MemoryFiles([
        "/code/app/Scenarios/smeem/backend.json": "{}", "/code/app/README.md": "", "/code/tool/.git/HEAD": "",
        "/code/tool/mocks/deep/b.json": "{}", "/tmp/alone/b.json": "{}",
    ])

    @Test(arguments: [
        ("/code/app/Scenarios/smeem/backend.json", "/code/app"), ("/code/app/Scenarios", "/code/app"),
        ("/code/app/README.md", "/code/app"), ("/code/tool/mocks/deep/b.json", "/code/tool"),
        ("/tmp/alone/b.json", "/tmp/alone"), ("/tmp/alone", "/tmp/alone"),
    ])
    func `is the nearest folder above with Scenarios or .git`(file: String, root: String) throws {
        #expect(try #require(ProjectRoot(enclosing: file, files: files)).path == root)
    }

    @Test
    func `is none where there is nothing`() {
        #expect(ProjectRoot(enclosing: "/code/nowhere.json", files: files) == nil)
        #expect(ProjectRoot("/code/app/README.md", files: files) == nil)
        #expect(ProjectRoot("/nowhere", files: files) == nil)
    }

    @Test
    func `may be named`() throws {
        #expect(
            try #require(ProjectRoot("/code/app/Scenarios/smeem", files: files)).path == "/code/app/Scenarios/smeem"
        )
    }
}
