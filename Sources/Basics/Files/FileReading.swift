/// The files that a scenario may be made of: on disk in the product, in memory in tests.
package protocol FileReading: Sendable {
    /// The absolute path with every symbolic link resolved, or `nil` when there is no such file.
    func resolve(_ path: String) -> String?

    /// The whole content.
    func read(_ path: String) throws(FileProblem) -> [UInt8]

    /// The names of a folder's entries, sorted; empty when it is not a folder.
    func entries(of folder: String) -> [String]

    func isFolder(_ path: String) -> Bool

    /// The names of the parts of a text that no user has written; `nil` for a file, whose lines say where something is.
    ///
    /// - Parameter path: a resolved path.
    func names(in path: String) -> PartNames?
}

extension FileReading {
    package func names(in path: String) -> PartNames? { nil }

    /// The path from the current folder, where it is below that: so messages are the same on every machine.
    package func shown(_ path: String) -> String {
        guard let here = resolve("."), here != "/", let resolved = resolve(path),
            FilePath.contains(here, resolved), resolved.utf8.count > here.utf8.count
        else { return path }
        return String(decoding: resolved.utf8.dropFirst(here.utf8.count + 1), as: UTF8.self)
    }
}

/// The names of the parts of a text, for messages about it.
package struct PartNames: Sendable {
    /// The start of each part, in the order of the text.
    private let starts: [(position: TextPosition, name: String)]

    package init(_ starts: [(position: TextPosition, name: String)]) {
        self.starts = starts.sorted { $0.position < $1.position }
    }

    /// The part that a position is in; `nil` for one before all parts.
    package func name(at position: TextPosition) -> String? { starts.last { $0.position <= position }?.name }
}

/// An error of reading or writing a file.
package struct FileProblem: Error, Hashable {
    /// A part of a sentence, such as "there is no such file".
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }

    package static let missing = FileProblem(reason: "there is no such file")

    /// A sentence about a file, such as "there is no file "a.json"".
    ///
    /// - Parameter subject: what the file is to the reader, such as "the capture".
    package func sentence(about path: String, as subject: String = "the file") -> String {
        self == .missing ? "there is no file \"\(path)\"" : "\(subject) cannot be read: \(reason)"
    }
}

/// No files at all, for what is read without any.
package struct NoFiles: FileReading {
    package init() {}

    package func resolve(_ path: String) -> String? { nil }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        throw FileProblem.missing
    }

    package func entries(of folder: String) -> [String] { [] }

    package func isFolder(_ path: String) -> Bool { false }
}

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

/// The folder that scenarios may not leave.
package struct ProjectRoot: Sendable {
    /// The absolute path, with symbolic links resolved.
    package let path: String

    /// A root that the user named.
    ///
    /// - Returns: `nil` when there is no such folder.
    package init?(_ path: String, files: any FileReading) {
        guard let resolved = files.resolve(path), files.isFolder(resolved) else { return nil }
        self.path = resolved
    }

    /// The nearest folder above a file that holds `Scenarios` or `.git`, else the file's own folder.
    ///
    /// - Returns: `nil` when there is no such file.
    package init?(enclosing file: String, files: any FileReading) {
        guard let resolved = files.resolve(file) else { return nil }
        let start = files.isFolder(resolved) ? resolved : FilePath.folder(of: resolved)
        var folder = start
        while true {
            let entries = files.entries(of: folder)
            if entries.contains("Scenarios") || entries.contains(".git") {
                path = folder
                return
            }
            let parent = FilePath.folder(of: folder)
            guard parent != folder else { break }
            folder = parent
        }
        path = start
    }
}
