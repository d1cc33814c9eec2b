import ContractRunner
import ProjectFiles

/// The folder on disk that a draft goes into.
struct DraftFolder {
    /// As the user wrote it.
    let path: String
    /// Absolute and without symbolic links, also while the folder does not exist.
    let resolved: String
    private let files: DiskFiles

    init(_ path: String, files: DiskFiles) {
        self.path = path
        self.files = files
        var existing = path
        var missing: [String] = []
        while files.resolve(existing) == nil, existing != ".", existing != "/" {
            missing.append(FilePath.name(of: existing))
            existing = FilePath.folder(of: existing)
        }
        let start = files.resolve(existing) ?? "/"
        resolved = missing.reversed().filter { !$0.isEmpty && $0 != "." }.reduce(start) { FilePath.join($0, $1) }
    }

    /// Why nothing may be written here, as a sentence; `nil` when it may.
    func problem(overwriting: Bool) -> String? {
        guard !path.split(separator: "/").contains("..") || files.isFolder(path) else {
            return "\"\(path)\" leads out of folders that do not exist; write it without \"..\""
        }
        guard files.resolve(path) != nil else { return nil }
        guard files.isFolder(path) else { return "\"\(path)\" is a file and no folder" }
        guard !overwriting, !files.entries(of: path).isEmpty else { return nil }
        return "the folder \"\(path)\" is not empty; name another one, or add --force to write into it"
    }

    /// The schema of the format, when it lies where this project's scenarios look for it.
    var schemaPath: String? {
        let above = FilePath.join(FilePath.folder(of: resolved), "scenario.schema.json")
        return files.resolve(above) == nil ? nil : "../scenario.schema.json"
    }

    /// Writes every file, and the folders that they need.
    ///
    /// - Returns: what went wrong, as a sentence; `nil` when nothing did.
    func write(_ drafted: [ScenarioDraft.File]) -> String? {
        var made: Set<String> = []
        for file in drafted {
            let target = FilePath.join(path, file.path)
            let folder = FilePath.folder(of: target)
            do {
                if made.insert(folder).inserted { try files.makeFolder(folder) }
            } catch {
                return "the folder \"\(folder)\" cannot be made: \(error.reason)"
            }
            do {
                try files.write(file.bytes, to: target)
            } catch {
                return "\"\(target)\" cannot be written: \(error.reason)"
            }
        }
        return nil
    }
}
