import Basics

/// Lets every finding pass once, whichever of the files that share it caused it.
struct FindingDeduplicator {
    private struct Key: Hashable {
        var file: String?
        var position: TextPosition?
        var id: String
        var statement: String
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
                statement: finding.subject?.statement ?? finding.message
            )
            if finding.severity == .error { errors.insert(place(of: key)) }
            return seen.insert(key).inserted
        }
    }

    /// Returns whether some error was reported at a place already.
    mutating func hasError(at place: Place?) -> Bool {
        guard let place, let file = place.file else { return false }
        return errors.contains(Key(file: resolve(file), position: place.position, id: "", statement: ""))
    }

    private func place(of key: Key) -> Key {
        Key(file: key.file, position: key.position, id: "", statement: "")
    }

    private mutating func resolve(_ file: String) -> String {
        if let known = resolved[file] { return known }
        let path = files.resolve(file) ?? file
        resolved[file] = path
        return path
    }
}
