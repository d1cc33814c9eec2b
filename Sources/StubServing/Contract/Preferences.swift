import HTTPCodec

/// What a client asks for in `Prefer` fields (RFC 7240), as far as a documented answer can give it.
struct Preferences: Sendable, Hashable {
    /// The status, as the contract names it: `404`, `4XX` or `default`.
    var code: String?
    /// The name of an example.
    var example: String?
    /// Whether the body is to be made from the schema although there are examples.
    var isDynamic = false
    /// The seed to make it from.
    var seed: UInt64?

    init(_ fields: HTTPFields) {
        guard fields.contains("Prefer") else { return }
        // Of a preference that is there twice, the first counts (RFC 7240, section 2).
        var seen: Set<String> = []
        for item in fields.values(of: "Prefer").flatMap(Self.items) where seen.insert(item.name).inserted {
            switch item.name {
            case "code": code = item.value.isEmpty ? nil : item.value
            case "example": example = item.value.isEmpty ? nil : item.value
            case "dynamic": isDynamic = item.value.isEmpty || item.value.lowercased() == "true"
            case "seed": seed = UInt64(item.value)
            default: break
            }
        }
    }

    var isEmpty: Bool { code == nil && example == nil && !isDynamic && seed == nil }

    /// The value of `Preference-Applied` (RFC 7240, section 3).
    var applied: String {
        var parts: [String] = []
        if let code { parts.append("code=\(Self.word(code))") }
        if let example { parts.append("example=\(Self.word(example))") }
        if isDynamic { parts.append("dynamic=true") }
        if let seed { parts.append("seed=\(seed)") }
        return parts.joined(separator: ", ")
    }

    private static func word(_ text: String) -> String {
        if HTTPFields.isName(text) { return text }
        var quoted = "\""
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted += "\\" }
            quoted.unicodeScalars.append(scalar)
        }
        return quoted + "\""
    }

    // MARK: Reading

    /// The preferences of one field, their names in lower case, without their parameters.
    private static func items(of field: String) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        var reader = Reader(rest: Array(field.utf8)[...])
        while !reader.rest.isEmpty {
            let item = reader.item()
            if !item.name.isEmpty { items.append(item) }
        }
        return items
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Reads up to the next comma that is not quoted, and takes it.
        mutating func item() -> (name: String, value: String) {
            let name = Self.trimmed(text(until: "=;,")).lowercased()
            var value = ""
            if rest.first == UInt8(ascii: "=") {
                rest.removeFirst()
                value = Self.trimmed(text(until: ";,"))
            }
            while let next = rest.first, next != UInt8(ascii: ",") {
                rest.removeFirst()
                _ = text(until: ";,")
            }
            rest = rest.dropFirst()
            return (name, value)
        }

        /// The text up to one of the characters outside of quotes, without the quotes themselves.
        private mutating func text(until ends: String) -> String {
            var text: [UInt8] = []
            var isQuoted = false
            while let next = rest.first {
                if !isQuoted, ends.utf8.contains(next) { break }
                rest.removeFirst()
                switch next {
                case UInt8(ascii: "\""): isQuoted.toggle()
                case UInt8(ascii: "\\") where isQuoted: if let escaped = rest.popFirst() { text.append(escaped) }
                default: text.append(next)
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        private static func trimmed(_ text: String) -> String {
            let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
            let bytes = text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
            return String(decoding: Array(bytes), as: UTF8.self)
        }
    }
}
