package import JSON

/// JSON with placeholders, kept as a tree, because what it makes is looked at again or may lack members.
///
/// A string that is exactly one placeholder becomes the placeholder's value with its JSON type; one that says
/// `?? omit` and has no value leaves its member or element out.
package indirect enum TreeTemplate: Sendable {
    case constant(JSONValue)
    case value(Placeholder)
    case text(TextTemplate)
    case array([TreeTemplate])
    case object([Member])

    /// A member whose value is made.
    package struct Member: Sendable {
        package var name: String
        package var value: TreeTemplate

        package init(name: String, value: TreeTemplate) {
            self.name = name
            self.value = value
        }
    }

    package var placeholders: [Placeholder] {
        switch self {
        case .constant: []
        case .value(let placeholder): [placeholder]
        case .text(let template): template.placeholders
        case .array(let elements): elements.flatMap(\.placeholders)
        case .object(let members): members.flatMap(\.value.placeholders)
        }
    }
}

extension TreeTemplate {
    /// The same with everything that may be left out in its place.
    package var complete: ValueTemplate {
        var parts: [ValueTemplate.Part] = []
        append(to: &parts)
        return ValueTemplate(parts: parts)
    }

    private func append(to parts: inout [ValueTemplate.Part]) {
        switch self {
        case .constant(let value): parts.append(.bytes(value.utf8(.compact)))
        case .value(let placeholder): parts.append(.value(placeholder))
        case .text(let template):
            parts.append(.bytes([UInt8(ascii: "\"")]))
            for part in template.parts {
                switch part {
                case .literal(let text):
                    parts.append(.bytes(Array(JSONValue.string(text).utf8(.compact).dropFirst().dropLast())))
                case .placeholder(let placeholder): parts.append(.fragment(placeholder))
                }
            }
            parts.append(.bytes([UInt8(ascii: "\"")]))
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                parts.append(.bytes([UInt8(ascii: index == 0 ? "[" : ",")]))
                element.append(to: &parts)
            }
            parts.append(.bytes(Array((elements.isEmpty ? "[]" : "]").utf8)))
        case .object(let members):
            for (index, member) in members.enumerated() {
                let name = JSONValue.string(member.name).utf8(.compact)
                parts.append(.bytes([UInt8(ascii: index == 0 ? "{" : ",")] + name + [UInt8(ascii: ":")]))
                member.value.append(to: &parts)
            }
            parts.append(.bytes(Array((members.isEmpty ? "{}" : "}").utf8)))
        }
    }
}
