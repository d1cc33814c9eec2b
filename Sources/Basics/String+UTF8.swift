#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension String {
    /// The text that the bytes are in UTF-8; returns nil when they are not valid UTF-8.
    ///
    /// The standard library's `init(validating:as:)` does the same from macOS 15 and iOS 18 on.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        // Decoding replaces what is not valid with U+FFFD, so the bytes differ then.
        var text = String(decoding: bytes, as: UTF8.self)
        let isSame =
            bytes.withContiguousStorageIfAvailable { bytes in text.withUTF8 { $0.hasSameBytes(as: bytes) } }
            ?? text.utf8.elementsEqual(bytes)
        guard isSame else { return nil }
        self = text
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether both buffers hold the same bytes.
    package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
            return count == other.count
        }
        return memcmp(left, right, count) == 0
    }
}
