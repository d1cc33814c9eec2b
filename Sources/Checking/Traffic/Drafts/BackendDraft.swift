package import Basics
package import JSON
import Reports
import ScenarioFormat

/// A backend and the files next to it before they are written.
///
/// Its values keep the positions of the file that they come from, so that a note about a part names its source.
package struct BackendDraft: Sendable {
    /// A scenario file of the draft.
    struct Document: Sendable {
        var path: String
        var tree: JSONValue
    }

    /// The files from which the parts come, by the document number of their positions.
    private let sources: [Int32: String]
    private var documents: [Document]
    /// Files that scenario files name, such as fixtures.
    private let others: [ScenarioDraft.File]
    /// The parts that were left out, with the reasons.
    package private(set) var findings: [Finding] = []

    /// Makes a draft, and leaves out what `check` and `serve` refuse.
    ///
    /// Each part that is left out has a note in ``findings`` and a `$comment` in the object that had it.
    ///
    /// - Parameters:
    ///   - documents: the backend, and stories that extend it.
    ///   - sources: the files that the positions of values refer to.
    ///   - refused: the places that must not be written for another reason, with the reason.
    /// - Throws: an error of a part that the draft cannot do without.
    init(
        _ documents: [Document],
        with others: [ScenarioDraft.File] = [],
        from sources: [Int32: String],
        refused: (Document) -> [Part] = { _ in [] }
    ) throws(CaptureProblem) {
        (self.documents, self.others, self.sources) = (documents, others, sources)
        for index in documents.indices {
            leaveOut(refused(documents[index]), of: index)
        }
        try settle()
    }

    /// The files in the order in which they are listed.
    package var files: [ScenarioDraft.File] {
        documents.map { ScenarioDraft.File(path: $0.path, bytes: $0.tree.utf8(.pretty) + [0x0A]) } + usedFiles
    }

    package var routeCount: Int { backend["routes"]?.object?.count ?? 0 }

    /// The backend file.
    package var backend: JSONValue { documents.first?.tree ?? .null }

    /// Adds findings in front of those that are there.
    mutating func note(_ findings: [Finding]) { self.findings = findings + self.findings }

    /// A part of a scenario file, and the reason why it cannot stay.
    struct Part {
        /// The names and numbers that lead to it.
        var path: [String]
        /// The end of a sentence: "left out: …, because REASON".
        var reason: String
        /// A Boolean value that indicates whether its names may be written.
        var isNamed = true
    }

    /// The other files that a scenario file still names.
    private var usedFiles: [ScenarioDraft.File] {
        var named: Set<String> = []
        func collect(_ value: JSONValue) {
            for element in value.array ?? [] { collect(element) }
            for member in value.object?.members ?? [] {
                if member.name == "fixture" || member.name == "file", let path = member.value.string {
                    named.insert(path)
                } else {
                    collect(member.value)
                }
            }
        }
        for document in documents { collect(document.tree) }
        return others.filter { named.contains($0.path) }
    }

    // MARK: Checking

    /// Each round leaves something out, so it ends; a reference to a part that is gone is found in the next one.
    private mutating func settle() throws(CaptureProblem) {
        while true {
            let errors = errors()
            guard !errors.isEmpty else { return }
            var isChanged = false
            for index in documents.indices {
                let parts = parts(of: errors, in: index)
                if leaveOut(parts, of: index) { isChanged = true }
            }
            if !isChanged { isChanged = leaveOutStory(for: errors) }
            guard isChanged else {
                let first = errors[0]
                throw CaptureProblem(
                    Finding(
                        .error,
                        id: "import/refused",
                        "nothing was written, because the backend would be refused: \(first.message)",
                        at: Place(file: sources.values.sorted().first)
                    )
                )
            }
        }
    }

    /// Leaves a story out that no part can be taken from, for the backend is of use without it.
    private mutating func leaveOutStory(for errors: [Finding]) -> Bool {
        for (index, document) in documents.enumerated().dropFirst() {
            guard let error = errors.first(where: { $0.place?.file.map(FilePath.name) == document.path }) else {
                continue
            }
            let words = "left out: \(document.path), because \(error.message)"
            findings.append(
                Finding(.note, id: "import/left-out", words, at: Place(file: sources.values.sorted().first))
            )
            documents.remove(at: index)
            return true
        }
        return false
    }

    private func errors() -> [Finding] {
        let files = DraftedFiles(self.files)
        do {
            return try Check(files: files).run([DraftedFiles.folder]).allFindings.filter { $0.severity == .error }
        } catch {
            return [Finding(.error, id: "import/refused", error.sentence)]
        }
    }

    /// The parts of a document that errors are about.
    private func parts(of errors: [Finding], in index: Int) -> [Part] {
        let path = documents[index].path
        let own = errors.filter { $0.place?.file.map { FilePath.name(of: $0) == path } ?? false }
        guard !own.isEmpty,
            let root = (try? JSONParser().parse(documents[index].tree.utf8(.pretty)))?.root
        else { return [] }
        var places: [TextPosition: [String]] = [:]
        Self.note(root, [], in: &places)
        return own.compactMap { error in
            error.place?.position.flatMap { places[$0] }.map { Part(path: $0, reason: error.message) }
        }
    }

    private static func note(_ value: JSONValue, _ path: [String], in places: inout [TextPosition: [String]]) {
        places[value.position.text] = path
        for (index, element) in (value.array ?? []).enumerated() { note(element, path + ["\(index)"], in: &places) }
        for member in value.object?.members ?? [] {
            places[member.namePosition.text] = path + [member.name]
            note(member.value, path + [member.name], in: &places)
        }
    }

    // MARK: Leaving out

    /// - Returns: whether anything was left out.
    @discardableResult
    private mutating func leaveOut(_ parts: [Part], of index: Int) -> Bool {
        var pruning = Pruning()
        let tree = documents[index].tree
        for part in parts {
            guard let path = Self.removable(part.path), pruning.remove(path) else { continue }
            let name = part.isNamed ? Self.words(for: path).printable : "a part of \"\(path[0])\""
            let words = "left out: \(name), because \(part.reason)"
            pruning.comment(
                words,
                in: Array(path.dropLast(path.count > 2 && path[path.count - 2] == "headers" ? 2 : 1))
            )
            findings.append(Finding(.note, id: "import/left-out", words, at: place(of: path, in: tree)))
        }
        guard !pruning.isEmpty else { return false }
        documents[index].tree = pruning.applied(to: tree)
        return true
    }

    /// The place in the source of the innermost value on a path that comes from there.
    private func place(of path: [String], in tree: JSONValue) -> Place {
        var found = JSONPosition.unknown
        var value: JSONValue? = tree
        for step in path {
            value = value.flatMap { value in value.array == nil ? value[step] : Int(step).flatMap { value[$0] } }
            if let position = value?.position, position.isKnown { found = position }
        }
        let file = sources[found.document] ?? sources.values.sorted().first
        return Place(file: file, position: found.isKnown ? found.text : nil)
    }

    /// `case 3 of GET /notes`, `the header field X-A of GET /notes`.
    private static func words(for path: [String]) -> String {
        var words: [String] = []
        var rest = path[...]
        while let key = rest.popFirst() {
            guard let name = rest.popFirst() else {
                words.append("\"\(key)\"")
                break
            }
            switch key {
            case "routes": words.append(name)
            case "cases": words.append("case \((Int(name) ?? 0) + 1)")
            case "responses": words.append("response \((Int(name) ?? 0) + 1)")
            case "headers": words.append("the header field \(name)")
            case "cookies": words.append("the cookie \(name)")
            default: words.append("\"\(name)\" in \"\(key)\"")
            }
        }
        return words.reversed().joined(separator: " of ")
    }

    /// The smallest part around a place that can be left out: a condition goes with its case, for without it the case
    /// would respond to other requests.
    private static func removable(_ path: [String]) -> [String]? {
        guard let section = path.first, path.count > 1 else { return nil }
        switch section {
        case "routes":
            var end = 2
            while end + 1 < path.count, ["cases", "responses"].contains(path[end]) { end += 2 }
            guard end < path.count else { return Array(path[..<end]) }
            switch path[end] {
            case "headers", "cookies": return Array(path[..<min(end + 2, path.count)])
            case "latency", "dribble", "then", "etag", "gzip": return Array(path[...end])
            default: return Array(path[..<end])
            }
        case "tokens": return path.count > 3 ? Array(path[..<4]) : nil
        case "defaults": return Array(path[..<min(path.count, path[1] == "headers" ? 3 : 2)])
        case "states", "counters", "collections", "given", "timeline": return Array(path[..<2])
        default: return nil
        }
    }
}

