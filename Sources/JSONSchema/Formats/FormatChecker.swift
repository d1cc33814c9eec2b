/// The formats of the JSON Schema specification (draft 2020-12, validation, section 7.3) and of OpenAPI.
package enum FormatChecker: Sendable {
    /// Whether a format of this name is known.
    package static func knows(_ name: String) -> Bool { StringFormat(rawValue: name) != nil }

    /// Whether a text is of a format; `nil` when the format is not known.
    ///
    /// - Complexity: O(*n*) for *n* bytes of text, but for `regex`, whose cost is that of compiling an expression.
    package static func accepts(_ text: String, as name: String) -> Bool? {
        StringFormat(rawValue: name)?.accepts(text)
    }
}
