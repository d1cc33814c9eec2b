import Basics
import JSON

/// What loading scenarios leaves for the next ones that extend the same backend.
///
/// It believes that no file changes meanwhile, so it is for one command that looks at many files, and not for a server.
package struct ParseCache {
    /// A file that others extend, by the number that it has in their chain.
    struct DocumentKey: Hashable {
        var path: String
        var number: Int32
    }

    var documents: [DocumentKey: JSONValue] = [:]
    private var shelves: [[String]: Entry] = [:]

    package init() {}

    /// What was read for stories of one backend.
    struct Entry {
        /// The files of the last story, and every fixture since the first one.
        var sources = SourceMap()
        var fixtures: [String: JSONDocument?] = [:]
        var assets: AssetReader?
        /// What is wrong with the backend's shape.
        var shapeFindings: [Finding]?
        private var parts: [(surroundings: ReadParts.Surroundings, parts: ReadParts)] = []

        subscript(surroundings: ReadParts.Surroundings) -> ReadParts {
            get { parts.first { $0.surroundings.isSame(as: surroundings) }?.parts ?? ReadParts() }
            set {
                if let index = parts.firstIndex(where: { $0.surroundings.isSame(as: surroundings) }) {
                    parts[index].parts = newValue
                } else {
                    parts.append((surroundings, newValue))
                }
            }
        }
    }

    /// What is known for a chain of files; nothing but the chain where it is the first of its backend.
    func shelf(for chain: ChainReader.Chain) -> Entry {
        var shelf = shelves[Self.key(chain)] ?? Entry()
        let known = shelf.sources.paths.dropFirst(chain.sources.paths.count)
        shelf.sources = chain.sources
        for path in known { _ = shelf.sources.add(path) }
        return shelf
    }

    mutating func keep(_ shelf: Entry, for chain: ChainReader.Chain) {
        // Nobody extends what does not extend anything as it stands alone.
        guard chain.documents.count > 1 else { return }
        shelves[Self.key(chain)] = shelf
        for (number, document) in chain.documents.reversed().enumerated().dropFirst() {
            let key = DocumentKey(path: chain.sources.paths[number], number: Int32(number))
            documents[key] = document
        }
    }

    private static func key(_ chain: ChainReader.Chain) -> [String] {
        [chain.backendFolder] + chain.sources.paths.dropFirst()
    }
}
