import Basics
import Testing

@Suite
struct `Paths as text` {
    @Test(arguments: [
        ("a/b.json", "a", "b.json"), ("/b", "/", "b"), ("b", ".", "b"), ("a/", "a", ""), ("/a/b/c", "/a/b", "c"),
    ])
    func `have a folder and a name`(path: String, folder: String, name: String) {
        #expect(FilePath.folder(of: path) == folder)
        #expect(FilePath.name(of: path) == name)
    }

    @Test(arguments: [("a", "b", "a/b"), ("a/", "b", "a/b"), (".", "b", "b"), ("a", "/b", "/b"), ("/", "b", "/b")])
    func `are joined`(folder: String, path: String, joined: String) {
        #expect(FilePath.join(folder, path) == joined)
    }

    @Test(arguments: [("a.json", "json"), ("a.TAR.GZ", "gz"), ("a", ""), ("a.d/b", ""), (".hidden", "hidden")])
    func `have an extension`(path: String, fileExtension: String) {
        #expect(FilePath.fileExtension(of: path) == fileExtension)
    }

    @Test(arguments: [
        ("/a", "/a", true), ("/a", "/a/b", true), ("/", "/a", true), ("/a", "/ab", false), ("/a/b", "/a", false),
        // Two spellings of one letter are two folders.
        ("/caf\u{E9}", "/cafe\u{301}/x", false), ("/a", "/a/\u{301}b", true),
    ])
    func `lie in a folder or do not`(folder: String, path: String, isIn: Bool) {
        #expect(FilePath.contains(folder, path) == isIn)
    }
}
