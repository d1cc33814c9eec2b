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
    /// Returns whether both buffers hold the same bytes.
    package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
            return count == other.count
        }
        return memcmp(left, right, count) == 0
    }
}

extension ArraySlice<UInt8> {
    /// The same as `==`, by one comparison of memory.
    package func hasSameBytes(as other: Self) -> Bool {
        withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { one.hasSameBytes(as: $0) } }
    }
}

extension UnsafeRawBufferPointer {
    /// Where the byte stands first, at `start` or behind it; `nil` where it does not.
    package func firstIndex(ofByte byte: UInt8, from start: Int) -> Int? {
        guard start < count, let baseAddress,
            let found = memchr(baseAddress + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}

extension Collection<UInt8> {
    /// Feeds the bytes and their number as one; the standard library's way feeds them one by one.
    package func hashBytes(into hasher: inout Hasher) {
        hasher.combine(count)
        if withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            for byte in self { hasher.combine(byte) }
        }
    }
}
