import JSON

/// What an adapter says about one operation, and which of it was needed.
struct VariantCheckTerms {
    let root: JSONPointer
    private let drops: [(place: BodyPlace, text: String)]
    private let tolerances: [(place: BodyPlace, text: String)]
    private var needed: Set<Int> = []

    init(_ operation: ClientOperation<some Sendable>) {
        root = operation.root
        drops = operation.drops.map { (BodyPlace($0.place), $0.place) }
        tolerances = operation.tolerances.map { (BodyPlace($0.place), $0.place) }
    }

    /// Whether a place need not come back; then the drop is one that was needed.
    mutating func drops(_ place: JSONPointer) -> Bool {
        guard let index = drops.firstIndex(where: { $0.place.covers(place) }) else { return false }
        needed.insert(index)
        return true
    }

    /// Whether a required member may be missing.
    mutating func tolerates(_ place: JSONPointer) -> Bool {
        guard let index = tolerances.firstIndex(where: { $0.place.matches(place) }) else { return false }
        needed.insert(drops.count + index)
        return true
    }

    /// The drops and tolerances that nothing has needed, as the adapter writes them.
    var idle: (drops: [String], tolerances: [String]) {
        (
            drops.indices.filter { !needed.contains($0) }.map { drops[$0].text },
            tolerances.indices.filter { !needed.contains(drops.count + $0) }.map { tolerances[$0].text }
        )
    }
}

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
