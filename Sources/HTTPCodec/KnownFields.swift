/// The field names that the protocol itself acts on, recognised once when a field comes in.
struct KnownFields: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let host = KnownFields(rawValue: 1 << 0)
    static let connection = KnownFields(rawValue: 1 << 1)
    static let contentLength = KnownFields(rawValue: 1 << 2)
    static let transferEncoding = KnownFields(rawValue: 1 << 3)
    static let expect = KnownFields(rawValue: 1 << 4)
    static let date = KnownFields(rawValue: 1 << 5)

    /// What a response writer decides itself, so the author's own are left out.
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
