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
        /// Text inside a string whose quotes stand in the bytes around it.
        case fragment(Placeholder)
    }

    package var parts: [Part]

    package init(parts: [Part]) {
        self.parts = parts
    }

    package var placeholders: [Placeholder] {
        parts.compactMap {
            switch $0 {
            case .bytes: nil
            case .value(let placeholder), .fragment(let placeholder): placeholder
            }
        }
    }
}
