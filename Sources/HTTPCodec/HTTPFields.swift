/// Header or trailer fields: ordered, repeats kept, bytes kept; one byte buffer and ranges into it.
///
/// Fields that were built here lie in the buffer just as they go out, so writing them is one copy. Fields that were
/// parsed share the bytes of their head. Names and values are checked when they come in, so no CR, LF or NUL can ever
/// go out. Equality ignores the case of names (RFC 9110, section 5.1), nothing else.
package struct HTTPFields: Sendable {
    package struct Entry: Sendable {
        var nameStart: Int32
        var nameEnd: Int32
        var valueStart: Int32
        var valueEnd: Int32
        var known: KnownFields
    }

    private(set) var bytes: [UInt8]
    private(set) var entries: [Entry]

    /// Whether `bytes` is exactly `name: value CRLF` for each entry in turn.
    private(set) var isWireForm: Bool

    /// All known names that occur, so that the absence of one is seen without a search.
    private(set) var known: KnownFields

    package init() {
        bytes = []
        entries = []
        isWireForm = true
        known = []
    }

    /// Takes over a parsed head.
    ///
    /// The ranges must lie within the bytes and be checked already.
    init(parsed bytes: [UInt8], entries: [Entry], known: KnownFields) {
        self.bytes = bytes
        self.entries = entries
        self.known = known
        isWireForm = false
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    /// The bytes that these fields take on the wire, line ends included and the empty line excluded.
    package var wireSize: Int {
        if isWireForm { return bytes.count }
        return entries.reduce(0) { $0 + $1.lineSize }
    }

    /// Adds a field at the end.
    ///
    /// Its name must be a token; control characters in the value become spaces.
    ///
    /// - Returns: Whether it was added: false when the name could not stand on the wire.
    @discardableResult
    package mutating func append(_ name: String, _ value: String) -> Bool {
        guard Self.isName(name) else { return false }
        if !isWireForm { self = rebuilt { _ in true } }
        guard bytes.count + name.utf8.count + value.utf8.count < Int(Int32.max) - 4 else { return false }
        let nameStart = bytes.count
        bytes.append(contentsOf: name.utf8)
        let nameEnd = bytes.count
        bytes.append(0x3A)
        bytes.append(0x20)
        let valueStart = bytes.count
        for byte in value.utf8 where bytes.count > valueStart || !ByteClass.isSpaceOrTab(byte) {
            bytes.append(ByteClass.isFieldContent(byte) ? byte : 0x20)
        }
        while bytes.count > valueStart, ByteClass.isSpaceOrTab(bytes[bytes.count - 1]) { bytes.removeLast() }
        finishEntry(nameStart: nameStart, nameEnd: nameEnd, valueStart: valueStart)
        return true
    }

    /// Replaces all fields of that name by one, at the place of the first.
    package mutating func set(_ name: String, _ value: String) {
        guard let first = firstIndex(of: name) else {
            append(name, value)
            return
        }
        var result = HTTPFields()
        for (index, entry) in entries.enumerated() {
            if index == first {
                result.append(name, value)
            } else if !matches(entry, name) {
                result.copy(entry, from: self)
            }
        }
        self = result
    }

    package mutating func remove(_ name: String) {
        guard firstIndex(of: name) != nil else { return }
        self = rebuilt { !matches($0, name) }
    }

    /// The fields whose names are kept by the predicate, in their order.
    package func filter(_ isKept: (_ name: String) -> Bool) -> HTTPFields {
        rebuilt { isKept(name(of: $0)) }
    }

    private func rebuilt(keeping isKept: (Entry) -> Bool) -> HTTPFields {
        var result = HTTPFields()
        result.bytes.reserveCapacity(bytes.count)
        result.entries.reserveCapacity(entries.count + 1)
        for entry in entries where isKept(entry) { result.copy(entry, from: self) }
        return result
    }

    private mutating func copy(_ entry: Entry, from other: HTTPFields) {
        let nameStart = bytes.count
        bytes.append(contentsOf: other.bytes[entry.name])
        let nameEnd = bytes.count
        bytes.append(0x3A)
        bytes.append(0x20)
        let valueStart = bytes.count
        bytes.append(contentsOf: other.bytes[entry.value])
        finishEntry(nameStart: nameStart, nameEnd: nameEnd, valueStart: valueStart)
    }

    private mutating func finishEntry(nameStart: Int, nameEnd: Int, valueStart: Int) {
        let kind = bytes.withUnsafeBufferPointer { KnownFields(name: $0, from: nameStart, to: nameEnd) }
        entries.append(
            Entry(
                nameStart: Int32(truncatingIfNeeded: nameStart),
                nameEnd: Int32(truncatingIfNeeded: nameEnd),
                valueStart: Int32(truncatingIfNeeded: valueStart),
                valueEnd: Int32(truncatingIfNeeded: bytes.count),
                known: kind
            )
        )
        known.formUnion(kind)
        bytes.append(0x0D)
        bytes.append(0x0A)
    }
}

extension HTTPFields.Entry {
    var name: Range<Int> { Int(nameStart)..<Int(nameEnd) }
    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    var lineSize: Int { name.count + value.count + 4 }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }
}
