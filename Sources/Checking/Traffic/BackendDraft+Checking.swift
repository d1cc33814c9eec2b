import Basics
import Reports
import ScenarioFormat

extension BackendDraft {
    /// Makes a draft, and leaves out what `check` and `serve` refuse.
    ///
    /// Each part that is left out has a note in ``findings`` and a `$comment` in the object that had it.
    ///
    /// - Parameter refused: the places that must not be written for another reason, with the reason.
    /// - Throws: an error of a part that the draft cannot do without.
    init(
        checking documents: [Document],
        with others: [File] = [],
        from sources: [Int32: String],
        refused: (Document) -> [Part] = { _ in [] }
    ) throws(CaptureProblem) {
        self.init(documents, with: others, from: sources, layout: .lines)
        for (index, document) in documents.enumerated() { leaveOut(refused(document), of: index) }
        // Each round leaves something out, so it ends.
        while case let found = errors(), let first = found.first {
            guard leaveOut(for: found) else {
                let message = "nothing was written, because the backend would be refused: \(first.message)"
                throw CaptureProblem(Finding(.error, id: "import/refused", message, at: Place(file: mainSource)))
            }
        }
    }

    private func errors() -> [Finding] {
        let files = DraftedFiles(self.files)
        do {
            return try Check(files: files).run([DraftedFiles.folder]).allFindings.filter { $0.severity == .error }
        } catch {
            return [Finding(.error, id: "import/refused", error.sentence)]
        }
    }
}

/// The files of a draft as the loader reads them, in a folder that exists nowhere.
private struct DraftedFiles: FileReading {
    static let folder = "/draft"

    private var contents: [String: [UInt8]] = [:]
    /// The names in each folder.
    private var folders: [String: Set<String>] = [:]

    init(_ files: [BackendDraft.File]) {
        for file in files {
            var path = FilePath.join(Self.folder, file.path)
            contents[path] = file.bytes
            while path != "/" {
                let folder = FilePath.folder(of: path)
                guard folders[folder, default: []].insert(FilePath.name(of: path)).inserted else { break }
                path = folder
            }
        }
    }

    func resolve(_ path: String) -> String? {
        if path == "." { return "/" }
        return contents[path] != nil || isFolder(path) ? path : nil
    }

    func read(_ path: String) throws(FileProblem) -> [UInt8] {
        guard let bytes = contents[path] else { throw .missing }
        return bytes
    }

    func entries(of folder: String) -> [String] { folders[folder]?.sorted() ?? [] }

    func isFolder(_ path: String) -> Bool { folders[path] != nil }
}
