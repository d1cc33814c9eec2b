/// Texts that fit the names of properties.
package enum PlausibleTexts {
    /// The host of all URLs and mailboxes that are made up.
    package static let host = "example.com"

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
        "\(firstNames[chance.number(in: 0...firstNames.count - 1)].lowercased())@\(host)"
    }

    static func address(for name: String, using chance: inout SampleChance) -> String {
        let parts = NameParts(name)
        let isPicture = ["image", "picture", "photo", "avatar", "logo", "icon"].contains { parts.contains($0) }
        let url = "https://\(host)/\(word(using: &chance))/\(chance.number(in: 1...999))"
        return isPicture ? "\(url).png" : url
    }

    /// The texts that a part of a name suggests, the most specific parts first.
    private static let makers: [([String], @Sendable (inout SampleChance) -> String)] = [
        (["email", "mail"], { mailbox(using: &$0) }),
        (["url", "uri", "link", "href", "website"], { address(for: "", using: &$0) }),
        (["image", "avatar"], { address(for: "image", using: &$0) }),
        (["phone"], { "+1555\($0.number(in: 1_000_000...9_999_999))" }),
        (["currency"], { ["usd", "eur", "gbp", "jpy"][$0.number(in: 0...3)] }),
        (["country"], { ["US", "DE", "FR", "NL", "JP"][$0.number(in: 0...4)] }),
        (["locale"], { ["en-US", "de-DE", "nl-NL"][$0.number(in: 0...2)] }),
        (["language"], { ["en", "de", "nl", "fr"][$0.number(in: 0...3)] }),
        (["city"], { ["Amsterdam", "Berlin", "Lisbon", "Oslo"][$0.number(in: 0...3)] }),
        (["street", "line1"], { "\($0.number(in: 1...99)) Main Street" }),
        (["zip", "postal", "postcode"], { "\($0.number(in: 10_000...99_999))" }),
        (["firstname"], { firstNames[$0.number(in: 0...firstNames.count - 1)] }),
        (["lastname"], { lastNames[$0.number(in: 0...lastNames.count - 1)] }),
        (["username"], { "\(word(using: &$0))\($0.number(in: 1...99))" }),
        (["ip"], { "192.0.2.\($0.number(in: 1...254))" }),
        (["description", "message", "summary", "text", "comment"], { sentence(using: &$0) }),
        (["title", "name"], { title(using: &$0) }),
        (["version"], { "\($0.number(in: 1...9)).\($0.number(in: 0...20)).\($0.number(in: 0...9))" }),
        (["color", "colour"], { "#\($0.hexadecimal(6))" }),
    ]

    private static let ranks = NameParts.ranks(of: makers.map(\.0))

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

/// The words that a property's name is made of, in lowercase: `createdAt`, `created_at` and `created-at` are the same.
struct NameParts {
    private let words: [String]

    init(_ name: String) {
        var words: [[UInt8]] = [[]]
        var isAfterLowercase = false
        // Names in other scripts, and very long ones, have no meaning.
        for byte in name.utf8.prefix(80) {
            let isUppercase = byte &- 0x41 < 26
            let isWordByte = isUppercase || byte &- 0x61 < 26 || byte &- 0x30 < 10
            if !isWordByte || (isUppercase && isAfterLowercase) { words.append([]) }
            if isWordByte { words[words.count - 1].append(isUppercase ? byte | 0x20 : byte) }
            isAfterLowercase = isWordByte && !isUppercase
        }
        self.words = words.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns whether a word is one of the name's, or two of them together.
    func contains(_ word: String) -> Bool {
        if words.contains(word) { return true }
        return zip(words, words.dropFirst()).contains { $0 + $1 == word }
    }

    /// The numbers of words in lists, by which ``best(in:)`` prefers the first list.
    static func ranks(of lists: [[String]]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: lists.enumerated().flatMap { rank, words in words.map { ($0, rank) } })
    }

    /// The least number that one of the name's words has, or two of them together.
    func best(in ranks: [String: Int]) -> Int? {
        let single = words.compactMap { ranks[$0] }.min()
        guard words.count > 1 else { return single }
        let pairs = zip(words, words.dropFirst()).compactMap { ranks[$0 + $1] }.min()
        return [single, pairs].compactMap { $0 }.min()
    }

    func endsIn(_ word: String) -> Bool { words.last == word }

    /// A Boolean value that indicates whether they name a moment.
    var areOfDate: Bool {
        ["at", "date", "time", "timestamp", "created", "updated", "expires", "expiry"].contains(where: endsIn)
    }

    /// The beginning of an identifier of the named thing: `cus` for `customerId`.
    var prefixOfIdentifier: String {
        words.count > 1 ? String(words[words.count - 2].prefix(3)) : "id"
    }
}
