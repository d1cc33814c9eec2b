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