/// Parts that are taken out of a tree, and comments that are put into it, in one pass.
private struct Pruning {
    private var removed: Set<[String]> = []
    private var comments: [[String]: [String]] = [:]
    /// The paths that lead to a change.
    private var touched: Set<[String]> = []

    var isEmpty: Bool { removed.isEmpty }

    /// - Returns: whether the part was still there.
    mutating func remove(_ path: [String]) -> Bool {
        guard !path.indices.contains(where: { removed.contains(Array(path[...$0])) }) else { return false }
        removed.insert(path)
        touch(path)
        return true
    }

    mutating func comment(_ text: String, in path: [String]) {
        // Arrays and maps have no comments.
        var path = path
        while let last = path.last, ["cases", "responses", "routes", "headers", "cookies"].contains(last) {
            path.removeLast()
        }
        comments[path, default: []].append(text)
        touch(path)
    }

    private mutating func touch(_ path: [String]) {
        for count in 0...path.count { touched.insert(Array(path.prefix(count))) }
    }

    func applied(to tree: JSONValue) -> JSONValue { applied(to: tree, []) ?? tree }

    private func applied(to value: JSONValue, _ path: [String]) -> JSONValue? {
        guard !removed.contains(path) else { return nil }
        guard touched.contains(path) else { return value }
        if let elements = value.array {
            let kept = elements.enumerated().compactMap { applied(to: $1, path + ["\($0)"]) }
            return kept.isEmpty && !elements.isEmpty ? nil : JSONValue(.array(kept), at: value.position)
        }
        guard let object = value.object else { return value }
        var kept = JSONObject()
        for member in object.members {
            guard let changed = applied(to: member.value, path + [member.name]) else { continue }
            kept.set(JSONObject.Member(name: member.name, namePosition: member.namePosition, value: changed))
        }
        // A map without members is gone with them; the routes stay, for a backend has some.
        if kept.isEmpty, !object.isEmpty, path.count > 1 { return nil }
        if let texts = comments[path] { kept.add(comments: texts) }
        return JSONValue(.object(kept), at: value.position)
    }
}

