/// How a value is laid out as text; both forms are the same for the same value, always.
package enum JSONStyle: Sendable, Hashable {
    /// One line without any white space.
    case compact
    /// A line for each member and element, indented by two spaces; no line break at the end.
    case pretty
}

extension JSONValue {
    package func text(_ style: JSONStyle = .compact) -> String {
        String(decoding: utf8(style), as: UTF8.self)
    }

    package func utf8(_ style: JSONStyle = .compact) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONWriter(style).append(self, to: &bytes)
        return bytes
    }
}
