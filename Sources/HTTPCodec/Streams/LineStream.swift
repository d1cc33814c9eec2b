/// Streams of JSON values, one on each line: `application/x-ndjson`.
package enum LineStream {
    /// The names under which such streams are known.
    package static let mediaTypes: Set = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
        "application/json-lines", "application/stream+json",
    ]

    /// A value's line; a text that already has line breaks, such as indented JSON, becomes one line.
    ///
    /// Between tokens of JSON a line break is a space, and within its strings none can stand, so the value stays.
    package static func line(_ json: String) -> String {
        String(decoding: json.utf8.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self) + "\n"
    }
}
