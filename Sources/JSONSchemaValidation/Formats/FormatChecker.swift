/// The formats of the JSON Schema specification (draft 2020-12, validation, section 7.3) and of OpenAPI.
package enum FormatChecker: Sendable {
    /// Whether a format of this name is known.
    package static func knows(_ name: String) -> Bool { false }

    /// Whether a text is of a format; `nil` when the format is not known.
    package static func accepts(_ text: String, as name: String) -> Bool? { nil }
}
