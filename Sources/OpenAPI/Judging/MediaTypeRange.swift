import HTTPCodec

/// A list of media types and ranges of them, as an encoding's `contentType` has it: `image/png, image/*`.
enum MediaTypeRange {
    static func list(_ list: String, covers contentType: String) -> Bool {
        guard let found = MediaType(parsing: contentType) else { return false }
        return list.utf8.split(separator: UInt8(ascii: ",")).contains { item in
            MediaType(parsing: String(Substring(item))).map(found.lies) ?? false
        }
    }
}
