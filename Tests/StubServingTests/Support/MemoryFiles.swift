import ProjectFiles
import ScenarioFormat

/// Files that are nowhere but in a test, below `/project`, the folder that counts as their root.
struct MemoryFiles: FileReading {
    private var contents: [String: [UInt8]]

    /// - Parameter texts: by path below `/project/Scenarios`.
    init(_ texts: [String: String]) {
        contents = Dictionary(uniqueKeysWithValues: texts.map { ("/project/Scenarios/\($0)", Array($1.utf8)) })
    }

    func resolve(_ path: String) -> String? {
        contents[path] != nil || isFolder(path) ? path : nil
    }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        guard let bytes = contents[path] else { throw FileProblem(reason: "there is no such file") }
        return bytes
    }

    func entries(of folder: String) -> [String] {
        let names = contents.keys.filter { $0.hasPrefix("\(folder)/") }
            .compactMap { $0.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init) }
        return Set(names).sorted()
    }

    func isFolder(_ path: String) -> Bool {
        contents.keys.contains { $0.hasPrefix("\(path)/") }
    }
}
