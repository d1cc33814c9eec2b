import ECMAPatterns
import TestSupport
import Testing

/// Every text of up to six of four characters is the witness: three that the expressions name, and one for all others.
@Suite struct `A sample of small patterns` {
    @Test(arguments: [
        "", "^$", "a", "^a", "a$", "^a$", "^a+$", "^(?:ab)*$", "^(?:ab|ba){2}$", "^(?:aa|bbb)+$", "^(?:aaa){1,2}$",
        "^a{2,4}$", "^a{2,4}b{3}$", "^[ab]{5}$", "^(?:a|b)*a(?:a|b)$", "^a?b?a?b?$", "^(?:a{2}|b{5})$", "^a*?b*?$",
        "aba", "^.{3}$", "^[^a]{2}$", "^\\d+$", "^\\D\\d\\D$", "^\\w{4}$", "^(?:\\w\\W){2}$", "a^b", "[]", "^[^]$",
        "\\bab\\b", "^\\Ba", "\\b", "^a\\b.", "^(?:a\\b|b)+$", "(?:a|bb|aaaa)$", "^(?:(?:aa)*|(?:bbb)*)$",
        "^(?:aab?){2,}$",
        // Lookaheads and lookbehinds.
        "^(?=a)[ab]{3}$", "^(?!a)[ab]+$", "^(?=.*a)(?=.*b)(?=.*1).{3,4}$", "^(?!.*aa)[ab]{4,}$", "^(?!a)a",
        "^(?=a{3}$)a+$",
        "^(?!(?:..)*$)a*$", "^(?:(?!ab)[ab])+$", "^(?=(?!b)).{2}$", "(?<=a)b", "(?<!a)b$", "^.(?<=a).(?<!b).$",
        "^a+(?<=aa)b$",
        "^[ab]+(?<!a)$", "(?<=^a*)b", "^(?=.{4}$)(?!.*b$)[ab]+", "(?<!^)a", "(?<=(?<=a)b)a$", "^(?!(?!a)).b*$",
        "a(?=b)", "a(?!$)",
        "^(?:(?=a)a|(?!a)b)*$", "^(?=\\b).a", "(?<=\\bb)a$",
    ])
    func `exists exactly where a text of these lengths matches`(pattern: String) throws {
        try check([pattern])
    }

    @Test(arguments: [
        ["^a", "b$"], ["^a+$", "^b+$"], ["^(?:ab)+$", "^(?:aba)"], ["^(?:aa)*$", "^(?:aaa)*$"], ["a", "b", "1"],
        ["^[ab]+$", "aab", "bba"],
        ["^.{2,4}$", "a.b"], ["^(?=a)", "^(?!a)"], ["^(?:a|bb)*$", "^(?:b|aa)*$", "^..."],
        ["(?<=a)b", "^[ab]{3}$", "b$"],
    ])
    func `of several patterns exists exactly where one text matches all`(patterns: [String]) throws {
        try check(patterns)
    }

    /// An automaton does not know what a backreference repeats, so that the absence of a text is not always proved.
    @Test(arguments: [
        "^(a|b)\\1$", "^([ab]+)\\1$", "^(a*)b\\1$", "^([ab])([ab])\\2\\1$", "^([ab])(?!\\1)[ab]$", "(a)\\1\\1",
        "^(?:(a)|b)\\1$",
        "^(?<x>[ab]{2})1\\k<x>$", "^(?=([ab]+)1)\\1", "^(a+)b\\1$",
    ])
    func `with backreferences exists where a text matches, and is denied only where none does`(pattern: String) throws {
        try check([pattern], isProved: false)
    }

