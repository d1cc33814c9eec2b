import Basics

/// Lets every finding pass once, whichever of the files that share it brought it up.
struct FindingDeduplicator {
    private struct Key: Hashable {
        var file: String?
        var position: TextPosition?
        var id: String
        var message: String
    }

    private let files: any FileReading
    private var seen: Set<Key> = []
    private var errors: Set<Key> = []
    private var resolved: [String: String] = [:]

    init(files: any FileReading) {
        self.files = files
    }

    mutating func pass(_ findings: [Finding]) -> [Finding] {
        findings.filter { finding in
            let key = Key(
                file: finding.place?.file.map { self.resolve($0) },
                position: finding.place?.position,
                id: finding.id,
                message: finding.place?.pointer == nil ? finding.message : finding.message.withoutWay
            )
            if finding.severity == .error { errors.insert(place(of: key)) }
            return seen.insert(key).inserted
        }
    }

    /// Whether some error was told at a place already.
    mutating func hasError(at place: Place?) -> Bool {
        guard let place, let file = place.file else { return false }
        return errors.contains(Key(file: resolve(file), position: place.position, id: "", message: ""))
    }

    private func place(of key: Key) -> Key {
        Key(file: key.file, position: key.position, id: "", message: "")
    }

    private mutating func resolve(_ file: String) -> String {
        if let known = resolved[file] { return known }
        let path = files.resolve(file) ?? file
        resolved[file] = path
        return path
    }
}

extension String {
    /// The sentence about a value without the way that leads to it: whoever shows the same value shows it elsewhere.
    fileprivate var withoutWay: String {
        let quote = UInt8(ascii: "`")
        guard utf8.first == quote, let end = utf8.dropFirst().firstIndex(of: quote) else { return self }
        let way = utf8[..<end].dropFirst()
        let name = way.lastIndex(of: UInt8(ascii: ".")).map { way[way.index(after: $0)...] } ?? way
        return String(Substring(name.prefix { $0 != UInt8(ascii: "[") })) + String(Substring(utf8[end...]))
    }
}
