import Basics
import ECMAPatterns
package import JSON

/// A format of strings, by the name that schemas use.
///
/// Formats of numbers, such as OpenAPI's `int32`, are not among them.
package enum StringFormat: String, Sendable, Hashable, CaseIterable {
    case dateTime = "date-time"
    case date
    case time
    case duration
    case email
    case idnEmail = "idn-email"
    case hostname
    case idnHostname = "idn-hostname"
    case ipv4
    case ipv6
    case uri
    case uriReference = "uri-reference"
    case iri
    case iriReference = "iri-reference"
    case uriTemplate = "uri-template"
    case uuid
    case jsonPointer = "json-pointer"
    case relativeJSONPointer = "relative-json-pointer"
    case regex
    /// Base64 with padding (OpenAPI 3.0; RFC 4648, section 4).
    case byte
    /// Base64 with the alphabet for URLs, padding perhaps (RFC 4648, section 5).
    case base64url
    /// Any bytes (OpenAPI 3.0), so every text will do.
    case binary
    /// Says that forms should hide the text (OpenAPI), so every text will do.
    case password
    /// One character (OpenAPI's format registry).
    case char
    /// A date as HTTP fields have it (OpenAPI's format registry).
    case httpDate = "http-date"

    /// Returns whether a text is of this format.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: RFC3339.parse(text) != nil
        case .date: RFC3339.parse("\(text)T00:00:00Z") != nil
        // The offset is required, and a leap second is only at the end of a day in UTC.
        case .time: RFC3339.parse("1970-01-02T\(text)") != nil
        case .duration: DurationFormat.accepts(text)
        case .email: MailboxFormat.accepts(text, isInternational: false)
        case .idnEmail: MailboxFormat.accepts(text, isInternational: true)
        case .hostname: HostNameFormat.accepts(text)
        case .idnHostname: HostNameFormat.acceptsInternational(text)
        case .ipv4: InternetAddress.isV4(Array(text.utf8)[...])
        case .ipv6: InternetAddress.isV6(Array(text.utf8)[...])
        case .uri: ResourceIdentifier(isInternational: false).accepts(text, isReference: false)
        case .uriReference: ResourceIdentifier(isInternational: false).accepts(text, isReference: true)
        case .iri: ResourceIdentifier(isInternational: true).accepts(text, isReference: false)
        case .iriReference: ResourceIdentifier(isInternational: true).accepts(text, isReference: true)
        case .uriTemplate: URITemplateFormat.accepts(text)
        case .uuid: CodedFormats.isUUID(text)
        case .jsonPointer: JSONPointer(text) != nil
        case .relativeJSONPointer: PointerFormats.isRelativePointer(text)
        case .regex: (try? ECMAPattern(text)) != nil
        case .byte: CodedFormats.isBase64(text)
        case .base64url: CodedFormats.isBase64URL(text)
        case .binary, .password: true
        case .char: text.count == 1
        case .httpDate: HTTPDate.parse(text) != nil
        }
    }
}

/// The formats of the JSON Schema specification (draft 2020-12, validation, section 7.3) and of OpenAPI.
package enum FormatChecker: Sendable {
    /// Returns whether a format of this name is known.
    package static func knows(_ name: String) -> Bool { StringFormat(rawValue: name) != nil }

    /// The kinds of values that a format of JSON Schema or OpenAPI is about; `nil` when the format is not known.
    package static func kinds(of name: String) -> ValueKinds? {
        if knows(name) { return .string }
        return IntegerFormat(rawValue: name) != nil || name == "float" || name == "double" ? .number : nil
    }

    /// Returns whether every value of one format is also of another, wider one.
    package static func isWider(_ format: String, than other: String) -> Bool {
        switch other {
        case "int32": ["int64", "float", "double"].contains(format)
        case "int64": ["float", "double"].contains(format)
        case "float": format == "double"
        case "email": format == "idn-email"
        case "hostname": format == "idn-hostname"
        case "uri": ["iri", "uri-reference", "iri-reference"].contains(format)
        case "iri", "uri-reference": format == "iri-reference"
        default: false
        }
    }

    /// Returns whether a text is of a format; `nil` when the format is not known.
    ///
    /// - Complexity: O(*n*) for *n* bytes of text, but for `regex`, whose cost is that of compiling an expression.
    package static func accepts(_ text: String, as name: String) -> Bool? {
        StringFormat(rawValue: name)?.accepts(text)
    }
}

/// Classes of ASCII bytes that several formats share.
enum FormatByte {
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }

    /// `unreserved`, RFC 3986, section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || byte == 0x2D || byte == 0x2E || byte == 0x5F || byte == 0x7E
    }

    /// `sub-delims`, RFC 3986, section 2.2: `!$&'()*+,;=`.
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }

    /// Returns whether a percent sign at an index begins an encoded byte.
    static func isPercentEncoding(in bytes: ArraySlice<UInt8>, at index: Int) -> Bool {
        bytes.endIndex - index >= 3 && bytes[index] == 0x25 && isHexDigit(bytes[index + 1])
            && isHexDigit(bytes[index + 2])
    }
}

/// Characters beyond ASCII in identifiers (RFC 3987, section 2.2).
enum FormatScalar {
    /// The scalar that the bytes begin with.
    static func first(in bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars.first
    }

    /// `ucschar`: what is neither private nor permanently unassigned.
    static func isUniversal(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE_0000...0xE_0FFF: false
        // The last two of every plane are not characters.
        case 0x1_0000...0xE_FFFD: scalar.value & 0xFFFF < 0xFFFE
        default: false
        }
    }

    /// `iprivate`, which only a query may hold.
    static func isPrivateUse(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xE000...0xF8FF, 0xF_0000...0xF_FFFD, 0x10_0000...0x10_FFFD: true
        default: false
        }
    }
}
