import Basics
import ECMAPatterns

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

    /// Whether a text is of this format.
    package func accepts(_ text: String) -> Bool {
        switch self {
        case .dateTime: CalendarFormats.isDateTime(text)
        case .date: CalendarFormats.isDate(text)
        case .time: CalendarFormats.isTime(text)
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
        case .jsonPointer: PointerFormats.isPointer(text)
        case .relativeJSONPointer: PointerFormats.isRelativePointer(text)
        case .regex: Self.isPattern(text)
        case .byte: CodedFormats.isBase64(text)
        case .base64url: CodedFormats.isBase64URL(text)
        case .binary, .password: true
        case .char: text.count == 1
        case .httpDate: HTTPDate.parse(text) != nil
        }
    }

    private static func isPattern(_ text: String) -> Bool {
        do {
            _ = try ECMAPattern(text)
            return true
        } catch {
            return false
        }
    }
}
