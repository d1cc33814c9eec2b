package import Basics
package import JSON

/// A backend and the files next to it before they are written.
///
/// Its values keep the positions of the file that they come from, so that a note about a part names its source.
package struct BackendDraft: Sendable {
    private typealias Scenario = DraftKeys.Scenario
    private typealias Route = DraftKeys.Route

    /// A file, by its path relative to the backend's folder.
    package struct File: Sendable {
        package var path: String
        package var bytes: [UInt8]

        package init(path: String, bytes: [UInt8]) { (self.path, self.bytes) = (path, bytes) }
    }

    /// A scenario file of the draft.
    package struct Document: Sendable {
        package var path: String
        package var tree: JSONValue

        package init(_ draft: DraftScenario, path: String = backendName) { (self.path, tree) = (path, draft.json) }
    }

    /// The files from which the parts come, by the document number of their positions.
    private let sources: [Int32: String]
    private var documents: [Document]
    /// Files that scenario files name, such as fixtures.
    private let others: [File]
    /// Files next to the scenarios that none of them names.
    private var attached: [File] = []
    private let layout: JSONLayout
    /// The parts that were left out, with the reasons.
    package private(set) var findings: [Finding]

    /// - Parameters:
    ///   - documents: the backend, and stories that extend it.
    ///   - sources: the files that the positions of values refer to.
    package init(
        _ documents: [Document],
        with others: [File] = [],
        from sources: [Int32: String] = [:],
        layout: JSONLayout,
        findings: [Finding] = []
    ) {
        (self.documents, self.others, self.sources) = (documents, others, sources)
        (self.layout, self.findings) = (layout, findings)
    }

    /// The file that a note names whose part comes from none.
    package var mainSource: String? { sources.values.sorted().first }

    /// The files in the order in which they are listed.
    package var files: [File] {
        documents.map { File(path: $0.path, bytes: layout.utf8($0.tree)) } + usedFiles + attached
    }

    package var routeCount: Int { backend[.routes]?.object?.count ?? 0 }

    /// The number of stories that extend the backend.
    package var storyCount: Int { documents.count - 1 }

    /// The token kinds of the backend, by name.
    package var tokenKinds: [String] {
        let kinds = backend[.tokens]?.object.flatMap { Draft<DraftKeys.Tokens>($0)[.kinds] }
        return kinds?.object?.names ?? []
    }

    /// The backend file.
    package var backend: DraftScenario { DraftScenario(documents.first?.tree.object ?? [:]) }

    /// Adds a file that no scenario names.
    package mutating func attach(_ file: File) { attached.append(file) }

    /// Adds findings in front of those that are there.
    package mutating func note(_ findings: [Finding]) { self.findings = findings + self.findings }

    /// A part of a scenario file, and the reason why it cannot stay.
    package struct Part {
        /// The names and numbers that lead to it.
        package var path: [String]
        /// The end of a sentence: "left out: …, because REASON".
        package var reason: String
        /// A Boolean value that indicates whether its names may be written.
        package var isNamed: Bool

        package init(path: [String], reason: String, isNamed: Bool = true) {
            (self.path, self.reason, self.isNamed) = (path, reason, isNamed)
        }
    }

    /// The other files that a scenario file still names.
    private var usedFiles: [File] {
        let named = Self.named(in: documents.map(\.tree))
        return others.filter { named.contains($0.path) }
    }

    /// The other files that trees of scenario files name.
    private static func named(in trees: [JSONValue]) -> Set<String> {
        var named: Set<String> = []
        func collect(_ value: JSONValue) {
            for element in value.array ?? [] { collect(element) }
            for member in value.object?.members ?? [] {
                if [Route.fixture, .file].contains(Route(rawValue: member.name)), let path = member.value.string {
                    named.insert(path)
                } else {
                    collect(member.value)
                }
            }
        }
        for tree in trees { collect(tree) }
        return named
    }

    /// The other files that scenario files in JSON name, sorted.
    package static func named(in files: [File]) -> [String] {
        named(in: files.compactMap { try? JSONParser().parse($0.bytes).root }).sorted()
    }

    /// The name of the backend file, and of the story of a captured session.
    package static let backendName = "backend.json"
    package static let storyName = "captured-session.json"
    /// The name of the HTTP Archive of a recording.
    package static let archiveName = "capture.har"

    // MARK: Leaving out

    /// Leaves out the parts that errors are about, or else a story, for the backend is of use without it.
    ///
    /// A reference to a part that is gone is an error of the next draft.
    ///
    /// - Returns: whether anything was left out.
    package mutating func leaveOut(for errors: [Finding]) -> Bool {
        var isChanged = false
        for index in documents.indices where leaveOut(parts(of: errors, in: index), of: index) { isChanged = true }
        guard !isChanged else { return true }
        for (index, document) in documents.enumerated().dropFirst() {
            guard let error = errors.first(where: { $0.place?.file.map(FilePath.name) == document.path }) else {
                continue
            }
            let words = "left out: \(document.path), because \(error.message)"
            findings.append(Finding(.note, id: "import/left-out", words, at: Place(file: mainSource)))
            documents.remove(at: index)
            return true
        }
        return false
    }

    /// The parts of a document that errors are about.
    private func parts(of errors: [Finding], in index: Int) -> [Part] {
        let document = documents[index]
        let own = errors.filter { $0.place?.file.map { FilePath.name(of: $0) == document.path } ?? false }
        guard !own.isEmpty, let root = (try? JSONParser().parse(layout.utf8(document.tree)))?.root else { return [] }
        var places: [TextPosition: [String]] = [:]
        func note(_ value: JSONValue, _ path: [String]) {
            places[value.position.text] = path
            for (index, element) in (value.array ?? []).enumerated() { note(element, path + ["\(index)"]) }
            for member in value.object?.members ?? [] {
                places[member.namePosition.text] = path + [member.name]
                note(member.value, path + [member.name])
            }
        }
        note(root, [])
        return own.compactMap { error in
            error.place?.position.flatMap { places[$0] }.map { Part(path: $0, reason: error.message) }
        }
    }

    /// - Returns: whether anything was left out.
    @discardableResult
    package mutating func leaveOut(_ parts: [Part], of index: Int) -> Bool {
        var pruning = Pruning()
        let tree = documents[index].tree
        for part in parts {
            guard let path = Self.removable(part.path), pruning.remove(path) else { continue }
            let name = part.isNamed ? Self.words(for: path).printable : "a part of \"\(path[0])\""
            let words = "left out: \(name), because \(part.reason)"
            let isField = path.count > 2 && path[path.count - 2] == Route.headers.rawValue
            pruning.comment(words, in: Array(path.dropLast(isField ? 2 : 1)))
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
        let file = sources[found.document] ?? mainSource
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
            switch (Scenario(rawValue: key), Route(rawValue: key)) {
            case (.routes, _): words.append(name)
            case (_, .cases): words.append("case \((Int(name) ?? 0) + 1)")
            case (_, .responses): words.append("response \((Int(name) ?? 0) + 1)")
            case (_, .headers): words.append("the header field \(name)")
            case (_, .cookies): words.append("the cookie \(name)")
            default: words.append("\"\(name)\" in \"\(key)\"")
            }
        }
        return words.reversed().joined(separator: " of ")
    }

    /// The smallest part around a place that can be left out: a condition goes with its case, for without it the case
    /// would respond to other requests.
    private static func removable(_ path: [String]) -> [String]? {
        guard let section = path.first, path.count > 1 else { return nil }
        switch Scenario(rawValue: section) {
        case .routes:
            var end = 2
            while end + 1 < path.count, Route.lists.contains(path[end]) { end += 2 }
            guard end < path.count else { return Array(path[..<end]) }
            switch Route(rawValue: path[end]) {
            case .headers, .cookies: return Array(path[..<min(end + 2, path.count)])
            case .latency, .dribble, .then, .etag, .gzip: return Array(path[...end])
            default: return Array(path[..<end])
            }
        case .tokens: return path.count > 3 ? Array(path[..<4]) : nil
        case .defaults: return Array(path[..<min(path.count, path[1] == Scenario.headers.rawValue ? 3 : 2)])
        case .states, .counters, .collections, .given, .timeline: return Array(path[..<2])
        default: return nil
        }
    }
}

extension DraftKeys.Route {
    /// The keys of lists, whose parts can be left out one by one.
    fileprivate static let lists = Set([cases, responses].map(\.rawValue))

    /// The keys of maps, which have no comments.
    fileprivate static let maps = Set([headers, cookies].map(\.rawValue) + [DraftKeys.Scenario.routes.rawValue])
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
        var path = path
        let withoutComments = DraftKeys.Route.lists.union(DraftKeys.Route.maps)
        while let last = path.last, withoutComments.contains(last) { path.removeLast() }
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
