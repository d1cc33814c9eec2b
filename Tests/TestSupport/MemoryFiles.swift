package import Basics

/// Files in memory, at `/project` unless their path says otherwise, which remember what was asked of them.
///
/// A class, because the loader takes its files by value and the test looks afterwards at what it read.
package final class MemoryFiles: FileReading {
    private let contents: [String: [UInt8]]
    private let links: [String: String]
    private let unreadable: Set<String>
    private let asked = Lock<[String]>([])

    package init(_ contents: [String: [UInt8]], links: [String: String] = [:], unreadable: Set<String> = []) {
        self.contents = Dictionary(uniqueKeysWithValues: contents.map { (Self.normalized($0), $1) })
        self.links = Dictionary(uniqueKeysWithValues: links.map { (Self.normalized($0), Self.normalized($1)) })
        self.unreadable = Set(unreadable.map(Self.normalized))
    }

    package convenience init(_ texts: [String: String], links: [String: String] = [:], unreadable: Set<String> = []) {
        self.init(texts.mapValues { Array($0.utf8) }, links: links, unreadable: unreadable)
    }

    private init(_ contents: [String: [UInt8]], sharing other: MemoryFiles) {
        self.contents = contents
        links = other.links
        unreadable = other.unreadable
    }

    /// The same files with another text in one of them, and nothing asked of them yet.
    package func replacing(_ path: String, by text: String) -> MemoryFiles {
        var contents = contents
        contents[Self.normalized(path)] = Array(text.utf8)
        return MemoryFiles(contents, sharing: self)
    }

    /// Every path that was resolved or read.
    package var touched: [String] { asked.withLock { $0 } }

    package func resolve(_ path: String) -> String? {
        let path = Self.normalized(path)
        asked.withLock { $0.append(path) }
        let target = links[path] ?? path
        return contents[target] != nil || unreadable.contains(target) || isFolder(target) ? target : nil
    }

    package func read(_ path: String) throws(FileProblem) -> [UInt8] {
        let path = Self.normalized(path)
        asked.withLock { $0.append(path) }
        if unreadable.contains(path) { throw FileProblem(reason: "reading is not permitted") }
        if isFolder(path) { throw FileProblem(reason: "the path is a folder") }
        guard let bytes = contents[path] else { throw FileProblem(reason: "there is no such file") }
        return bytes
    }

    package func entries(of folder: String) -> [String] {
        let prefix = Self.normalized(folder) + "/"
        let paths = Array(contents.keys) + Array(links.keys) + Array(unreadable)
        return Set(
            paths.filter { $0.hasPrefix(prefix) }.compactMap { $0.dropFirst(prefix.count).split(separator: "/").first }
        )
        .map(String.init).sorted()
    }

    package func isFolder(_ path: String) -> Bool { !entries(of: path).isEmpty }

    /// Makes a path absolute and takes `.` and `..` out of it.
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : "/project/\(path)").split(separator: "/") {
            switch part {
            case ".": break
            case "..": parts = parts.dropLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }
}
