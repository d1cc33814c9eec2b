import Basics

/// A request as the wire gave it: nothing is normalised, nothing percent-decoded.
///
/// Its parts lie behind one reference, since a request is handed on and kept far more often than it is changed.
package struct HTTPRequest: Sendable {
    private var box: Box

    /// Immutable, so that every copy of a request may mean the same one.
    private final class Box: Sendable {
        let parts: Parts

        init(_ parts: consuming Parts) {
            self.parts = parts
        }
    }

    private struct Parts: Sendable, Hashable {
        var method: HTTPMethod
        var target: String
        var path: String
        var query: String?
        var targetAuthority: String?
        var version: HTTPVersion
        var fields: HTTPFields
        var body: [UInt8] = []
        var trailers = HTTPFields()
        var keepsAlive: Bool
        var expectsContinue = false
        var framing = HTTPBodyFraming.none
        var isSecure = false
        var isBodyPending = false
    }

    package init(
        method: HTTPMethod = .get,
        target: String,
        version: HTTPVersion = .http11,
        fields: HTTPFields = HTTPFields(),
        body: [UInt8] = []
    ) {
        let split = RequestTarget(splitting: target, method: method)
        box = Box(
            Parts(
                method: method,
                target: target,
                path: split.path,
                query: split.query,
                targetAuthority: split.authority,
                version: version,
                fields: fields,
                body: body,
                keepsAlive: HTTPFields.keepsAlive(fields, version: version),
                framing: body.isEmpty ? .none : .length(body.count)
            )
        )
    }

    init(
        line: consuming RequestLine,
        fields: consuming HTTPFields,
        framing: HTTPBodyFraming,
        expectsContinue: Bool,
        isSecure: Bool
    ) {
        let keepsAlive = HTTPFields.keepsAlive(fields, version: line.version)
        box = Box(
            Parts(
                method: line.method,
                target: line.target,
                path: line.parts.path,
                query: line.parts.query,
                targetAuthority: line.parts.authority,
                version: line.version,
                fields: fields,
                keepsAlive: keepsAlive,
                expectsContinue: expectsContinue,
                framing: framing,
                isSecure: isSecure
            )
        )
    }

    /// The head with what came after it.
    func completed(body: [UInt8], trailers: HTTPFields) -> HTTPRequest {
        var request = self
        request.change {
            $0.body = body
            $0.trailers = trailers
        }
        return request
    }

    /// The same request for another path.
    package func readdressed(to path: String) -> HTTPRequest {
        var request = self
        request.change {
            $0.path = path
            $0.target = $0.query.map { "\(path)?\($0)" } ?? path
        }
        return request
    }

    private mutating func change(_ body: (inout Parts) -> Void) {
        var parts = box.parts
        body(&parts)
        box = Box(parts)
    }

    /// Returns whether both are copies of one request, which is quicker to see than that they are equal.
    package func isIdentical(to other: HTTPRequest) -> Bool { box === other.box }
}

extension HTTPRequest {
    package var method: HTTPMethod { box.parts.method }

    /// The request target as received, in whichever of the four forms (RFC 9112, section 3.2).
    package var target: String { box.parts.target }

    /// The path, still percent-encoded; of an absolute-form its path, never empty; `*` for the asterisk-form.
    package var path: String { box.parts.path }

    /// The text after the first question mark, or `nil` for a target without a question mark.
    package var query: String? { box.parts.query }

    /// The authority of an absolute-form.
    package var targetAuthority: String? { box.parts.targetAuthority }

    /// A Boolean value that indicates whether the request came over TLS.
    package var isSecure: Bool {
        get { box.parts.isSecure }
        set { change { $0.isSecure = newValue } }
    }

    /// A Boolean value that indicates whether the body follows while the request is answered, so that ``body`` is empty.
    package var isBodyPending: Bool {
        get { box.parts.isBodyPending }
        set { change { $0.isBodyPending = newValue } }
    }

    package var version: HTTPVersion {
        get { box.parts.version }
        set { change { $0.version = newValue } }
    }

    package var fields: HTTPFields {
        get { box.parts.fields }
        set { change { $0.fields = newValue } }
    }

    /// Empty in a head that is returned before its body.
    package var body: [UInt8] {
        get { box.parts.body }
        set { change { $0.body = newValue } }
    }

    /// Fields after a chunked body, never merged into `fields`.
    package var trailers: HTTPFields {
        get { box.parts.trailers }
        set { change { $0.trailers = newValue } }
    }

    /// A Boolean value that indicates whether the client lets the connection stay open after the response (RFC 9112,
    /// section 9.3).
    package var keepsAlive: Bool { box.parts.keepsAlive }

    /// A Boolean value that indicates whether the client waits for 100 before it sends the body; never in HTTP/1.0 (RFC
    /// 9110, section 10.1.1).
    package var expectsContinue: Bool { box.parts.expectsContinue }

    /// The framing of the body.
    package var framing: HTTPBodyFraming { box.parts.framing }

    /// The addressed host: the authority of an absolute-form overrides Host (RFC 9112, section 3.2.2).
    package var authority: String? { targetAuthority ?? fields["Host"] }
}

extension HTTPRequest: Hashable {
    package static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
        left.box === right.box || left.box.parts == right.box.parts
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(box.parts)
    }
}

/// A request method, kept exactly as it was sent: methods are case-sensitive (RFC 9110, section 9.1).
package struct HTTPMethod: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static var get: HTTPMethod { HTTPMethod(rawValue: "GET") }
    package static var head: HTTPMethod { HTTPMethod(rawValue: "HEAD") }
    package static var post: HTTPMethod { HTTPMethod(rawValue: "POST") }
    package static var put: HTTPMethod { HTTPMethod(rawValue: "PUT") }
    package static var patch: HTTPMethod { HTTPMethod(rawValue: "PATCH") }
    package static var delete: HTTPMethod { HTTPMethod(rawValue: "DELETE") }
    package static var options: HTTPMethod { HTTPMethod(rawValue: "OPTIONS") }
    package static var trace: HTTPMethod { HTTPMethod(rawValue: "TRACE") }
    package static var connect: HTTPMethod { HTTPMethod(rawValue: "CONNECT") }

    /// A Boolean value that indicates whether the name is a token, the only valid start of a
    /// request line.
    package var isWellFormed: Bool {
        !rawValue.isEmpty && rawValue.utf8.allSatisfy(ByteClass.isToken)
    }
}

extension HTTPMethod {
    /// Without an allocation for the usual methods, whose names fit into a string's own words.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        rawValue = String(decoding: bytes, as: UTF8.self)
    }
}

extension HTTPMethod: CustomStringConvertible {
    package var description: String { rawValue }
}

/// The two minor versions whose rules differ; a later 1.x is treated as 1.1 (RFC 9110, section 2.5).
package enum HTTPVersion: Sendable, Hashable {
    case http10
    case http11
}

extension HTTPVersion: CustomStringConvertible {
    package var description: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }
}

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
