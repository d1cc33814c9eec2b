import Basics
import JSON

/// A cache of loading, for the next scenarios that extend the same backend.
///
/// It assumes that no file changes while it is used, so it is for one command that reads many files, not for a server.
package struct ParseCache: Sendable {
    /// A file that others extend, by the number that it has in their chain.
    struct DocumentKey: Hashable {
        var path: String
        var number: Int32
    }

    var documents: [DocumentKey: JSONValue] = [:]
    private var entries: [[String]: Entry] = [:]

    package init() {}

    /// The read files for stories of one backend.
    struct Entry {
        /// The files of the last story, and every fixture since the first one.
        var sources = SourceMap()
        var fixtures: [String: JSONDocument?] = [:]
        var assets: AssetReader?
        /// The findings about the backend's shape.
        var shapeFindings: [Finding]?
        private var parts: [(context: ReadParts.Context, parts: ReadParts)] = []

        subscript(context: ReadParts.Context) -> ReadParts {
            get { parts.first { $0.context.isSame(as: context) }?.parts ?? ReadParts() }
            set {
                if let index = parts.firstIndex(where: { $0.context.isSame(as: context) }) {
                    parts[index].parts = newValue
                } else {
                    parts.append((context, newValue))
                }
            }
        }
    }

    /// The cached results for a chain of files; only the chain if it is the first of its backend.
    func entry(for chain: ChainReader.Chain) -> Entry {
        var entry = entries[Self.key(chain)] ?? Entry()
        let known = entry.sources.paths.dropFirst(chain.sources.paths.count)
        entry.sources = chain.sources
        for path in known { _ = entry.sources.add(path) }
        return entry
    }

    mutating func keep(_ entry: Entry, for chain: ChainReader.Chain) {
        // What extends nothing and cannot be read alone is not extended either.
        guard chain.documents.count > 1 else { return }
        entries[Self.key(chain)] = entry
        for (number, document) in chain.documents.reversed().enumerated().dropFirst() {
            let key = DocumentKey(path: chain.sources.paths[number], number: Int32(number))
            documents[key] = document
        }
    }

    private static func key(_ chain: ChainReader.Chain) -> [String] {
        [chain.backendFolder] + chain.sources.paths.dropFirst()
    }
}
