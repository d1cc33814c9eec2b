import Basics

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
