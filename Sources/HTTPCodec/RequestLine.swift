import Basics

/// A request line, `method SP request-target SP HTTP-version` (RFC 9112, section 3), parsed strictly.
struct RequestLine: Sendable {
    var method: HTTPMethod
    var target: String
    var parts: RequestTarget
    var version: HTTPVersion

    /// Longest rest behind the target that is waited for: a version has eight bytes.
    private static let longestVersion = 32

    /// Judges a line that may not be complete yet, in constant time until it is refused.
    ///
    /// - Parameter end: The line feed, or how far bytes have come.
    static func checkLengths(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int,
        limits: HTTPLimits
    ) throws(HTTPFault) {
        guard end - start > limits.method else { return }
        guard let first = space(bytes, from: start, to: end, within: limits.method) else {
            throw .methodTooLong(limit: limits.method)
        }
        guard end - first - 1 - longestVersion > limits.target else { return }
        guard space(bytes, from: first + 1, to: end, within: limits.target) != nil else {
            throw .targetTooLong(limit: limits.target)
        }
        throw .malformedRequestLine
    }

    /// Reads a complete line whose lengths were checked.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        lineFeed: Int,
        limits: HTTPLimits
    ) throws(HTTPFault) {
        guard lineFeed > start, bytes[lineFeed - 1] == 0x0D else { throw .bareLineFeed }
        let end = lineFeed - 1
        guard let first = Self.space(bytes, from: start, to: end, within: end) else {
            throw bytes[start..<end].contains(0x0D) ? .bareCarriageReturn : .malformedRequestLine
        }
        let second = Self.space(bytes, from: first + 1, to: end, within: end)
        guard let second, second > first + 1, Self.space(bytes, from: second + 1, to: end, within: end) == nil else {
            throw bytes[start..<end].contains(0x0D) ? .bareCarriageReturn : .malformedRequestLine
        }
        guard second - first - 1 <= limits.target else { throw .targetTooLong(limit: limits.target) }
        let name = UnsafeBufferPointer(rebasing: bytes[start..<first])
        guard !name.isEmpty, name.allSatisfy(ByteClass.isToken) else { throw .malformedMethod }
        version = try Self.version(UnsafeBufferPointer(rebasing: bytes[second + 1..<end]))
        method = HTTPMethod(bytes: name)
        let target = UnsafeBufferPointer(rebasing: bytes[first + 1..<second])
        parts = try RequestTarget(target, method: method)
        // The usual target is its own path; sharing the text spares an allocation.
        let isPath = target.first == 0x2F && parts.query == nil
        self.target = isPath ? parts.path : String(decoding: target, as: UTF8.self)
    }

    private static func version(_ bytes: UnsafeBufferPointer<UInt8>) throws(HTTPFault) -> HTTPVersion {
        if bytes.contains(0x0D) { throw .bareCarriageReturn }
        guard let slash = bytes.firstIndex(of: 0x2F), slash > 0 else { throw .malformedVersion }
        let number = bytes[(slash + 1)...]
        guard bytes[..<slash].elementsEqual("HTTP".utf8) else {
            // "http/1.1" is a slip, "FOO/9" another protocol.
            let isSlip = slash == 4 && zip(bytes, "http".utf8).allSatisfy { ByteClass.lowercased($0) == $1 }
            let isProtocol = bytes[..<slash].allSatisfy(ByteClass.isToken)
            throw isSlip || !isProtocol || number.isEmpty ? .malformedVersion : unsupported(bytes)
        }
        guard number.count == 3, let major = number.first, let minor = number.last, number[slash + 2] == 0x2E,
            ByteClass.isDigit(major), ByteClass.isDigit(minor)
        else { throw .malformedVersion }
        guard major == 0x31 else { throw unsupported(bytes) }
        return minor == 0x30 ? .http10 : .http11
    }

    private static func unsupported(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPFault {
        .unsupportedVersion(PrintableText.of(bytes))
    }

    private static func space(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        to end: Int,
        within limit: Int
    ) -> Int? {
        var index = start
        let stop = end - start > limit ? start + limit + 1 : end
        while index < stop {
            if bytes[index] == 0x20 { return index }
            index += 1
        }
        return nil
    }
}

/// The parts of a request target, whichever of the four forms it has (RFC 9112, section 3.2).
struct RequestTarget: Sendable, Hashable {
    var path: String
    var query: String?
    /// Only the absolute-form names it.
    var authority: String?

    /// Splits without judging: what has no form of the RFC becomes the path.
    init(splitting target: String, method: HTTPMethod) {
        var copy = target
        let parts = copy.withUTF8 { bytes in
            do throws(HTTPFault) {
                return try RequestTarget(bytes, method: method) as RequestTarget?
            } catch {
                return nil
            }
        }
        self = parts ?? RequestTarget(path: target)
    }

    private init(path: String) {
        self.path = path
    }

    init(_ target: UnsafeBufferPointer<UInt8>, method: HTTPMethod) throws(HTTPFault) {
        var mark: Int?
        for (offset, byte) in target.enumerated() {
            guard ByteClass.isTarget(byte) else { throw byte == 0x23 ? .fragmentInTarget : .malformedTarget }
            if byte == 0x3F, mark == nil { mark = offset }
        }
        guard let first = target.first else { throw .malformedTarget }
        guard method != .connect else { throw .connectNotSupported }
        if first == 0x2F {
            self.init(originForm: target, from: 0, mark: mark)
        } else if target.count == 1, first == 0x2A {
            guard method == .options else { throw .asteriskWithoutOptions }
            self.init(path: "*")
        } else {
            try self.init(absoluteForm: target, mark: mark, method: method)
        }
    }

    private init(originForm target: UnsafeBufferPointer<UInt8>, from start: Int, mark: Int?) {
        path = Self.text(target, start, mark ?? target.count)
        if let mark { query = Self.text(target, mark + 1, target.count) }
    }

    /// The recipient is the one the target names, not the one Host names (section 3.2.2).
    private init(
        absoluteForm target: UnsafeBufferPointer<UInt8>,
        mark: Int?,
        method: HTTPMethod
    ) throws(HTTPFault) {
        guard let colon = target.firstIndex(of: 0x3A), colon == 4 || colon == 5,
            zip(target, "https".utf8).prefix(colon).allSatisfy({ ByteClass.lowercased($0) == $1 }),
            target.count >= colon + 3, target[colon + 1] == 0x2F, target[colon + 2] == 0x2F
        else { throw .malformedTarget }
        let start = colon + 3
        let end = target[start...].firstIndex { $0 == 0x2F || $0 == 0x3F } ?? target.count
        guard HostValue.isWellFormed(UnsafeBufferPointer(rebasing: target[start..<end])) else {
            throw .malformedTarget
        }
        self.init(originForm: target, from: end, mark: mark)
        authority = Self.text(target, start, end)
        // An empty path is "/", but the whole server when OPTIONS asks without a query (section 3.2.4).
        if path.isEmpty { path = method == .options && query == nil ? "*" : "/" }
    }

    private static func text(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
}
