import Basics

/// The paths of a client's contract and stories, searched for from the file that adapts the client.
struct ProjectPaths: Sendable {
    let contract: String
    let stories: String?
    /// The file that adapts the client.
    let file: String

    init(contract: String, stories: String?, from file: String) {
        self.contract = contract
        self.stories = stories
        self.file = file
    }

    func findContract(_ files: any FileReading = DiskFiles()) throws(TestProblem) -> String {
        try find(contract, "contract", isFolder: false, files)
    }

    func findStories(_ files: any FileReading = DiskFiles()) throws(TestProblem) -> String? {
        guard let stories else { return nil }
        return try find(stories, "folder of stories", isFolder: true, files)
    }

    private func find(
        _ path: String,
        _ what: String,
        isFolder: Bool,
        _ files: any FileReading
    ) throws(TestProblem) -> String {
        let candidates = FilePath.isAbsolute(path) ? [path] : folders.map { FilePath.join($0, path) }
        guard let found = candidates.first(where: { files.resolve($0) != nil }) else {
            let places = candidates.map { "\n  \($0)" }.joined()
            throw TestProblem("there is no \(what) \"\(path)\"; looked for\(places)")
        }
        guard files.isFolder(found) == isFolder else {
            throw TestProblem("the \(what) \(found) is \(isFolder ? "a file and no folder" : "a folder and no file")")
        }
        return shown(found, files)
    }

    /// The folder of the file that adapts, and those above it.
    private var folders: [String] {
        var folders = [FilePath.folder(of: file)]
        while let last = folders.last {
            let parent = FilePath.folder(of: last)
            if parent.utf8.elementsEqual(last.utf8) || parent == "." { break }
            folders.append(parent)
        }
        return folders
    }

    /// The path from the current folder, where it is below that: so reports are the same on every machine.
    private func shown(_ path: String, _ files: any FileReading) -> String {
        guard let here = files.resolve("."), here != "/", let resolved = files.resolve(path),
            FilePath.contains(here, resolved), resolved.utf8.count > here.utf8.count
        else { return path }
        return String(decoding: resolved.utf8.dropFirst(here.utf8.count + 1), as: UTF8.self)
    }
}
