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
    mutating func beginFields() {
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
        guard colon < end, colon > start, bytes[colon] == 0x3A else {
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
            nameEnd: Int32(truncatingIfNeeded: colon - sectionStart),
            valueStart: Int32(truncatingIfNeeded: valueStart - sectionStart),
            valueEnd: Int32(truncatingIfNeeded: valueEnd - sectionStart),
            known: KnownFields(name: bytes, from: start, to: colon)
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

/// The combined meaning of the fields of a complete head: host, framing, expectation.
struct HeadRules {
    let fields: HTTPFields
    let repeated: KnownFields
    let version: HTTPVersion

    /// RFC 9112, section 3.2: exactly one Host in HTTP/1.1, never two, never a malformed one.
    func checkHost() throws(HTTPFault) {
        guard !repeated.contains(.host) else { throw .repeatedHost }
        guard let entry = entry(.host) else {
            if version == .http11 { throw .missingHost }
            return
        }
        let isWellFormed = fields.bytes.withUnsafeBufferPointer {
            HostValue.isWellFormed(UnsafeBufferPointer(rebasing: $0[entry.value]))
        }
        guard isWellFormed else { throw .malformedHost }
    }

    /// RFC 9112, section 6: a request has a body when it says how long, and it must say so in one way only.
    func requestFraming() throws(HTTPFault) -> HTTPBodyFraming {
        guard !fields.known.isDisjoint(with: .framing) else { return .none }
        return try announcedFraming() ?? .none
    }

    /// The framing by Content-Length or Transfer-Encoding; `nil` if both are missing.
    func announcedFraming() throws(HTTPFault) -> HTTPBodyFraming? {
        if let entry = entry(.transferEncoding) {
            guard !fields.known.contains(.contentLength) else { throw .lengthAndTransferEncoding }
            guard version == .http11 else { throw .transferEncodingInHTTP10 }
            guard !repeated.contains(.transferEncoding) else { throw .repeatedTransferEncoding }
            try checkCodings(fields.bytes[entry.value])
            return .chunked
        }
        guard let entry = entry(.contentLength) else { return nil }
        guard !repeated.contains(.contentLength) else { throw .repeatedContentLength }
        return .length(try length(fields.bytes[entry.value]))
    }

    /// Only HTTP/1.1 knows expectations, and only one of them (RFC 9110, section 10.1.1).
    func expectsContinue() throws(HTTPFault) -> Bool {
        guard fields.known.contains(.expect), version == .http11 else { return false }
        var found = false
        for entry in fields.entries where entry.known.contains(.expect) {
            for member in fields.bytes[entry.value].split(separator: 0x2C) {
                let text = member.trimming(while: ByteClass.isSpaceOrTab)
                if text.isEmpty { continue }
                guard equal(text, "100-continue") else { throw .unknownExpectation(PrintableText.of(text)) }
                found = true
            }
        }
        return found
    }

    /// `1*DIGIT`.
    ///
    /// A list, even of equal lengths, is refused: two writers were at work.
    private func length(_ digits: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        guard !digits.isEmpty else { throw .malformedContentLength }
        if digits.contains(0x2C) { throw .repeatedContentLength }
        guard digits.allSatisfy(ByteClass.isDigit) else { throw .malformedContentLength }
        var length = 0
        for digit in digits {
            let (product, overflows) = length.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int(digit - 0x30))
            guard !overflows, !overflowsToo else { throw .contentLengthTooBig }
            length = sum
        }
        return length
    }

    /// Exactly `chunked`.
    ///
    /// RFC 9112, section 6.3 demands 400 whenever chunked is not last, so 501 (section 6.1) is left for a coding that
    /// is not known and has chunked, once, behind it.
    private func checkCodings(_ value: ArraySlice<UInt8>) throws(HTTPFault) {
        if equal(value, "chunked") { return }
        let codings = value.split(separator: 0x2C, omittingEmptySubsequences: false)
            .map { $0.trimming(while: ByteClass.isSpaceOrTab) }
        let names = codings.map { $0.prefix { $0 != 0x3B }.trimming(while: ByteClass.isSpaceOrTab) }
        guard names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ByteClass.isToken) }) else {
            throw .malformedTransferEncoding
        }
        guard let last = codings.last, equal(last, "chunked") else {
            let isChunkedWithParameters = names.last.map { equal($0, "chunked") } ?? false
            throw isChunkedWithParameters ? .malformedTransferEncoding : .chunkedNotLast
        }
        let unknown = zip(codings, names).first { !equal($0.1, "chunked") }
        guard names.count(where: { equal($0, "chunked") }) == 1, let unknown else { throw .chunkedNotLast }
        throw .unsupportedTransferEncoding(PrintableText.of(unknown.0))
    }

    private func entry(_ kind: KnownFields) -> HTTPFields.Entry? {
        guard fields.known.contains(kind) else { return nil }
        return fields.entries.first { $0.known == kind }
    }

    private func equal(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
        guard bytes.count == lowercase.utf8CodeUnitCount else { return false }
        var index = 0
        for byte in bytes {
            guard ByteClass.lowercased(byte) == lowercase.utf8Start[index] else { return false }
            index += 1
        }
        return true
    }
}

/// The grammar of Host and of an authority without user information (RFC 9110, section 7.2, and RFC 3986, 3.2.2).
enum HostValue {
    /// A name, an IPv4 address or a bracketed IP literal, then perhaps a port.
    ///
    /// An empty host is refused: no http URI has one (RFC 9110, section 4.2.1).
    static func isWellFormed(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        return first == 0x5B ? hasLiteral(bytes) : hasName(bytes)
    }

    private static func hasLiteral(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let end = bytes.firstIndex(of: 0x5D), end > 1 else { return false }
        let inside = bytes[1..<end]
        let isAddress = inside.allSatisfy { ByteClass.hexadecimalValue($0) != nil || $0 == 0x3A || $0 == 0x2E }
        let isFuture = inside.first.map { $0 | 0x20 == 0x76 } ?? false
        guard isAddress && inside.contains(0x3A) || isFuture && inside.allSatisfy(isFutureByte) else { return false }
        return isPort(bytes[(end + 1)...])
    }

    private static func hasName(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count, bytes[index] != 0x3A {
            if bytes[index] == 0x25 {
                guard index + 2 < bytes.count, ByteClass.hexadecimalValue(bytes[index + 1]) != nil,
                    ByteClass.hexadecimalValue(bytes[index + 2]) != nil
                else { return false }
                index += 3
            } else {
                guard ByteClass.isRegisteredName(bytes[index]) else { return false }
                index += 1
            }
        }
        return index > 0 && isPort(bytes[index...])
    }

    private static func isFutureByte(_ byte: UInt8) -> Bool {
        ByteClass.isRegisteredName(byte) || byte == 0x3A
    }

    /// Nothing, or a colon and digits up to 65535; the digits may be missing (RFC 3986, section 3.2.3).
    private static func isPort(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard let colon = bytes.first else { return true }
        guard colon == 0x3A else { return false }
        var port = 0
        for byte in bytes.dropFirst() {
            guard ByteClass.isDigit(byte) else { return false }
            port = min(port * 10 + Int(byte - 0x30), 65_536)
        }
        return port < 65_536
    }
}
