import Basics

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

    /// The bytes of the first value, for values that are no UTF-8.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        firstIndex(of: name).map { bytes[entries[$0].value] }
    }

    /// Whether the list in that field has the token, in either case, as in `Connection: keep-alive, Upgrade`.
    package func contains(_ name: String, token: String) -> Bool {
        var token = token
        return entries.contains { entry in
            matches(entry, name) && token.withUTF8 { listHasToken(bytes[entry.value], $0) }
        }
    }

    /// How many fields have that name.
    package func count(of name: String) -> Int {
        entries.count { matches($0, name) }
    }

    /// Whether the name can stand on the wire: a token of RFC 9110, section 5.6.2.
    package static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy(ByteClass.isToken)
    }

    /// Whether the value can stand on the wire as it is, without a character being replaced or trimmed.
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

    /// Whether the sender wants the connection closed; looks at values only when there is such a field.
    var asksToClose: Bool {
        known.contains(.connection) && connectionHas("close")
    }

    /// As `contains(_:token:)`, with the name recognised already.
    private func connectionHas(_ token: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
        return entries.contains { $0.known == .connection && listHasToken(bytes[$0.value], wanted) }
    }

    /// RFC 9112, section 9.3: 1.1 lives on unless closed, 1.0 closes unless asked to live on.
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
