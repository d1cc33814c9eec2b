import HTTPCodec
import JSON
import OpenAPI

/// Writes bodies of requests: JSON, forms and texts.
enum RequestBodyText {
    private static let form = "application/x-www-form-urlencoded"

    static func canWrite(_ mediaType: String) -> Bool {
        guard let type = MediaType(parsing: mediaType) else { return false }
        return type.isJSON || type.essence == form || type.type == "text" && type.subtype != "*"
    }

    /// - Returns: `nil` when a value of this kind has no such form.
    static func bytes(of value: JSONValue, as content: MediaTypeContent) -> [UInt8]? {
        guard let type = MediaType(parsing: content.mediaType) else { return nil }
        if type.isJSON { return Array(value.description.utf8) }
        if type.essence == form {
            guard let object = value.object, !object.members.contains(where: { hasEmptyPart($0.value) }) else {
                return nil
            }
            return Array(pairs(of: object, as: content).utf8)
        }
        return Array(StyledWriting.text(value).utf8)
    }

    /// An empty array or object leaves nothing in a form, so that its reader would miss it.
    private static func hasEmptyPart(_ value: JSONValue) -> Bool {
        switch value.content {
        case .array(let elements): elements.isEmpty || elements.contains(where: hasEmptyPart)
        case .object(let object): object.isEmpty || object.members.contains { hasEmptyPart($0.value) }
        default: false
        }
    }

    private static func pairs(of object: JSONObject, as content: MediaTypeContent) -> String {
        object.members.flatMap { member in
            let encoding = content.encoding.first { $0.name.utf8.elementsEqual(member.name.utf8) }?.encoding
            let style = encoding?.style ?? .form
            // An object without a style is one text of JSON (OpenAPI 3.1, section 4.8.14.4).
            let isText = member.value.object != nil && encoding?.style == nil
            let value = isText ? JSONValue.string(member.value.description) : member.value
            return StyledWriting(name: member.name, style: style, explode: encoding?.explode ?? (style == .form))
                .pairs(value)
        }
        .joined(separator: "&")
    }
}
