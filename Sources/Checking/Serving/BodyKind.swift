import HTTPCodec
import JSON
import OpenAPI

/// The writing of a value in a body of some media type.
enum BodyKind: Sendable, Hashable {
    case json
    case sequence(SequenceForm)
    /// A form with a part for each property, or parts in a row.
    case multipart(isForm: Bool)
    case form
    /// Rows of comma-separated values (RFC 4180).
    case table
    case text
    /// An encoding of values, by its name, in which none are made: only examples that are text can be sent, which can
    /// only be of an encoding as text.
    case encoded(String, isText: Bool)
    /// The media types whose bodies cannot be made from a schema.
    case binary

    init(_ mediaType: String) {
        guard let type = MediaType(parsing: mediaType) else {
            self = .text
            return
        }
        if type.isJSON {
            self = .json
        } else if let form = SequenceForm(type) {
            self = .sequence(form)
        } else if type.type == "multipart" {
            self = .multipart(isForm: type.subtype == "form-data")
        } else if type.isForm {
            self = .form
        } else if type.essence == "text/csv" {
            self = .table
        } else if type.subtype == "xml" || type.subtype.hasSuffix("+xml") {
            self = .encoded("XML", isText: true)
        } else if let name = Self.binaryEncodings[type.subtype.split(separator: "+").last.map(String.init) ?? ""] {
            self = .encoded(name, isText: false)
        } else if type.type == "text" || type.subtype.hasSuffix("yaml") || type.subtype == "javascript" {
            self = .text
        } else {
            self = .binary
        }
    }

    /// The names of encodings by subtypes and their suffixes (RFC 6839, RFC 8949).
    private static let binaryEncodings = [
        "bson": "BSON", "cbor": "CBOR", "cbor-seq": "CBOR", "grpc": "Protocol Buffers", "msgpack": "MessagePack",
        "protobuf": "Protocol Buffers", "vnd.google.protobuf": "Protocol Buffers", "vnd.msgpack": "MessagePack",
        "x-msgpack": "MessagePack", "x-protobuf": "Protocol Buffers",
    ]

    /// The boundary of every multipart body.
    static let boundary = "backlot-part"

    /// The value of Content-Type for a body of a media type.
    func contentType(_ mediaType: String) -> String {
        guard case .multipart = self, MediaType(parsing: mediaType)?.parameter("boundary") == nil else {
            return mediaType
        }
        return "\(mediaType); boundary=\(Self.boundary)"
    }

    /// The body; `nil` for a value that cannot be written in it.
    func bytes(of value: JSONValue, as content: MediaTypeContent, in contract: Contract) -> [UInt8]? {
        switch self {
        case .json: return value.utf8(.compact)
        case .encoded: return value.string.map { Array($0.utf8) }
        case .sequence(let form):
            // A text is a whole stream already, as an example may have it.
            if let text = value.string, form == .events { return Array(text.utf8) }
            return bytes(ofItems: value.array ?? [value])
        case .multipart(isForm: false):
            return value.string.map { Array($0.utf8) } ?? bytes(ofItems: value.array ?? [value])
        case .form, .multipart(isForm: true):
            return value.string.map { Array($0.utf8) } ?? MadeBody(content, in: contract).bytes(of: value)
        case .table: return Array(Self.table(of: value).utf8)
        case .text, .binary: return value.string.map { Array($0.utf8) } ?? value.utf8(.compact)
        }
    }

    /// The body of a sequence; `nil` for other media types.
    func bytes(ofItems items: [JSONValue]) -> [UInt8]? {
        switch self {
        case .sequence(let form): Array(items.map(form.text).joined().utf8)
        case .multipart(isForm: false): parts(items)
        default: nil
        }
    }

    /// Parts of JSON, and of plain text for strings (RFC 2046, section 5.1).
    private func parts(_ values: [JSONValue]) -> [UInt8]? {
        var body = ""
        for value in values {
            let text = value.string ?? value.text(.compact)
            guard !text.utf8.contains("--\(Self.boundary)".utf8) else { return nil }
            let type = value.string == nil ? "application/json" : "text/plain"
            body += "--\(Self.boundary)\r\nContent-Type: \(type)\r\n\r\n\(text)\r\n"
        }
        return Array("\(body)--\(Self.boundary)--\r\n".utf8)
    }

    /// A header with the names of all objects' properties and a row for each; a text is a table already.
    private static func table(of value: JSONValue) -> String {
        if let text = value.string { return text }
        let rows = value.array ?? [value]
        var names: [String] = []
        for name in rows.flatMap({ $0.object?.members.map(\.name) ?? [] }) where !names.contains(name) {
            names.append(name)
        }
        var lines = names.isEmpty ? [] : [names.map(cell)]
        for row in rows {
            if let object = row.object {
                lines.append(names.map { object[$0].map(cell) ?? "" })
            } else {
                lines.append((row.array ?? [row]).map(cell))
            }
        }
        return lines.map { $0.joined(separator: ",") + "\r\n" }.joined()
    }

    private static func cell(_ value: JSONValue) -> String {
        value.isNull ? "" : cell(value.string ?? value.text(.compact))
    }

    private static func cell(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0D || $0 == 0x0A }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
