/// Paths as plain text, with `/` between their parts.
package enum FilePath {
    /// The folder that a file lies in; `.` when the path names none.
    package static func folder(of path: String) -> String {
        guard let end = path.utf8.lastIndex(of: slash) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// A folder and those above it, the nearest first.
    package static func folders(from folder: String) -> [String] {
        var folders = [folder]
        while let last = folders.last {
            let parent = FilePath.folder(of: last)
            if parent.exact == last.exact || parent == "." { break }
            folders.append(parent)
        }
        return folders
    }

    package static func name(of path: String) -> String {
        path.utf8.lastIndex(of: slash).map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// The extension of the name, in lower case.
    package static func fileExtension(of path: String) -> String {
        let name = name(of: path)
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    package static func join(_ folder: String, _ path: String) -> String {
        if isAbsolute(path) || folder == "." { return path }
        return folder.utf8.last == slash ? folder + path : "\(folder)/\(path)"
    }

    /// Returns whether a resolved path lies in a resolved folder.
    package static func contains(_ folder: String, _ path: String) -> Bool {
        // By bytes: a file system may distinguish names that Swift takes for equal.
        guard path.utf8.starts(with: folder.utf8) else { return false }
        let rest = path.utf8.dropFirst(folder.utf8.count)
        return rest.isEmpty || rest.first == slash || folder.utf8.last == slash
    }

    package static func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

    /// Returns whether a text can name a file at all.
    package static func isPath(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }

    private static let slash = UInt8(ascii: "/")
}

extension FilePath {
    /// An absolute path as it is written from a folder: `../Contracts/api.json`.
    package static func relative(_ path: String, to folder: String) -> String {
        let from = folder.split(separator: "/")
        let to = path.split(separator: "/")
        let shared = zip(from, to).prefix { $0.exact == $1.exact }.count
        let up = Array(repeating: "..", count: from.count - shared)
        return (up + to.dropFirst(shared).map(String.init)).joined(separator: "/")
    }
}
