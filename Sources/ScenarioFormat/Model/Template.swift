package import JSON

/// Text with placeholders, for header fields and bodies that are not JSON.
package struct TextTemplate: Sendable {
    package enum Part: Sendable {
        case literal(String)
        case placeholder(Placeholder)
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }

    /// The text itself when it has no placeholder.
    package var constant: String? {
        switch parts.count {
        case 0: return ""
        case 1: if case .literal(let text) = parts[0] { return text }
        default: break
        }
        return nil
    }

    package var placeholders: [Placeholder] {
        parts.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }
}

/// JSON with placeholders, compiled to the bytes that never change and the places that do.
///
/// A string that is exactly one placeholder becomes the placeholder's value with its JSON type; inside a longer
/// string the value is written as text.
package struct ValueTemplate: Sendable {
    package enum Part: Sendable {
        /// JSON text, ready to be sent.
        case bytes([UInt8])
        /// A whole value.
        case value(Placeholder)
        /// Text inside a string whose quotes are in the surrounding bytes.
        case fragment(Placeholder)
    }

    package let parts: [Part]
    /// About how many bytes it makes.
    package let usualSize: Int

    package init(parts: [Part]) {
        self.parts = parts
        usualSize = parts.reduce(0) { size, part in
            if case .bytes(let bytes) = part { size + bytes.count } else { size + Self.usualValue }
        }
    }

    private static let usualValue = 32

    package var placeholders: [Placeholder] {
        parts.compactMap {
            switch $0 {
            case .bytes: nil
            case .value(let placeholder), .fragment(let placeholder): placeholder
            }
        }
    }
}

/// JSON with placeholders, kept as a tree, because what it makes is looked at again or may lack members.
///
/// A string that is exactly one placeholder becomes the placeholder's value with its JSON type; one that says
/// `?? omit` and has no value leaves its member or element out.
package indirect enum TreeTemplate: Sendable {
    case constant(JSONValue)
    case value(Placeholder, at: JSONPosition)
    case text(TextTemplate, at: JSONPosition)
    case array([TreeTemplate], at: JSONPosition)
    case object([Member], at: JSONPosition)

    /// A member whose value is made.
    package struct Member: Sendable {
        package var name: String
        package var namePosition: JSONPosition
        package var value: TreeTemplate
    }

    package var placeholders: [Placeholder] {
        switch self {
        case .constant: []
        case .value(let placeholder, _): [placeholder]
        case .text(let template, _): template.placeholders
        case .array(let elements, _): elements.flatMap(\.placeholders)
        case .object(let members, _): members.flatMap(\.value.placeholders)
        }
    }

    /// The pointers to the values that the placeholders are in, in the order of ``placeholders``.
    package func places(below pointer: JSONPointer = JSONPointer()) -> [JSONPointer] {
        switch self {
        case .constant: []
        case .value: [pointer]
        case .text(let template, _): template.placeholders.map { _ in pointer }
        case .array(let elements, _):
            elements.enumerated().flatMap { $0.element.places(below: pointer.appending($0.offset)) }
        case .object(let members, _): members.flatMap { $0.value.places(below: pointer.appending($0.name)) }
        }
    }
}

extension TreeTemplate {
    /// The same with everything that may be left out in its place.
    package var complete: ValueTemplate {
        var writing = Writing()
        write(to: &writing)
        writing.flush()
        return ValueTemplate(parts: writing.parts)
    }

    /// The bytes that were written since the last placeholder, and the parts before them.
    private struct Writing {
        var parts: [ValueTemplate.Part] = []
        var bytes: [UInt8] = []

        mutating func append(_ part: ValueTemplate.Part) {
            flush()
            parts.append(part)
        }

        mutating func flush() {
            guard !bytes.isEmpty else { return }
            parts.append(.bytes(bytes))
            bytes = []
        }
    }

    private func write(to writing: inout Writing) {
        switch self {
        case .constant(let value): JSONWriter().append(value, to: &writing.bytes)
        case .value(let placeholder, _): writing.append(.value(placeholder))
        case .text(let template, _):
            writing.bytes.append(UInt8(ascii: "\""))
            for part in template.parts {
                switch part {
                case .literal(let text): writing.bytes += JSONValue.string(text).utf8(.compact).dropFirst().dropLast()
                case .placeholder(let placeholder): writing.append(.fragment(placeholder))
                }
            }
            writing.bytes.append(UInt8(ascii: "\""))
        case .array(let elements, _):
            writing.bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { writing.bytes.append(UInt8(ascii: ",")) }
                element.write(to: &writing)
            }
            writing.bytes.append(UInt8(ascii: "]"))
        case .object(let members, _):
            writing.bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writing.bytes.append(UInt8(ascii: ",")) }
                JSONWriter.append(quoted: member.name, to: &writing.bytes)
                writing.bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &writing)
            }
            writing.bytes.append(UInt8(ascii: "}"))
        }
    }
}
