import Basics

/// Texts of every format, such as people would expect them.
enum FormatSamples {
    static func text(of format: StringFormat, name: String, using chance: inout SampleChance) -> String {
        switch format {
        case .dateTime: return dateText(using: &chance)
        case .date: return String(dateText(using: &chance).prefix(10))
        case .time: return String(dateText(using: &chance).dropFirst(11))
        case .httpDate: return HTTPDate.text(secondsSince1970: moment(&chance))
        case .duration: return durations[chance.number(in: 0...durations.count - 1)]
        case .email, .idnEmail: return PlausibleTexts.mailbox(using: &chance)
        case .hostname, .idnHostname: return "\(PlausibleTexts.word(using: &chance)).example.com"
        case .ipv4: return "192.0.2.\(chance.number(in: 1...254))"
        case .ipv6: return "2001:db8::\(chance.hexadecimal(1)):\(chance.hexadecimal(1))"
        case .uri, .iri: return PlausibleTexts.address(for: name, using: &chance)
        case .uriReference, .iriReference: return "/\(PlausibleTexts.word(using: &chance))"
        case .uriTemplate: return "https://example.com/\(PlausibleTexts.word(using: &chance))/{id}"
        case .uuid: return uuid(&chance)
        case .jsonPointer: return "/\(PlausibleTexts.word(using: &chance))"
        case .relativeJSONPointer: return "\(chance.number(in: 0...3))/\(PlausibleTexts.word(using: &chance))"
        case .regex: return "^[a-z]{1,\(chance.number(in: 2...9))}$"
        case .byte, .base64url: return base64(&chance)
        case .char: return String(PlausibleTexts.word(using: &chance).prefix(1))
        case .password: return "correct-horse-\(chance.hexadecimal(4))"
        case .binary: return PlausibleTexts.text(for: name, using: &chance)
        }
    }

    private static let durations = ["P1D", "PT30M", "P1M", "P2W", "PT1H30M", "P1Y"]

    /// A date and time of RFC 3339.
    static func dateText(using chance: inout SampleChance) -> String {
        RFC3339.format(secondsSince1970: moment(&chance))
    }

    private static func moment(_ chance: inout SampleChance) -> Int64 {
        Int64(chance.number(in: PlausibleNumbers.years))
    }

    /// Version 4 of RFC 9562.
    private static func uuid(_ chance: inout SampleChance) -> String {
        let hex = Array(chance.hexadecimal(30))
        let variant = ["8", "9", "a", "b"][chance.number(in: 0...3)]
        return String(hex[0..<8]) + "-" + String(hex[8..<12]) + "-4" + String(hex[12..<15]) + "-" + variant
            + String(hex[15..<18]) + "-" + String(hex[18..<30])
    }

    /// Four groups of letters: twelve bytes in either alphabet.
    private static func base64(_ chance: inout SampleChance) -> String {
        String((0..<16).map { _ in Character(Unicode.Scalar(UInt8(0x61 + chance.number(in: 0...25)))) })
    }
}
