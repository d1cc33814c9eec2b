import Basics

/// Finds the lines of a message head or a trailer section and checks field lines, in input of any pieces.
///
/// Nothing is consumed before the section is complete, so offsets count from the first waiting byte. A line is looked
/// at only when it is whole, and its length is judged before its content: so the outcome cannot depend on how the
/// bytes were cut into reads.
struct HeadReader: Sendable {
    /// Ranges are 32 bits wide, so a section stays below that with any limits.
    private static let largest = 1 << 30

    /// The place where the current line starts.
    private(set) var lineStart = 0

    /// The offset up to which a line feed was searched.
    private var scanned = 0

    /// The place where the first field line starts.
    private var sectionStart = 0

    /// The number of the current line, counted from one.
    private(set) var line = 1

    private var entries: [HTTPFields.Entry] = []
    private var known: KnownFields = []

    /// A Boolean value that indicates whether white space before a colon is removed, as a proxy has to in responses
    /// (RFC 9112, section 5.1).
    private var trimsNames = false

    /// Known names that came more than once.
    private(set) var repeated: KnownFields = []

    /// The offset of the next line feed, or `nil` when it has not come.
    mutating func lineEnd(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        if let end = LineFeed.firstIndex(in: bytes, from: scanned) { return end }
        scanned = bytes.count
        return nil
    }

    mutating func nextLine(after lineFeed: Int) {
        lineStart = lineFeed + 1
        scanned = lineStart
        line += 1
    }

    /// From here on, field lines.
    mutating func beginFields(ofResponse isResponse: Bool = false) {
        trimsNames = isResponse
        sectionStart = lineStart
        entries.reserveCapacity(12)
    }

    /// Reads the fields of a message, or of its trailer section, once all of them have come, and consumes them.
    mutating func takeFields(
        from input: inout InputBuffer,
        limits: HTTPLimits,
        areTrailers: Bool = false
    ) throws(HTTPFault) -> HTTPFields? {
        let size = areTrailers ? limits.trailerSection : limits.fieldSection
        let result = try input.withBytes { bytes throws(HTTPFault) in
            try readFields(
                bytes,
                maximumSize: size,
                maximumCount: limits.fieldCount,
                tooLarge: areTrailers ? .trailerSectionTooLarge(limit: size) : .fieldSectionTooLarge(limit: size)
            )
        }
        guard let result else { return nil }
        input.consume(result.end)
        return result.fields
    }

    /// Reads field lines up to and with the empty one.
    ///
    /// - Returns: The fields and the offset behind them, or `nil` when the section has not wholly come.
    mutating func readFields(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumSize: Int,
        maximumCount: Int,
        tooLarge: HTTPFault
    ) throws(HTTPFault) -> (fields: HTTPFields, end: Int)? {
        while true {
            let lineFeed = lineEnd(in: bytes)
            guard (lineFeed ?? bytes.count) - sectionStart <= min(maximumSize, Self.largest) else { throw tooLarge }
            guard let lineFeed else { return nil }
            guard lineFeed > lineStart, bytes[lineFeed - 1] == 0x0D else { throw .bareLineFeed }
            if lineFeed == lineStart + 1 { return (takeFields(bytes, end: lineFeed + 1), lineFeed + 1) }
            let entry = try fieldLine(bytes, from: lineStart, to: lineFeed - 1)
            guard entries.count < maximumCount else { throw .tooManyFields(limit: maximumCount) }
            repeated.formUnion(known.intersection(entry.known))
            known.formUnion(entry.known)
            entries.append(entry)
            nextLine(after: lineFeed)
        }
    }

    private mutating func takeFields(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) -> HTTPFields {
        guard !entries.isEmpty else { return HTTPFields() }
        let copy = Array(UnsafeBufferPointer(rebasing: bytes[sectionStart..<end]))
        return HTTPFields(parsed: copy, entries: entries, known: known)
    }

    /// `field-name ":" OWS field-value OWS`, RFC 9112, section 5.
    private func fieldLine(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int
    ) throws(HTTPFault) -> HTTPFields.Entry {
        var colon = start
        while colon < end, ByteClass.isToken(bytes[colon]) { colon += 1 }
        let nameEnd = colon
        if trimsNames { while colon < end, ByteClass.isSpaceOrTab(bytes[colon]) { colon += 1 } }
        guard colon < end, nameEnd > start, bytes[colon] == 0x3A else {
            throw Self.faultOfName(bytes, start, colon, end)
        }
        var valueStart = colon + 1
        while valueStart < end, ByteClass.isSpaceOrTab(bytes[valueStart]) { valueStart += 1 }
        var valueEnd = end
        while valueEnd > valueStart, ByteClass.isSpaceOrTab(bytes[valueEnd - 1]) { valueEnd -= 1 }
        for offset in valueStart..<valueEnd where !ByteClass.isFieldContent(bytes[offset]) {
            throw bytes[offset] == 0x0D ? .bareCarriageReturn : .controlCharacterInValue
        }
        return HTTPFields.Entry(
            nameStart: Int32(truncatingIfNeeded: start - sectionStart),
            nameEnd: Int32(truncatingIfNeeded: nameEnd - sectionStart),
            valueStart: Int32(truncatingIfNeeded: valueStart - sectionStart),
            valueEnd: Int32(truncatingIfNeeded: valueEnd - sectionStart),
            known: KnownFields(name: bytes, from: start, to: nameEnd)
        )
    }

    /// Names what is wrong before the colon, for the sentence only: each of these is refused.
    private static func faultOfName(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ start: Int,
        _ stop: Int,
        _ end: Int
    ) -> HTTPFault {
        if ByteClass.isSpaceOrTab(bytes[start]) { return .foldedLine }
        let rest = bytes[stop..<end]
        if rest.contains(0x0D) { return .bareCarriageReturn }
        guard rest.contains(0x3A) else { return .missingColon }
        if stop == start, bytes[start] == 0x3A { return .emptyFieldName }
        let beyond = rest.first { !ByteClass.isSpaceOrTab($0) }
        return ByteClass.isSpaceOrTab(bytes[stop]) && beyond == 0x3A ? .spaceBeforeColon : .malformedFieldName
    }
}

enum LineFeed {
    /// Looks at eight bytes at a time: a head is a few hundred bytes, and this is the only time all are visited blindly.
    @inline(__always)
    static func firstIndex(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var index = start
        let raw = UnsafeRawBufferPointer(bytes)
        while index + 8 <= bytes.count {
            let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            // A byte becomes zero where it was a line feed; the first zero byte gets its top bit set.
            let zeroed = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let found = (zeroed &- 0x0101_0101_0101_0101) & ~zeroed & 0x8080_8080_8080_8080
            if found != 0 { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < bytes.count {
            if bytes[index] == 0x0A { return index }
            index += 1
        }
        return nil
    }
}
