import Findings
import ProjectFiles

/// Reads the fixtures and files that replies name, each once, and never from outside the backend's folder.
struct AssetReader {
    struct Problem: Error {
        var message: String
        var advice: String?
    }

    private let files: any FileReading
    /// The resolved folder of the backend file.
    private let folder: String
    private var cache: [String: [UInt8]] = [:]
    private(set) var watched: [String] = []

    init(files: any FileReading, folder: String) {
        self.files = files
        self.folder = folder
    }

    /// Reads a file by the name that another file gives it.
    ///
    /// - Parameters:
    ///   - name: a relative path.
    ///   - origin: the path of the file that names it.
    mutating func read(_ name: String, from origin: String) throws(Problem) -> [UInt8] {
        guard !FilePath.isAbsolute(name) else {
            throw Problem(message: "\"\(name)\" is an absolute path; write it relative to this file")
        }
        let path = FilePath.join(FilePath.folder(of: origin), name)
        guard let resolved = files.resolve(path) else {
            // Watched although it is missing, so that the file's arrival is noticed.
            watched.append(path)
            throw Problem(
                message: "there is no file \"\(name)\"",
                advice: suggestion(for: name, at: path, from: origin)
            )
        }
        guard FilePath.contains(folder, resolved) else {
            throw Problem(
                message: "\"\(name)\" lies outside the backend's folder",
                advice: "fixtures live in the folder of their backend file or below it"
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

    private func suggestion(for name: String, at path: String, from origin: String) -> String {
        let folder = FilePath.folder(of: path)
        let siblings = files.entries(of: folder).filter { !$0.utf8.elementsEqual(FilePath.name(of: origin).utf8) }
        guard let meant = Suggestion.nearest(to: FilePath.name(of: path), among: siblings) else {
            return "it is looked for in the folder \"\(folder)\""
        }
        return "did you mean \"\(FilePath.join(FilePath.folder(of: name), meant))\"?"
    }
}
