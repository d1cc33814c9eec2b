import Basics

/// Reads the fixtures and files that responses name, each once, and never from outside the backend's folder; finds the
/// contract, which may lie anywhere in the project.
struct AssetReader {
    struct Problem: Error {
        var message: String
        var advice: String?
    }

    private let files: any FileReading
    /// The resolved folder of the backend file.
    private let folder: String
    /// The resolved folder that no file may lie outside of.
    private let project: String
    private var cache: [String: [UInt8]] = [:]
    /// The resolved path of each path that was looked for and is there: most files are named many times.
    private var resolvedPaths: [String: String] = [:]
    private(set) var watched: [String] = []

    init(files: any FileReading, folder: String, project: String) {
        self.files = files
        self.folder = folder
        self.project = project
    }

    /// Reads a file by the name that another file gives it.
    ///
    /// - Parameters:
    ///   - name: a relative path.
    ///   - origin: the path of the file that names it.
    mutating func read(_ name: String, from origin: String) throws(Problem) -> [UInt8] {
        let resolved = try find(name, from: origin).resolved
        guard FilePath.contains(folder, resolved) else {
            throw Problem(
                message: "\"\(name)\" is outside the backend's folder",
                advice: "put fixtures in the backend file's folder or a subfolder"
            )
        }
        if let bytes = cache[resolved] { return bytes }
        watched.append(resolved)
        do {
            let bytes = try files.read(resolved)
            cache[resolved] = bytes
            return bytes
        } catch {
            throw Problem(message: "\"\(name)\" cannot be read: \(error.reason)")
        }
    }

    /// Finds a file of the project without reading it, and returns its path as the user would write it.
    mutating func locate(_ name: String, from origin: String) throws(Problem) -> String {
        let (path, resolved) = try find(name, from: origin)
        guard FilePath.contains(project, resolved) else {
            throw Problem(
                message: "\"\(name)\" is outside the project root \(project)",
                advice: "move the file into the project root, or use backlot serve with --root"
            )
        }
        guard !files.isFolder(resolved) else {
            throw Problem(message: "\"\(name)\" is a folder", advice: "specify the OpenAPI file in this folder")
        }
        // Shorter to read, and the same unless a folder on the way is a symbolic link.
        let short = FilePath.withoutDetours(path)
        return files.resolve(short) == resolved ? short : path
    }

    private mutating func find(
        _ name: String,
        from origin: String
    ) throws(Problem) -> (path: String, resolved: String) {
        guard !FilePath.isAbsolute(name) else {
            throw Problem(message: "\"\(name)\" is an absolute path; write the path relative to this file")
        }
        let path = FilePath.join(FilePath.folder(of: origin), name)
        if let known = resolvedPaths[path] { return (path, known) }
        guard let resolved = files.resolve(path) else {
            // Watched although it is missing, so that the file's arrival is noticed.
            watched.append(path)
            guard !files.entries(of: FilePath.folder(of: path)).contains(FilePath.name(of: path)) else {
                throw Problem(message: "\"\(name)\" is a symbolic link that leads to no file")
            }
            throw Problem(
                message: "there is no file \"\(name)\"",
                advice: suggestion(for: name, at: path, from: origin)
            )
        }
        resolvedPaths[path] = resolved
        return (path, resolved)
    }

    private func suggestion(for name: String, at path: String, from origin: String) -> String {
        let folder = FilePath.folder(of: path)
        let siblings = files.entries(of: folder).filter { $0.exact != FilePath.name(of: origin).exact }
        guard let meant = Suggestion.nearest(to: FilePath.name(of: path), among: siblings) else {
            return "Backlot looks for the file in the folder \"\(folder)\""
        }
        return "did you mean \"\(FilePath.join(FilePath.folder(of: name), meant))\"?"
    }
}

extension FilePath {
    /// A path without the steps into a folder and out of it again: `a/b/../c` is `a/c`.
    static func withoutDetours(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/", omittingEmptySubsequences: true) {
            switch part {
            case ".": continue
            case ".." where parts.last.map { $0 != ".." } ?? false: parts.removeLast()
            default: parts.append(part)
            }
        }
        return (isAbsolute(path) ? "/" : "") + parts.joined(separator: "/")
    }
}
