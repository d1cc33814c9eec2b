/// Texts that readers of JSON get wrong.
enum HardTexts {
    /// A text and what is special about it.
    typealias Case = (text: String, phrase: String)

    /// More characters than any column or label was planned for, few enough to be sent a thousand times.
    static let longest = 4_000

    static let all: [Case] = [
        ("𝒮𝓂𝑒𝑒𝓂 🧑🏽‍🚀🏳️‍🌈👨‍👩‍👧‍👦🇰🇷", "a text beyond 16 bits"),
        ("e\u{301}a\u{308}\u{323} 가 \u{1100}\u{1161}\u{11A8} Z\u{351}\u{36B}\u{343}", "a text of combining characters"),
        ("שלום \u{202E}עולם\u{202C} مرحبا \u{200F}", "a text from right to left"),
        ("\"\\/\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}\u{FFFD}", "a text full of escapes"),
        (" \t text with spaces at its ends \n ", "a text between spaces"),
        ("a\u{0}b", "a text with a zero character"),
        ("<b>&amp;</b> %20 ${x} {{y}} \u{27}; --", "a text full of markup"),
        ("null", "the word null"),
        ("0", "a digit"),
    ]

    /// A long text without any meaning.
    static func long(_ count: Int) -> String {
        var text = ""
        text.reserveCapacity(count * 2)
        for index in 0..<count { text.unicodeScalars.append(alphabet[index % alphabet.count]) }
        return text
    }

    private static let alphabet = Array("긴 글은 abcdefghijklmnopqrstuvwxyz, 0123456789. ".unicodeScalars)

    /// The text, repeated or shortened to so many characters.
    static func fitted(_ text: String, from minimum: Int, to maximum: Int) -> String {
        var scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty, minimum <= 100_000 else { return text }
        while scalars.count < minimum { scalars += scalars.prefix(minimum - scalars.count) }
        return String(String.UnicodeScalarView(scalars.prefix(maximum)))
    }
}
