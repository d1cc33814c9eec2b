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
