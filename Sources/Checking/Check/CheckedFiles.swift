import Basics
import JSON
import OpenAPI
import ScenarioFormat

/// Finds the files that a check is about.
struct CheckedFiles {
    /// Folders are entered up to this depth: further down there are circles or other packages.
    private static let depth = 16

    private let files: any FileReading
    /// The project's folders that are searched when no path is given.
    private let usual: [String]
    /// The project of the folder that is searched.
    private var root: ProjectRoot?
    private var seen: Set<String> = []
    private var found: [CheckedFile] = []

    init(_ files: any FileReading, in usual: [String] = ["Contracts", "Scenarios"]) {
        self.files = files
        self.usual = usual
    }

    /// The files of JSON and YAML at and below some paths, each once, in their order and sorted within folders.
    consuming func find(_ paths: [String]) throws(CheckProblem) -> [CheckedFile] {
        for path in paths.isEmpty ? try defaults() : paths {
            guard files.resolve(path) != nil else { throw missing(path) }
            if files.isFolder(path) {
                root = ProjectRoot(enclosing: path, files: files)
                walk(path, depth: 0)
            } else {
                add(path)
            }
        }
        guard !found.isEmpty else {
            let places = paths.isEmpty ? usual.joined(separator: " and ") : paths.joined(separator: ", ")
            throw CheckProblem(
                sentence: "\(places.printable) contains no JSON or YAML file, so nothing was checked"
            )
        }
        return found
    }

    private func defaults() throws(CheckProblem) -> [String] {
        guard let root = ProjectRoot(enclosing: ".", files: files), let here = files.resolve(".") else {
            throw CheckProblem(sentence: "the current folder cannot be read")
        }
        let below = here.utf8.dropFirst(root.path.utf8.count).split(separator: UInt8(ascii: "/")).count
        let way = Array(repeating: "..", count: below).joined(separator: "/")
        let folders = usual.map { way.isEmpty ? $0 : FilePath.join(way, $0) }
        let present = folders.filter(files.isFolder)
        guard !present.isEmpty else {
            throw CheckProblem(
                sentence: "there is no \(usual.joined(separator: " or ")) folder in \(root.path.printable)"
                    + "; specify files or folders"
            )
        }
        return present
    }

    private func missing(_ path: String) -> CheckProblem {
        let folder = FilePath.folder(of: path)
        let name = FilePath.name(of: path)
        // A broken link is among the entries, too.
        let entries = files.entries(of: folder).filter { $0.exact != name.exact }
        let meant = Suggestion.nearest(to: name, among: entries)
        let advice = meant.map { "; did you mean \"\(FilePath.join(folder, $0))\"?" } ?? ""
        return CheckProblem(sentence: "there is no file or folder \"\(path)\"\(advice)".printable)
    }

    private mutating func walk(_ folder: String, depth: Int) {
        guard depth < CheckedFiles.depth, isNew(folder) else { return }
        for name in files.entries(of: folder) where name.utf8.first != UInt8(ascii: ".") {
            let path = FilePath.join(folder, name)
            guard let root, files.resolve(path).map({ FilePath.contains(root.path, $0) }) ?? true else {
                // The user has not named the target of a link that leads out of the project.
                found.append(CheckedFile(unread: path))
                continue
            }
            if files.isFolder(path) {
                walk(path, depth: depth + 1)
            } else if TextFormat.isDocument(name) {
                add(path)
            }
        }
    }

    private mutating func add(_ path: String) {
        guard isNew(path) else { return }
        found.append(CheckedFile(path, files))
    }

    private mutating func isNew(_ path: String) -> Bool {
        seen.insert(files.resolve(path) ?? path).inserted
    }
}

/// A file of JSON or YAML, and what it is by its content.
struct CheckedFile {
    var path: String
    /// `nil` for a file that is not valid.
    var kind: DocumentKind?
    /// The reason why it is not valid.
    var finding: Finding?

    /// A file that is ignored.
    init(unread path: String) {
        self.path = path
        kind = .other
    }

    init(_ path: String, _ files: any FileReading) {
        self.path = path
        let bytes: [UInt8]
        do {
            bytes = try files.read(path)
        } catch {
            let message = error.sentence(about: path)
            finding = Finding(.error, id: "check/unreadable-file", message, at: Place(file: path))
            return
        }
        do {
            kind = DocumentKind(of: try JSONParser(duplicateNames: .lastWins).parse(bytes, ofFile: path).root)
        } catch {
            // The contract's loader knows what to say about YAML.
            guard !DocumentKind.isYAMLContract(bytes) else {
                kind = .contract
                return
            }
            finding = error.finding(in: path)
        }
    }
}

/// Every fixture that a check meets, parsed once with the place of each value.
struct ParsedFixtures {
    private struct Key: Hashable {
        var path: String
        var number: Int32
    }

    private let files: any FileReading
    private var known: [Key: JSONValue?] = [:]

    init(files: any FileReading) {
        self.files = files
    }

    /// A fixture's document; `nil` for what cannot be read, which the loader reports.
    ///
    /// - Parameter number: the document number that its values bear.
    mutating func document(at path: String, number: Int32) -> JSONValue? {
        let key = Key(path: path, number: number)
        if let document = known[key] { return document }
        var document: JSONValue?
        if let bytes = try? files.read(path) {
            document = try? JSONParser(document: number).parse(bytes, ofFile: path).root
        }
        known[key] = .some(document)
        return document
    }
}
