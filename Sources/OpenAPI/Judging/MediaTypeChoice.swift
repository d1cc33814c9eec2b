import HTTPCodec

/// Chooses the documented content that a Content-Type means: the most specific key wins (OpenAPI 3.1, section 4.8.13).
enum MediaTypeChoice {
    /// - Returns: `nil` when no key covers the type.
    static func content(for contentType: String, among contents: [MediaTypeContent]) -> MediaTypeContent? {
        // Most responses repeat their only key to the letter, and then nothing needs to be taken apart.
        if let same = contents.first(where: { $0.mediaType.utf8.elementsEqual(contentType.utf8) }) { return same }
        guard let found = MediaType(parsing: contentType) else { return nil }
        var best: (content: MediaTypeContent, rank: Int)?
        for content in contents {
            guard let key = MediaType(parsing: content.mediaType), let rank = rank(of: key, for: found) else {
                continue
            }
            if rank > best?.rank ?? -1 { best = (content, rank) }
        }
        return best?.content
    }

    /// How precisely a key covers a type: ranges least, parameters that the key demands most.
    private static func rank(of key: MediaType, for found: MediaType) -> Int? {
        guard found.lies(in: key), key.parameters.allSatisfy({ isSame($0, found.parameter($0.name)) }) else {
            return nil
        }
        return key.parameters.count + (key.type == "*" ? 0 : key.subtype == "*" ? 1_000 : 2_000)
    }

    /// Values are compared without regard to case: the usual ones, such as charsets, have none (RFC 9110, section 8.3.1).
    private static func isSame(_ wanted: MediaType.Parameter, _ value: String?) -> Bool {
        guard let value else { return false }
        return wanted.value.lowercased().utf8.elementsEqual(value.lowercased().utf8)
    }
}
