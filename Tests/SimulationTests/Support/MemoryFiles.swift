import ProjectFiles
import ScenarioFormat

/// Files in memory, for scenarios that a test writes down where it uses them.
struct MemoryFiles: FileReading {
    static let folder = "/Scenarios"

    /// Contents by name, relative to the folder.
    var texts: [String: String]

    func resolve(_ path: String) -> String? {
        if isFolder(path) { return path }
        return texts[name(of: path)] == nil ? nil : path
    }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        guard let text = texts[name(of: path)] else { throw FileProblem(reason: "there is no such file") }
        return Array(text.utf8)
    }

    func entries(of folder: String) -> [String] {
        folder == Self.folder ? texts.keys.sorted() : []
    }

    func isFolder(_ path: String) -> Bool {
        path == Self.folder
    }

    private func name(of path: String) -> String {
        path.hasPrefix(Self.folder + "/") ? String(path.dropFirst(Self.folder.count + 1)) : path
    }
}
