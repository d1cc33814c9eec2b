import JSON

/// The fixtures of a draft, each under a name of its own.
///
/// Names are made of lower-case letters, digits and hyphens, so that they are the same on every file system and lead
/// nowhere else, whatever a contract calls its paths.
struct DraftFixtures {
    static let folder = "fixtures"

    private(set) var files: [ScenarioDraft.File] = []
    private var taken: Set<String> = []
    private var lastNumbers: [String: Int] = [:]
    private var shared: [[UInt8]: String] = [:]

    /// Puts a fixture down and returns its path.
    mutating func place(_ value: JSONValue, named name: String) -> String {
        place(JSONLayout.utf8(value), named: name)
    }

    /// Puts a fixture down unless one with the same content has been shared before, and returns its path.
    mutating func share(_ value: JSONValue, named name: String) -> String {
        let bytes = JSONLayout.utf8(value)
        if let path = shared[bytes] { return path }
        let path = place(bytes, named: name)
        shared[bytes] = path
        return path
    }

    private mutating func place(_ bytes: [UInt8], named name: String) -> String {
        var free = name
        while !taken.insert(free).inserted {
            lastNumbers[name, default: 1] += 1
            free = "\(name)-\(lastNumbers[name, default: 2])"
        }
        let path = "\(Self.folder)/\(free).json"
        files.append(ScenarioDraft.File(path: path, bytes: bytes))
        return path
    }

    /// `GET /pets/{id}` is `get-pets-id`.
    static func name(of text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes.append(byte | 0x20)
            default: if bytes.last != hyphen, !bytes.isEmpty { bytes.append(hyphen) }
            }
            // Far from the 255 bytes that a file system allows, so that a number may follow.
            if bytes.count >= 120 { break }
        }
        while bytes.last == hyphen { bytes.removeLast() }
        return bytes.isEmpty ? "scenario" : String(decoding: bytes, as: UTF8.self)
    }

    private static let hyphen = UInt8(ascii: "-")
}
