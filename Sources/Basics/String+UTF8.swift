extension String {
    /// The text that the bytes are in UTF-8; returns nil when they are not valid UTF-8.
    ///
    /// The standard library's `init(validating:as:)` does the same from macOS 15 and iOS 18 on.
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        // Decoding replaces what is not valid with U+FFFD, so the bytes differ then.
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
