import Basics

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

    /// A Boolean value that indicates whether `bytes` is exactly `name: value CRLF` for each entry in turn.
    private(set) var isWireForm: Bool

    /// All known names that occur, so that the absence of one is seen without a search.
    private(set) var known: KnownFields

    package init() {
        bytes = []
        entries = []
        isWireForm = true
        known = []
    }

    /// Creates the fields of a parsed head.
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
    /// - Returns: Whether it was added: false if the name is not valid.
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

    /// The fields with other values, in their order; those whose new value is `nil` are left out.
    ///
    /// A field whose value stays the same keeps its bytes, also those that are not UTF-8.
    package func compactMapValues(_ transform: (_ name: String, _ value: String) -> String?) -> HTTPFields {
        entries.reduce(into: HTTPFields()) { result, entry in
            let (name, value) = (name(of: entry), value(of: entry))
            guard let new = transform(name, value) else { return }
            if new.exact == value.exact { result.copy(entry, from: self) } else { result.append(name, new) }
        }
    }

    /// The fields with other values, in their order.
    package func mapValues(_ transform: (_ value: String) -> String) -> HTTPFields {
        compactMapValues { transform($1) }
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

extension HTTPFields {
    /// The first value of that name, or, when set, the only one.
    package subscript(name: String) -> String? {
        get { firstIndex(of: name).map { value(of: entries[$0]) } }
        set {
            if let newValue { set(name, newValue) } else { remove(name) }
        }
    }

    package func contains(_ name: String) -> Bool {
        firstIndex(of: name) != nil
    }

    /// All values of that name, in their order.
    package func values(of name: String) -> [String] {
        guard let first = firstIndex(of: name) else { return [] }
        return entries[first...].compactMap { matches($0, name) ? value(of: $0) : nil }
    }

    /// All values of that name joined as one list, which is what repeats mean (RFC 9110, section 5.3).
    package func joinedValue(of name: String) -> String? {
        let all = values(of: name)
        return all.isEmpty ? nil : all.joined(separator: ", ")
    }

    /// The elements of the list of that name, without the empty ones (RFC 9110, section 5.6.1).
    package func elements(of name: String) -> [String] {
        values(of: name).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
            .map { String(Substring($0.trimming(while: ByteClass.isSpaceOrTab))) }.filter { !$0.isEmpty }
    }

    /// The bytes of the first value, for values that are not valid UTF-8.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        firstIndex(of: name).map { bytes[entries[$0].value] }
    }

    /// Returns whether the list in that field has the token, in either case, as in `Connection: keep-alive, Upgrade`.
    package func contains(_ name: String, token: String) -> Bool {
        var token = token
        return entries.contains { entry in
            matches(entry, name) && token.withUTF8 { listHasToken(bytes[entry.value], $0) }
        }
    }

    /// Returns the number of fields that have that name.
    package func count(of name: String) -> Int {
        entries.count { matches($0, name) }
    }

    /// Returns whether the name is valid: a token of RFC 9110, section 5.6.2.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ByteClass.isToken)
    }

    /// Returns whether the value is valid unchanged, without a replaced or trimmed character.
    package static func isValue(_ value: String) -> Bool {
        guard let first = value.utf8.first, let last = value.utf8.last else { return true }
        return !ByteClass.isSpaceOrTab(first) && !ByteClass.isSpaceOrTab(last)
            && value.utf8.allSatisfy(ByteClass.isFieldContent)
    }

    func firstIndex(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { bytes in
                entries.firstIndex { Self.equalIgnoringCase(bytes, $0.name, wanted) }
            }
        }
    }

    func matches(_ entry: Entry, _ name: String) -> Bool {
        var name = name
        return name.withUTF8 { wanted in
            bytes.withUnsafeBufferPointer { Self.equalIgnoringCase($0, entry.name, wanted) }
        }
    }

    func name(of entry: Entry) -> String {
        String(decoding: bytes[entry.name], as: UTF8.self)
    }

    /// UTF-8 where the bytes are valid UTF-8, else each byte as the scalar of its number, so that nothing is lost.
    func value(of entry: Entry) -> String {
        Self.text(bytes[entry.value])
    }

    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validUTF8: bytes) { return text }
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    static func equalIgnoringCase(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ range: Range<Int>,
        _ wanted: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard range.count == wanted.count else { return false }
        for offset in 0..<wanted.count
        where ByteClass.lowercased(bytes[range.lowerBound + offset]) != ByteClass.lowercased(wanted[offset]) {
            return false
        }
        return true
    }

    private func listHasToken(_ list: ArraySlice<UInt8>, _ token: UnsafeBufferPointer<UInt8>) -> Bool {
        list.withUnsafeBufferPointer { list in
            var start = 0
            while start < list.count {
                var end = start
                while end < list.count, list[end] != 0x2C { end += 1 }
                let next = end + 1
                while start < end, ByteClass.isSpaceOrTab(list[start]) { start += 1 }
                while end > start, ByteClass.isSpaceOrTab(list[end - 1]) { end -= 1 }
                if Self.equalIgnoringCase(list, start..<end, token) { return true }
                start = next
            }
            return false
        }
    }

    /// A Boolean value that indicates whether the sender asks to close the connection; looks at values only when there
    /// is such a field.
    var asksToClose: Bool {
        known.contains(.connection) && connectionHas("close")
    }

    /// As `contains(_:token:)`, with the name recognised already.
    private func connectionHas(_ token: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        return entries.contains { $0.known == .connection && listHasToken(bytes[$0.value], wanted) }
    }

    /// RFC 9112, section 9.3: 1.1 stays open unless closed, 1.0 closes unless asked to stay open.
    static func keepsAlive(_ fields: HTTPFields, version: HTTPVersion) -> Bool {
        guard fields.known.contains(.connection) else { return version == .http11 }
        if fields.asksToClose { return false }
        return version == .http11 || fields.connectionHas("keep-alive")
    }
}

