import JSON

/// A pattern of places in a body: segments, of which `*` stands for any member or element.
struct BodyPlace: Sendable {
    let segments: [String]

    /// Takes segments separated by slashes, with one at the beginning or without.
    init(_ text: String) {
        segments = text.utf8.split(separator: UInt8(ascii: "/")).map { part in
            JSONPointer("/" + String(decoding: part, as: UTF8.self))?.tokens.first
                ?? String(decoding: part, as: UTF8.self)
        }
    }

    /// Whether a place is this one or inside of it.
    func covers(_ pointer: JSONPointer) -> Bool {
        guard pointer.tokens.count >= segments.count else { return false }
        return zip(segments, pointer.tokens).allSatisfy { segment, token in
            segment.hasSameUTF8(as: "*") || segment.hasSameUTF8(as: token)
        }
    }

    /// Whether a place is this one.
    func matches(_ pointer: JSONPointer) -> Bool {
        pointer.tokens.count == segments.count && covers(pointer)
    }
}

extension JSONPointer {
    /// The place with a star for every element's number, which is the same for all elements.
    var general: JSONPointer {
        JSONPointer(tokens: tokens.map { JSONPointer.index($0) == nil ? $0 : "*" })
    }

    func isAround(_ other: JSONPointer) -> Bool {
        tokens.count <= other.tokens.count && zip(tokens, other.tokens).allSatisfy { $0.hasSameUTF8(as: $1) }
    }
}