extension JSONObject {
    private static let mostComments = 200

    /// Adds lines to the comment of an object of a scenario file; what is beyond ``mostComments`` is counted.
    mutating func add(comments texts: [String]) {
        guard !texts.isEmpty else { return }
        let known = self["$comment"].map { $0.array ?? [$0] } ?? []
        var all = known + texts.map { .string($0.printable) }
        if all.count > Self.mostComments {
            all = Array(all.prefix(Self.mostComments)) + [.string("and \(all.count - Self.mostComments) more")]
        }
        let comment = all.count == 1 ? all[0] : .array(all)
        guard self["$comment"] == nil else { return self["$comment"] = comment }
        self = JSONObject([Member(name: "$comment", value: comment)] + members)
    }
}

/// The files of a draft as the loader reads them, in a folder that exists nowhere.
private struct DraftedFiles: FileReading {
    static let folder = "/draft"

    private var contents: [String: [UInt8]] = [:]
    /// The names in each folder.
    private var folders: [String: Set<String>] = [:]

    init(_ files: [ScenarioDraft.File]) {
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
        guard let bytes = contents[path] else { throw FileProblem(reason: "there is no such file") }
        return bytes
    }

    func entries(of folder: String) -> [String] { folders[folder]?.sorted() ?? [] }

    func isFolder(_ path: String) -> Bool { folders[path] != nil }
}
