import HTTPCodec
import JSON

/// How a value is written in a body of some media type.
enum BodyKind: Sendable, Hashable {
    case json
    /// JSON values, a line each.
    case jsonLines
    case text
    /// What cannot be made from a schema.
    case binary

    init(_ mediaType: String) {
        guard let type = MediaType(parsing: mediaType) else {
            self = .text
            return
        }
        let lines = ["application/x-ndjson", "application/jsonl", "application/x-jsonlines", "application/json-lines"]
        if type.isJSON {
            self = .json
        } else if lines.contains(type.essence) {
            self = .jsonLines
        } else if type.type == "text" || type.subtype.hasSuffix("xml") || type.subtype == "x-www-form-urlencoded"
            || type.subtype.hasSuffix("yaml") || type.subtype == "javascript"
        {
            self = .text
        } else {
            self = .binary
        }
    }

    func bytes(of value: JSONValue) -> [UInt8] {
        switch self {
        case .json: value.utf8(.compact)
        case .jsonLines: value.utf8(.compact) + [0x0A]
        case .text, .binary: value.string.map { Array($0.utf8) } ?? value.utf8(.compact)
        }
    }
}
