/// Texts that fit the names of properties.
enum PlausibleTexts {
    static func text(for name: String, using chance: inout SampleChance) -> String {
        let parts = NameParts(name)
        if let rank = parts.best(in: ranks) { return makers[rank].1(&chance) }
        if parts.endsIn("id") || parts.endsIn("key") || parts.endsIn("token") || parts.endsIn("reference") {
            return "\(parts.prefixOfIdentifier)_\(chance.hexadecimal(12))"
        }
        if parts.endsIn("at") || parts.endsIn("date") { return FormatSamples.dateText(using: &chance) }
        return chance.happens(0.5) ? word(using: &chance) : "\(word(using: &chance)) \(word(using: &chance))"
    }

    static func word(using chance: inout SampleChance) -> String {
        words[chance.number(in: 0...words.count - 1)]
    }

    static func mailbox(using chance: inout SampleChance) -> String {
        "\(firstNames[chance.number(in: 0...firstNames.count - 1)].lowercased())@example.com"
    }

    static func address(for name: String, using chance: inout SampleChance) -> String {
        let parts = NameParts(name)
        let isPicture = ["image", "picture", "photo", "avatar", "logo", "icon"].contains { parts.contains($0) }
        let path = "\(word(using: &chance))/\(chance.number(in: 1...999))"
        return isPicture ? "https://example.com/\(path).png" : "https://example.com/\(path)"
    }

    /// What a name's part says about the text, the most telling parts first.
    private static let makers: [(String, @Sendable (inout SampleChance) -> String)] = [
        ("email", { mailbox(using: &$0) }),
        ("mail", { mailbox(using: &$0) }),
        ("url", { address(for: "", using: &$0) }),
        ("uri", { address(for: "", using: &$0) }),
        ("link", { address(for: "", using: &$0) }),
        ("href", { address(for: "", using: &$0) }),
        ("website", { address(for: "", using: &$0) }),
        ("image", { address(for: "image", using: &$0) }),
        ("avatar", { address(for: "avatar", using: &$0) }),
        ("phone", { "+1555\($0.number(in: 1_000_000...9_999_999))" }),
        ("currency", { ["usd", "eur", "gbp", "jpy"][$0.number(in: 0...3)] }),
        ("country", { ["US", "DE", "FR", "NL", "JP"][$0.number(in: 0...4)] }),
        ("locale", { ["en-US", "de-DE", "nl-NL"][$0.number(in: 0...2)] }),
        ("language", { ["en", "de", "nl", "fr"][$0.number(in: 0...3)] }),
        ("city", { ["Amsterdam", "Berlin", "Lisbon", "Oslo"][$0.number(in: 0...3)] }),
        ("street", { "\($0.number(in: 1...99)) Main Street" }),
        ("line1", { "\($0.number(in: 1...99)) Main Street" }),
        ("zip", { "\($0.number(in: 10_000...99_999))" }),
        ("postal", { "\($0.number(in: 10_000...99_999))" }),
        ("postcode", { "\($0.number(in: 10_000...99_999))" }),
        ("firstname", { firstNames[$0.number(in: 0...firstNames.count - 1)] }),
        ("lastname", { lastNames[$0.number(in: 0...lastNames.count - 1)] }),
        ("username", { "\(word(using: &$0))\($0.number(in: 1...99))" }),
        ("ip", { "192.0.2.\($0.number(in: 1...254))" }),
        ("description", { sentence(using: &$0) }),
        ("message", { sentence(using: &$0) }),
        ("summary", { sentence(using: &$0) }),
        ("text", { sentence(using: &$0) }),
        ("comment", { sentence(using: &$0) }),
        ("title", { title(using: &$0) }),
        ("name", { title(using: &$0) }),
        ("version", { "\($0.number(in: 1...9)).\($0.number(in: 0...20)).\($0.number(in: 0...9))" }),
        ("color", { "#\($0.hexadecimal(6))" }),
        ("colour", { "#\($0.hexadecimal(6))" }),
    ]

    private static let ranks = Dictionary(uniqueKeysWithValues: makers.enumerated().map { ($1.0, $0) })

    private static func sentence(using chance: inout SampleChance) -> String {
        "The \(word(using: &chance)) \(word(using: &chance)) of the \(word(using: &chance))"
    }

    private static func title(using chance: inout SampleChance) -> String {
        let first = word(using: &chance)
        return "\(first.prefix(1).uppercased())\(first.dropFirst()) \(word(using: &chance))"
    }

    private static let words = [
        "amber", "anchor", "birch", "breeze", "bridge", "cedar", "cloud", "coral", "crane", "delta", "ember", "falcon",
        "fern", "field", "garden", "glacier", "harbor", "hazel", "island", "jasper", "lantern", "maple", "meadow",
        "mirror", "north", "ocean", "orchid", "pebble", "pine", "quartz", "river", "saffron", "silver", "summit",
        "timber", "valley", "violet", "walnut", "willow", "winter",
    ]

    private static let firstNames = ["Ada", "Alan", "Barbara", "Edsger", "Frances", "Grace", "Katherine", "Niklaus"]
    private static let lastNames = ["Allen", "Dijkstra", "Hopper", "Johnson", "Liskov", "Lovelace", "Turing", "Wirth"]
}
