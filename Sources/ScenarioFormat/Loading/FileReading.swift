/// The files that a scenario may be made of. On disk in the product, in memory in tests.
package protocol FileReading: Sendable {
    /// The absolute path with every symbolic link resolved, or `nil` when there is no such file.
    func resolve(_ path: String) -> String?

    /// The whole content.
    func read(_ path: String) throws(FileProblem) -> [UInt8]

    /// The names of a folder's entries, sorted; empty when it is none.
    func entries(of folder: String) -> [String]

    func isFolder(_ path: String) -> Bool
}

/// Why a file could not be read.
package struct FileProblem: Error, Hashable {
    /// A part of a sentence, such as "there is no such file".
    package var reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

/// No files at all, for what is read without any.
struct NoFiles: FileReading {
    func resolve(_ path: String) -> String? { nil }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        throw FileProblem(reason: "there is no such file")
    }

    func entries(of folder: String) -> [String] { [] }

    func isFolder(_ path: String) -> Bool { false }
}

/// Paths as plain text, with `/` between their parts.
package enum FilePath {
    /// The folder that a file lies in; `.` when the path names none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// What follows the last dot of the name, in lower case.
    package static func fileExtension(of path: String) -> String {
        let name = name(of: path)
        return name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    package static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder == "." { return path }
        return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
    }

    /// Whether a resolved path lies in a resolved folder.
    package static func contains(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}
