import Basics
package import JSON

/// The fixtures of a draft, each under its name.
///
/// Names are made of lower-case letters, digits and hyphens, so that they are the same on every file system and never
/// lead to another folder, regardless of the paths in a contract.
package struct DraftFixtures: Sendable {
    private let layout: JSONLayout
    package private(set) var files: [BackendDraft.File] = []
    private var taken: Set<String> = []
    private var lastNumbers: [String: Int] = [:]
    private var shared: [[UInt8]: String] = [:]

    package init(_ layout: JSONLayout = .fitted) { self.layout = layout }

    /// Adds a fixture and returns its path.
    package mutating func place(_ value: JSONValue, named name: String) -> String {
        place(layout.utf8(value), named: name)
    }

    /// Adds a fixture unless one with the same content has been shared before, and returns its path.
    package mutating func share(_ value: JSONValue, named name: String) -> String {
        let bytes = layout.utf8(value)
        if let path = shared[bytes] { return path }
        let path = place(bytes, named: name)
        shared[bytes] = path
        return path
    }

    /// Adds a file with the given ending and returns its path.
    package mutating func place(_ bytes: [UInt8], named name: String, ending: String = "json") -> String {
        var free = name
        while !taken.insert(free).inserted {
            lastNumbers[name, default: 1] += 1
            free = "\(name)-\(lastNumbers[name, default: 2])"
        }
        return add(bytes, named: "\(free).\(ending)")
    }

    /// Adds a file under a name that no other one has, and returns its path.
    package mutating func add(_ bytes: [UInt8], named name: String) -> String {
        files.append(BackendDraft.File(path: "fixtures/\(name)", bytes: bytes))
        return "fixtures/\(name)"
    }

    /// `GET /pets/{id}` is `get-pets-id`.
    package static func name(of text: String) -> String {
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

extension UInt8 {
    /// A Boolean value that indicates whether names of a scenario may have it.
    package var isNameByte: Bool {
        isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: "-")
    }
}

extension Set<String> {
    /// Takes a name, with the first number from 2 behind it that makes it free where it is taken.
    package mutating func take(_ name: String, numberedAfter separator: String) -> String {
        var free = name
        var number = 1
        while !insert(free).inserted {
            number += 1
            free = "\(name)\(separator)\(number)"
        }
        return free
    }
}
