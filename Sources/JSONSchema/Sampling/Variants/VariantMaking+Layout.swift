import JSON

extension VariantMaking {
    /// Writes the same value in other ways that JSON allows.
    mutating func layOut(_ base: JSONValue, at whole: VariantPlace) {
        let escaped = TextLayout(escapesAll: true, space: "").text(of: base)
        let spacious = TextLayout(escapesAll: false, space: " \t\r\n").text(of: base)
        let forms: [([UInt8], String)] = [
            (base.utf8(.pretty), "written on many lines"),
            (base.turned.utf8(), "written in another order"),
            (escaped, "written in escapes only"),
            (spacious, "written with space everywhere"),
            (base.utf8() + Array("\r\n".utf8), "written with a line's end behind it"),
        ]
        for (body, label) in forms {
            collection.offer(base, "everything is \(label)", .legal, .layout, at: whole, body: body)
        }
    }
}

/// A way of writing JSON that is allowed and unusual.
struct TextLayout {
    /// Whether every character of names and texts is written as `\u` and four digits.
    var escapesAll: Bool
    /// What stands around every token.
    var space: String

    func text(of value: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return bytes
    }

    /// Recursive, as values that were made here are never deep.
    private func append(_ value: JSONValue, to bytes: inout [UInt8]) {
        switch value.content {
        case .string(let text): append(text, to: &bytes)
        case .array(let elements):
            append(token: "[", to: &bytes)
            for (index, element) in elements.enumerated() {
                if index > 0 { append(token: ",", to: &bytes) }
                append(element, to: &bytes)
            }
            append(token: "]", to: &bytes)
        case .object(let object):
            append(token: "{", to: &bytes)
            for (index, member) in object.members.enumerated() {
                if index > 0 { append(token: ",", to: &bytes) }
                append(member.name, to: &bytes)
                append(token: ":", to: &bytes)
                append(member.value, to: &bytes)
            }
            append(token: "}", to: &bytes)
        default: append(token: value.text(), to: &bytes)
        }
    }

    private func append(token: String, to bytes: inout [UInt8]) {
        bytes += Array(space.utf8)
        bytes += Array(token.utf8)
        bytes += Array(space.utf8)
    }

    private func append(_ text: String, to bytes: inout [UInt8]) {
        guard escapesAll else {
            append(token: JSONValue.string(text).text(), to: &bytes)
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for (index, unit) in text.utf16.enumerated() {
            let digits = String(unit, radix: 16, uppercase: index.isMultiple(of: 2))
            bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension JSONValue {
    /// The same value with the members of its objects in the opposite order.
    fileprivate var turned: JSONValue {
        switch content {
        case .array(let elements): .array(elements.map(\.turned))
        case .object(let object):
            .object(JSONObject(object.members.reversed().map { ($0.name, $0.value.turned) }))
        default: self
        }
    }
}
