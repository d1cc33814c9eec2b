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