extension HTTPFields: Sequence {
    package struct Iterator: IteratorProtocol {
        fileprivate let fields: HTTPFields
        fileprivate var index = 0

        package mutating func next() -> (name: String, value: String)? {
            guard index < fields.entries.count else { return nil }
            defer { index += 1 }
            let entry = fields.entries[index]
            return (fields.name(of: entry), fields.value(of: entry))
        }
    }

    package func makeIterator() -> Iterator { Iterator(fields: self) }

    package var underestimatedCount: Int { count }
}

extension HTTPFields: Hashable {
    package static func == (left: HTTPFields, right: HTTPFields) -> Bool {
        guard left.entries.count == right.entries.count else { return false }
        if left.isWireForm, right.isWireForm, left.bytes == right.bytes { return true }
        return zip(left.entries, right.entries).allSatisfy { one, other in
            one.name.count == other.name.count
                && zip(left.bytes[one.name], right.bytes[other.name])
                    .allSatisfy { ByteClass.lowercased($0) == ByteClass.lowercased($1) }
                && left.bytes[one.value].elementsEqual(right.bytes[other.value])
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entries.count)
        for entry in entries {
            for byte in bytes[entry.name] { hasher.combine(ByteClass.lowercased(byte)) }
            hasher.combine(0x3A as UInt8)
            for byte in bytes[entry.value] { hasher.combine(byte) }
            hasher.combine(0x0A as UInt8)
        }
    }
}

extension HTTPFields: CustomStringConvertible {
    package var description: String {
        map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }
}

/// The field names that the protocol itself acts on, recognised once when a field comes in.
struct KnownFields: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let host = KnownFields(rawValue: 1 << 0)
    static let connection = KnownFields(rawValue: 1 << 1)
    static let contentLength = KnownFields(rawValue: 1 << 2)
    static let transferEncoding = KnownFields(rawValue: 1 << 3)
    static let expect = KnownFields(rawValue: 1 << 4)
    static let date = KnownFields(rawValue: 1 << 5)

    /// The fields that a response writer sets, so the author's are dropped.
    static let framing: KnownFields = [.connection, .contentLength, .transferEncoding]

    /// The set of the one name in that range, or the empty set.
    ///
    /// The name must be a token already.
    @inline(__always)
    init(name bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
        let candidate: (KnownFields, StaticString)
        switch end - start {
        case 4: candidate = bytes[start] | 0x20 == 0x68 ? (.host, "host") : (.date, "date")
        case 6: candidate = (.expect, "expect")
        case 10: candidate = (.connection, "connection")
        case 14: candidate = (.contentLength, "content-length")
        case 17: candidate = (.transferEncoding, "transfer-encoding")
        default:
            self = []
            return
        }
        for offset in 0..<end - start where bytes[start + offset] | 0x20 != candidate.1.utf8Start[offset] {
            self = []
            return
        }
        self = candidate.0
    }

    init(rawValue: UInt8) { self.rawValue = rawValue }
}