    private func check(_ sources: [String], isProved: Bool = true) throws {
        let patterns = try sources.map { try ECMAPattern($0) }
        let lengths = Self.texts.map { texts in
            texts.contains { text in patterns.allSatisfy { $0.search(in: text) == .match } }
        }
        var generator = SeededGenerator(seed: 1)
        for minimum in 0...6 {
            for maximum in minimum...6 {
                let sample = ECMAPattern.sample(of: patterns, lengths: minimum...maximum, using: &generator)
                if case .text(let text) = sample {
                    #expect(minimum...maximum ~= text.unicodeScalars.count)
                    for pattern in patterns { #expect(pattern.search(in: text) == .match) }
                    continue
                }
                #expect(!lengths[minimum...maximum].contains(true), "\(sources) \(minimum)...\(maximum): \(sample)")
                if isProved { #expect(sample == .impossible, "\(sources) \(minimum)...\(maximum)") }
            }
        }
    }

    /// By their lengths.
    private static let texts: [[String]] = (1...6).reduce(into: [[""]]) { texts, _ in
        texts.append(texts[texts.count - 1].flatMap { text in ["a", "b", "1", "-"].map { text + $0 } })
    }
}

/// Expressions as contracts have them, with the lengths that texts of them have.
@Suite struct `A sample of a pattern from practice` {
    @Test(arguments: [
        ("phone", "^\\+?[0-9 ()-]{7,20}$", 7...20), ("E.164", "^\\+[1-9]\\d{1,14}$", 3...16),
        ("slug", "^[a-z0-9]+(?:-[a-z0-9]+)*$", 1...60),
        (
            "semantic version",
            "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
            5...60
        ),
        ("country", "^[A-Z]{2}$", 2...2), ("language", "^[a-z]{2,3}(?:-[A-Z]{2})?$", 2...6),
        ("UUID", "^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$", 36...36),
        ("hexadecimal colour", "^#(?:[0-9a-fA-F]{3}){1,2}$", 4...7),
        ("object identifier", "^[0-9a-f]+$", 1...64), ("JWT", "^[\\w-]+\\.[\\w-]+\\.[\\w-]*$", 4...80),
        ("Base64", "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$", 0...40),
        ("IPv4", "^(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)\\.){3}(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)$", 7...15),
        ("currency", "^[A-Z]{3}$", 3...3), ("money", "^-?\\d+\\.\\d{2}$", 4...20),
        ("US postal code", "^\\d{5}(?:-\\d{4})?$", 5...10),
        ("UK postal code", "^[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}$", 5...8),
        ("Canadian postal code", "^[ABCEGHJ-NPRSTVXY]\\d[A-Z] ?\\d[A-Z]\\d$", 6...7),
        ("IBAN", "^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$", 15...34), ("BIC", "^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$", 8...11),
        ("credit card", "^(?:4\\d{12}(?:\\d{3})?|5[1-5]\\d{14}|3[47]\\d{13})$", 13...16),
        ("user name", "^[A-Za-z][A-Za-z0-9_.-]*$", 1...32),
        ("password", "^(?=.*[a-z])(?=.*[A-Z])(?=.*\\d)(?=.*[@$!%*?&])[A-Za-z\\d@$!%*?&]{8,}$", 8...64),
        ("password without repetition", "^(?!.*(.)\\1)[a-z0-9]{6,}$", 6...30),
        (
            "duration", "^P(?!$)(?:\\d+Y)?(?:\\d+M)?(?:\\d+W)?(?:\\d+D)?(?:T(?=\\d)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?$",
            3...25
        ),
        ("date", "^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])$", 10...10),
        ("time", "^(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d)?$", 5...8),
        ("moment", "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:\\d\\d)$", 20...40),
        ("email", "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$", 5...100),
        ("host", "^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(?:\\.(?!-)[A-Za-z0-9-]{1,63}(?<!-))*$", 1...100),
        ("address", "^https?://[^\\s/$.?#].[^\\s]*$", 9...100), ("path", "^(?:/[^/\\0]+)+$", 2...60),
        ("MAC", "^(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$", 17...17),
        ("identifier with a prefix", "^usr_[0-9A-Za-z]+$", 5...40), ("ULID", "^[0-7][0-9A-HJKMNP-TV-Z]{25}$", 26...26),
        ("printable", "^[\\x20-\\x7E]+$", 1...64), ("not blank", "\\S", 1...40),
        ("no space at the ends", "^\\S(?:.*\\S)?$", 1...40), ("digits", "^\\d+$", 1...40),
        ("letters of any script", "^[\\p{L}\\p{M}' .-]+$", 1...50),
        ("ARN", "^arn:aws[a-z-]*:[a-z0-9-]+:[a-z0-9-]*:\\d{12}:.+$", 25...80),
        ("VIN", "^[A-HJ-NPR-Z0-9]{17}$", 17...17), ("ISBN", "^(?:97[89]-?)?(?:\\d-?){9}[\\dX]$", 10...23),
        ("coordinates", "^-?\\d{1,3}\\.\\d+,-?\\d{1,3}\\.\\d+$", 7...40),
    ])
    func `has each length that it can have`(name: String, pattern: String, lengths: ClosedRange<Int>) throws {
        let compiled = try ECMAPattern(pattern)
        var generator = SeededGenerator(seed: 1)
        // Some lengths between the ends are not to be had, but never in neighbours: digits come in groups of at most eight.
        for length in lengths {
            let sample = ECMAPattern.sample(of: [compiled], lengths: length...length, using: &generator)
            if case .text(let text) = sample {
                #expect(text.unicodeScalars.count == length && compiled.search(in: text) == .match)
            } else {
                #expect(sample == .impossible, "\(name): \(length)")
                #expect(length != lengths.lowerBound && length != lengths.upperBound, "\(name): \(length)")
            }
        }
        for outside in [lengths.lowerBound - 1] where outside >= 0 {
            let sample = ECMAPattern.sample(of: [compiled], lengths: 0...outside, using: &generator)
            #expect(sample == .impossible || name.contains("repetition"), "\(name): \(outside)")
        }
    }
}
