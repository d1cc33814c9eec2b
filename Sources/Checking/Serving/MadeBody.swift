import Basics
import HTTPCodec
import JSON
import JSONSchema
import OpenAPI

/// Writes generated bodies of requests, and forms in responses: JSON, forms, multipart forms, texts and bytes.
struct MadeBody {
    private static let form = "application/x-www-form-urlencoded"
    private static let multipart = "multipart/form-data"

    private let content: MediaTypeContent
    private let contract: Contract

    init(_ content: MediaTypeContent, in contract: Contract) {
        self.content = content
        self.contract = contract
    }

    static func canWrite(_ mediaType: String) -> Bool {
        guard let type = MediaType(parsing: mediaType), !type.isRange else { return false }
        return type.isJSON || [form, multipart, "application/octet-stream"].contains(type.essence)
            || type.type == "text"
    }

    /// - Returns: `nil` when a value of this kind has no such form.
    func bytes(of value: JSONValue) -> [UInt8]? {
        guard let type = MediaType(parsing: content.mediaType) else { return nil }
        if type.isJSON { return Array(value.description.utf8) }
        guard type.essence == Self.form || type.essence == Self.multipart else {
            return Array(StyledWriting.text(value).utf8)
        }
        guard let object = value.object, !object.members.contains(where: { Self.hasEmptyPart($0.value) }) else {
            return nil
        }
        return type.essence == Self.form ? Array(pairs(of: object).utf8) : parts(of: object)
    }

    /// An empty array or object leaves nothing in a form, so that its reader would miss it.
    private static func hasEmptyPart(_ value: JSONValue) -> Bool {
        switch value.content {
        case .array(let elements): elements.isEmpty || elements.contains(where: hasEmptyPart)
        case .object(let object): object.isEmpty || object.members.contains { hasEmptyPart($0.value) }
        default: false
        }
    }

    private func encoding(of name: String) -> Encoding? {
        content.encoding.first { $0.name.exact == name.exact }?.encoding
    }

    private func pairs(of object: JSONObject) -> String {
        object.members.flatMap { member in
            let encoding = encoding(of: member.name)
            let style = encoding?.style ?? .form
            // An object without a style is one text of JSON (OpenAPI 3.1, section 4.8.14.4).
            let isText = member.value.object != nil && encoding?.style == nil
            let value = isText ? JSONValue.string(member.value.description) : member.value
            return StyledWriting(name: member.name, style: style, explode: encoding?.explode ?? (style == .form))
                .pairs(value)
        }
        .joined(separator: "&")
    }

    /// A part for each member, and for each element of an array (OpenAPI 3.1, section 4.8.14.5).
    private func parts(of object: JSONObject) -> [UInt8]? {
        var bytes: [UInt8] = []
        for member in object.members {
            for value in member.value.array ?? [member.value] {
                let text = StyledWriting.text(value)
                guard !text.utf8.contains("--\(BodyKind.boundary)".utf8) else { return nil }
                bytes += "--\(BodyKind.boundary)\r\n\(head(of: member.name, value))\r\n\(text)\r\n".utf8
            }
        }
        bytes += "--\(BodyKind.boundary)--\r\n".utf8
        return bytes
    }

    private func head(of name: String, _ value: JSONValue) -> String {
        let isFile = value.string != nil && isFile(name)
        let documented = encoding(of: name)?.contentType?.utf8.split(separator: UInt8(ascii: ",")).first
            .flatMap { MediaType(parsing: String(Substring($0))) }
        var head = "Content-Disposition: form-data; name=\"\(Self.quoted(name))\""
        if isFile { head += "; filename=\"file\"" }
        head += "\r\n"
        if let documented, !documented.isRange {
            head += "Content-Type: \(documented.essence)\r\n"
        } else if isFile {
            head += "Content-Type: application/octet-stream\r\n"
        } else if value.object != nil || value.array != nil {
            head += "Content-Type: application/json\r\n"
        }
        return head
    }

    /// As browsers escape names (WHATWG HTML, section 4.10.21.8).
    private static func quoted(_ name: String) -> String {
        name.replacingScalars { ["\"": "%22", "\r": "%0D", "\n": "%0A"][$0] }
    }

    /// Returns whether a property, or each element of it, is a file: its format is `binary`, or it has a media type.
    private func isFile(_ name: String) -> Bool {
        let program = contract.schemas.program
        guard let root = content.schema.flatMap({ contract.schemas.id(of: $0) }) else { return false }
        let own = program.parts(of: root).compactMap { $0.objects.schema(named: name) }.flatMap { alternatives(of: $0) }
        return own.contains { facts in
            let elements = facts.arrays.rest.map { alternatives(of: $0) } ?? []
            return (elements + [facts]).contains {
                $0.annotations.format == "binary" || !$0.annotations.content.isEmpty
            }
        }
    }

    /// The schemas that always apply to a value, and those that may: a property that may be null is a choice.
    private func alternatives(of id: SchemaID) -> [SchemaFacts] {
        let program = contract.schemas.program
        let parts = program.parts(of: id)
        return parts + parts.flatMap { $0.choices.anyOf + $0.choices.oneOf }.flatMap { program.parts(of: $0) }
    }
}

extension String {
    fileprivate func replacingScalars(_ form: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.map { form($0) ?? String($0) }.joined()
    }
}
