/// A mistake in a path template, with its place.
package struct PathTemplateError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        case empty
        case missingLeadingSlash
        case unclosedBrace
        case unexpectedClosingBrace
        case emptyName
        case malformedName(String)
        case repeatedName(String)
        case textBesideParameter
        case wildcardNotLast
        case queryOrFragment
        case malformedPercentEncoding
        case illegalCharacter(String)
    }

    package let reason: Reason

    /// In Unicode scalars from the start of the template, counted from zero.
    package let offset: Int

    init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    /// The finding and what was expected, without a full stop.
    package var sentence: String {
        switch reason {
        case .empty: "the path is empty; the root is \"/\""
        case .missingLeadingSlash: "the path does not start with \"/\""
        case .unclosedBrace: "\"{\" has no \"}\" in the same segment"
        case .unexpectedClosingBrace: "\"}\" has no \"{\" before it"
        case .emptyName: "\"{}\" has no name; write {id}"
        case .malformedName(let name):
            "\"\(name)\" is not a valid parameter name; use letters, digits, _ and -, and begin with a letter or _"
        case .repeatedName(let name): "the name \"\(name)\" is used twice in one path"
        case .textBesideParameter: "a parameter must be a whole segment; put \"/\" around {…}"
        case .wildcardNotLast: "\"*\" matches the rest of the path and must be the last segment"
        case .queryOrFragment: "a path must not contain \"?\" or \"#\"; use conditions for queries"
        case .malformedPercentEncoding: "\"%\" must be followed by two hexadecimal digits that encode UTF-8"
        case .illegalCharacter(let character): "the character \"\(character)\" must be percent-encoded"
        }
    }
}

extension PathTemplateError: CustomStringConvertible {
    package var description: String { sentence }
}
