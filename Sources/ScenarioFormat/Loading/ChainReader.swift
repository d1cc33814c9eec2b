import Basics
import JSON

/// Reads a scenario file and every file that it extends, base first.
struct ChainReader {
    struct Chain {
        /// The parsed files, the backend first.
        var documents: [JSONValue]
        var sources: SourceMap
        /// The resolved folder of the backend file; fixtures stay in it.
        var backendFolder: String
        var watched: [String]
    }

    struct Problem: Error {
        var finding: Finding
    }

    private let files: any FileReading
    private let project: ProjectRoot
    /// The results that need not be read again.
    private let known: [ParseCache.DocumentKey: JSONValue]
    private(set) var sources = SourceMap()
    private(set) var watched: [String] = []
    /// The files that were parsed, the backend last.
    private(set) var documents: [JSONValue] = []

    init(files: any FileReading, project: ProjectRoot, known: [ParseCache.DocumentKey: JSONValue] = [:]) {
        self.files = files
        self.project = project
        self.known = known
    }

    mutating func read(_ path: String) throws(Problem) -> Chain {
        var visited: [String] = []
        var next = path
        var origin: Place?
        while true {
            let resolved = try locate(next, named: origin)
            guard !visited.contains(resolved) else {
                throw problem(
                    "scenario/circular-extends",
                    "\"extends\" forms a cycle: \((visited + [resolved]).map(FilePath.name).joined(separator: " → "))",
                    at: origin
                )
            }
            visited.append(resolved)
            let document = try parse(next, resolved: resolved, named: origin)
            documents.append(document)
            // The shape check reports an invalid path.
            guard let base = document["extends"], let name = base.string, FilePath.isPath(name)
            else { break }
            origin = sources.place(of: base.position)
            guard !FilePath.isAbsolute(name) else {
                throw problem(
                    "scenario/outside-root",
                    "\"\(name)\" is an absolute path; write the path relative to this file",
                    at: origin
                )
            }
            next = FilePath.join(FilePath.folder(of: next), name)
        }
        return Chain(
            documents: documents.reversed(),
            sources: sources,
            backendFolder: visited.last.map(FilePath.folder) ?? project.path,
            watched: watched
        )
    }

    private mutating func locate(_ path: String, named origin: Place?) throws(Problem) -> String {
        guard let resolved = files.resolve(path) else {
            // Watched although it is missing, so that the file's arrival is noticed.
            watched.append(path)
            let siblings = files.entries(of: FilePath.folder(of: path)).filter { name in
                TextFormat.isDocument(name) && (origin?.file.map(FilePath.name) ?? "").exact != name.exact
            }
            let meant = Suggestion.nearest(to: FilePath.name(of: path), among: siblings)
            throw problem(
                "scenario/missing-file",
                "there is no file \"\(path)\"",
                at: origin,
                advice: meant.map { "did you mean \"\($0)\"?" }
            )
        }
        guard FilePath.contains(project.path, resolved) else {
            throw problem(
                "scenario/outside-root",
                "\"\(path)\" is outside the project root \(project.path)",
                at: origin,
                advice: "move the file into the project root, or use backlot serve with --root"
            )
        }
        return resolved
    }

    private mutating func parse(_ path: String, resolved: String, named origin: Place?) throws(Problem) -> JSONValue {
        watched.append(resolved)
        let key = ParseCache.DocumentKey(path: path, number: Int32(sources.paths.count))
        if let document = known[key] {
            _ = sources.add(path)
            return document
        }
        let bytes: [UInt8]
        do {
            bytes = try files.read(resolved)
        } catch {
            throw problem("scenario/unreadable-file", "\"\(path)\" cannot be read: \(error.reason)", at: origin)
        }
        let document = sources.add(path, names: files.names(in: resolved))
        do {
            return try JSONParser(document: document, duplicateNames: .refused).parse(bytes, ofFile: path).root
        } catch {
            throw Problem(finding: error.finding(in: path))
        }
    }

    private func problem(_ id: String, _ message: String, at place: Place?, advice: String? = nil) -> Problem {
        Problem(finding: Finding(.error, id: id, message.printable, at: place, advice: advice?.printable))
    }
}
