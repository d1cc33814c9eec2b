import Basics
package import JSON

/// The one place where text of another source becomes text of a scenario file.
package enum DraftText {
    /// A text in which nothing begins a placeholder, because every `{{` means two braces.
    package static func literal(_ text: String) -> String {
        var bytes: [UInt8] = []
        var isOpen = false
        for byte in text.utf8 {
            let isBrace = byte == UInt8(ascii: "{")
            if isBrace && isOpen {
                bytes.removeLast()
                bytes += Array(#"{{"{{"}}"#.utf8)
            } else {
                bytes.append(byte)
            }
            isOpen = isBrace && !isOpen
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// JSON in whose strings nothing begins a placeholder; names are sent as they are.
    package static func literal(_ value: JSONValue) -> JSONValue {
        switch value.content {
        case .string(let text): return JSONValue(.string(literal(text)), at: value.position)
        case .array(let elements): return JSONValue(.array(elements.map { literal($0) }), at: value.position)
        case .object(let object):
            let members = object.members.map { member in
                JSONObject.Member(
                    name: member.name,
                    namePosition: member.namePosition,
                    value: literal(member.value)
                )
            }
            return JSONValue(.object(JSONObject(members)), at: value.position)
        default: return value
        }
    }

    /// A name as the format has it: letters, digits, `-` and `_`, a letter first.
    package static func name(_ text: String) -> String {
        let letters = text.utf8.map {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") ? $0 : UInt8(ascii: "-")
        }
        let name = String(decoding: letters, as: UTF8.self)
        return letters.first.map { $0.isASCIILetter } ?? false ? name : "s-\(name)"
    }

    /// A name for a text, equal for equal texts and different for different ones.
    ///
    /// - Parameter names: the names that are given already.
    package static func name(_ text: String, in names: inout [String: String]) -> String {
        if let known = names[text] { return known }
        var taken = Set(names.values)
        let name = taken.take(name(text), numberedAfter: "-")
        names[text] = name
        return name
    }

    /// The maximum nesting of a body, so that a draft stays within that of the reader.
    package static let deepestBody = 300

    package static func isTooDeep(_ value: JSONValue) -> Bool {
        var level = [value]
        for _ in 0..<deepestBody {
            level = level.flatMap { ($0.array ?? []) + ($0.object?.members.map(\.value) ?? []) }
            if level.isEmpty { return false }
        }
        return true
    }
}
