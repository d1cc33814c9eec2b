import Basics

/// What the fields of a complete head say together: host, framing, expectation.
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

    /// What Content-Length or Transfer-Encoding announce; `nil` when neither is there.
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
                let text = trimmed(member)
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
        let codings = value.split(separator: 0x2C, omittingEmptySubsequences: false).map(trimmed)
        let names = codings.map { $0.prefix { $0 != 0x3B } }.map(trimmed)
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

    private func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first, ByteClass.isSpaceOrTab(first) { rest.removeFirst() }
        while let last = rest.last, ByteClass.isSpaceOrTab(last) { rest.removeLast() }
        return rest
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
