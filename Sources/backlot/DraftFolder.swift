import Basics
import Checking

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

    /// Whether the schema of the format lies beside this folder, for all of the project's scenarios, and not in it.
    private var sharesSchema: Bool {
        let parent = FilePath.folder(of: resolved)
        return FilePath.name(of: parent) == "Scenarios"
            || files.resolve(FilePath.join(parent, Self.schemaName)) != nil
    }

    /// What the scenario's files say under `$schema`, which editors resolve relative to the file.
    var schemaPath: String { sharesSchema ? "../\(Self.schemaName)" : Self.schemaName }

    private static let schemaName = "scenario.schema.json"

    /// Why something could not be written, as a sentence.
    struct Problem: Error {
        var sentence: String
    }

    /// Writes every file, and the folders that they need; the schema of the format only where there is none.
    ///
    /// - Returns: the paths of the files that were written, as people type them.
    func write(_ drafted: [ScenarioDraft.File], schema: [UInt8]) throws(Problem) -> [String] {
        var written: [String] = []
        for file in drafted {
            let target = FilePath.join(path, file.path)
            try write(file.bytes, to: target)
            written.append(target)
        }
        let place = FilePath.join(sharesSchema ? FilePath.folder(of: resolved) : resolved, Self.schemaName)
        if files.resolve(place) == nil {
            try write(schema, to: place)
            written.append(FilePath.relative(place, to: files.resolve(".") ?? "/"))
        }
        return written
    }

    private func write(_ bytes: [UInt8], to target: String) throws(Problem) {
        let folder = FilePath.folder(of: target)
        do {
            try files.makeFolder(folder)
        } catch {
            throw Problem(sentence: "the folder \"\(folder)\" cannot be made: \(error.reason)")
        }
        do {
            try files.write(bytes, to: target)
        } catch {
            throw Problem(sentence: "\"\(target)\" cannot be written: \(error.reason)")
        }
    }
}
