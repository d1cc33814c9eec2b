import Basics

/// The properties of `\p{…}` (ECMA-262, section 22.2.1.9 and tables 66 to 68), as sets.
enum UnicodeProperty {
    /// Sets that were asked for once, since making one looks at every code point.
    private static let known = Lock<[String: ScalarSet]>([:])

    /// The set of a property and its value, or of a lone name; `nil` when ECMAScript has none of that name.
    static func set(name: String, value: String?) -> ScalarSet? {
        let key = value.map { "\(name)=\($0)" } ?? name
        if let set = known.withLock({ $0[key] }) { return set }
        guard let set = make(name, value) else { return nil }
        known.withLock { $0[key] = set }
        return set
    }

    private static func make(_ name: String, _ value: String?) -> ScalarSet? {
        switch (name, value) {
        case ("General_Category", let value?), ("gc", let value?):
            GeneralCategories.set(named: value)
        case ("Script", let value?), ("sc", let value?):
            set(named: value, in: UnicodeTables.scripts)
        case ("Script_Extensions", let value?), ("scx", let value?):
            set(named: value, in: UnicodeTables.scriptExtensions) ?? set(named: value, in: UnicodeTables.scripts)
        case (_, .some):
            nil
        case (_, nil):
            GeneralCategories.set(named: name) ?? set(named: name, in: UnicodeTables.properties)
                ?? BinaryProperties.set(named: name)
        }
    }

    /// Finds the line that has a name, and unpacks it.
    private static func set(named name: String, in table: String) -> ScalarSet? {
        for line in table.split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            guard line[..<colon].split(separator: ",").contains(where: { $0.exact == name.exact }) else {
                continue
            }
            var ranges: [ClosedRange<UInt32>] = []
            var numbers = PackedNumbers(line[line.index(after: colon)...])
            var next: UInt32 = 0
            while let gap = numbers.next(), let more = numbers.next() {
                ranges.append(next + gap...next + gap + more)
                next += gap + more + 1
            }
            return ScalarSet(ranges)
        }
        return nil
    }
}

/// The properties that hold or do not, and their names (ECMA-262, table 67), without those of `UnicodeTables`.
enum BinaryProperties {
    static func set(named name: String) -> ScalarSet? {
        switch name {
        case "Any": return .all
        case "ASCII": return ScalarSet([0...0x7F])
        case "Assigned": return GeneralCategories.set(named: "Cn")?.complement
        case "Regional_Indicator", "RI": return ScalarSet([0x1F1E6...0x1F1FF])
        default: break
        }
        return flag(named: name).map { flag in ScalarSet { flag($0.properties) } }
    }

    private static func flag(named name: String) -> ((Unicode.Scalar.Properties) -> Bool)? {
        switch name {
        case "ASCII_Hex_Digit", "AHex": { $0.isASCIIHexDigit }
        case "Alphabetic", "Alpha": { $0.isAlphabetic }
        case "Bidi_Control", "Bidi_C": { $0.isBidiControl }
        case "Bidi_Mirrored", "Bidi_M": { $0.isBidiMirrored }
        case "Case_Ignorable", "CI": { $0.isCaseIgnorable }
        case "Cased": { $0.isCased }
        case "Changes_When_Casefolded", "CWCF": { $0.changesWhenCaseFolded }
        case "Changes_When_Casemapped", "CWCM": { $0.changesWhenCaseMapped }
        case "Changes_When_Lowercased", "CWL": { $0.changesWhenLowercased }
        case "Changes_When_NFKC_Casefolded", "CWKCF": { $0.changesWhenNFKCCaseFolded }
        case "Changes_When_Titlecased", "CWT": { $0.changesWhenTitlecased }
        case "Changes_When_Uppercased", "CWU": { $0.changesWhenUppercased }
        case "Dash": { $0.isDash }
        case "Default_Ignorable_Code_Point", "DI": { $0.isDefaultIgnorableCodePoint }
        case "Deprecated", "Dep": { $0.isDeprecated }
        case "Diacritic", "Dia": { $0.isDiacritic }
        case "Emoji": { $0.isEmoji }
        case "Emoji_Modifier", "EMod": { $0.isEmojiModifier }
        case "Emoji_Modifier_Base", "EBase": { $0.isEmojiModifierBase }
        case "Emoji_Presentation", "EPres": { $0.isEmojiPresentation }
        case "Extender", "Ext": { $0.isExtender }
        case "Grapheme_Base", "Gr_Base": { $0.isGraphemeBase }
        case "Grapheme_Extend", "Gr_Ext": { $0.isGraphemeExtend }
        case "Hex_Digit", "Hex": { $0.isHexDigit }
        case "IDS_Binary_Operator", "IDSB": { $0.isIDSBinaryOperator }
        case "IDS_Trinary_Operator", "IDST": { $0.isIDSTrinaryOperator }
        case "ID_Continue", "IDC": { $0.isIDContinue }
        case "ID_Start", "IDS": { $0.isIDStart }
        case "Ideographic", "Ideo": { $0.isIdeographic }
        case "Join_Control", "Join_C": { $0.isJoinControl }
        case "Logical_Order_Exception", "LOE": { $0.isLogicalOrderException }
        case "Lowercase", "Lower": { $0.isLowercase }
        case "Math": { $0.isMath }
        case "Noncharacter_Code_Point", "NChar": { $0.isNoncharacterCodePoint }
        case "Pattern_Syntax", "Pat_Syn": { $0.isPatternSyntax }
        case "Pattern_White_Space", "Pat_WS": { $0.isPatternWhitespace }
        case "Quotation_Mark", "QMark": { $0.isQuotationMark }
        case "Radical": { $0.isRadical }
        case "Sentence_Terminal", "STerm": { $0.isSentenceTerminal }
        case "Soft_Dotted", "SD": { $0.isSoftDotted }
        case "Terminal_Punctuation", "Term": { $0.isTerminalPunctuation }
        case "Unified_Ideograph", "UIdeo": { $0.isUnifiedIdeograph }
        case "Uppercase", "Upper": { $0.isUppercase }
        case "Variation_Selector", "VS": { $0.isVariationSelector }
        case "White_Space", "space": { $0.isWhitespace }
        case "XID_Continue", "XIDC": { $0.isXIDContinue }
        case "XID_Start", "XIDS": { $0.isXIDStart }
        default: nil
        }
    }
}

/// The characters that differ only by case: simple case folding (ECMA-262, section 22.2.2.7.3).
enum CaseFolding {
    /// The characters that fold to the same one, family by family.
    static let families: [[UInt32]] = {
        var families: [[UInt32]] = []
        var numbers = PackedNumbers(UnicodeTables.caseFamilies[...])
        var first: UInt32 = 0
        while let size = numbers.next(), let distance = numbers.next() {
            first += distance
            var family = [first]
            while family.count < size, let step = numbers.next() { family.append(family[family.count - 1] + step) }
            families.append(family)
        }
        return families
    }()

    /// The members of all families in ascending order, with the index of their family.
    static let members: [(scalar: UInt32, family: Int)] = {
        var members: [(scalar: UInt32, family: Int)] = []
        for (index, family) in families.enumerated() {
            for scalar in family { members.append((scalar, index)) }
        }
        return members.sorted { $0.scalar < $1.scalar }
    }()

    /// The indices of the ``members`` that are in a range.
    static func places(in range: ClosedRange<UInt32>) -> Range<Int> {
        place(of: range.lowerBound)..<place(of: range.upperBound + 1)
    }

    /// The index of the first of the ``members`` that is not less than a code point.
    private static func place(of scalar: UInt32) -> Int {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle].scalar < scalar { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// One character for all that differ only by case.
    static func fold(_ scalar: UInt32) -> UInt32 {
        let place = place(of: scalar)
        guard place < members.count, members[place].scalar == scalar else { return scalar }
        return families[members[place].family][0]
    }
}

/// The values of General_Category and their names (ECMA-262, table 68).
enum GeneralCategories {
    /// The members of each category, by its short name.
    private static let members: [Substring: ScalarSet] = {
        var ranges: [Substring: [ClosedRange<UInt32>]] = [:]
        ScalarSet.scan({ $0?.properties.generalCategory ?? .surrogate }) { category, range in
            ranges[name(of: category), default: []].append(range)
        }
        return ranges.mapValues(ScalarSet.init)
    }()

    static func set(named name: String) -> ScalarSet? {
        for line in names.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let colon = words.firstIndex(of: ":"), words[..<colon].contains(name[...]) else { continue }
            let parts = words[(colon + 1)...].isEmpty ? words[..<1] : words[(colon + 1)...]
            return ScalarSet(parts.flatMap { members[$0]?.ranges ?? [] })
        }
        return nil
    }

    /// The names of each value, and behind the colon the values that it sums up.
    private static let names = """
        Cc Control cntrl :
        Cf Format :
        Cn Unassigned :
        Co Private_Use :
        Cs Surrogate :
        Ll Lowercase_Letter :
        Lm Modifier_Letter :
        Lo Other_Letter :
        Lt Titlecase_Letter :
        Lu Uppercase_Letter :
        Mc Spacing_Mark :
        Me Enclosing_Mark :
        Mn Nonspacing_Mark :
        Nd Decimal_Number digit :
        Nl Letter_Number :
        No Other_Number :
        Pc Connector_Punctuation :
        Pd Dash_Punctuation :
        Pe Close_Punctuation :
        Pf Final_Punctuation :
        Pi Initial_Punctuation :
        Po Other_Punctuation :
        Ps Open_Punctuation :
        Sc Currency_Symbol :
        Sk Modifier_Symbol :
        Sm Math_Symbol :
        So Other_Symbol :
        Zl Line_Separator :
        Zp Paragraph_Separator :
        Zs Space_Separator :
        C Other : Cc Cf Cn Co Cs
        L Letter : Ll Lm Lo Lt Lu
        LC Cased_Letter : Ll Lt Lu
        M Mark Combining_Mark : Mc Me Mn
        N Number : Nd Nl No
        P Punctuation punct : Pc Pd Pe Pf Pi Po Ps
        S Symbol : Sc Sk Sm So
        Z Separator : Zl Zp Zs
        """

    private static func name(of category: Unicode.GeneralCategory) -> Substring {
        switch category {
        case .control: "Cc"
        case .format: "Cf"
        case .unassigned: "Cn"
        case .privateUse: "Co"
        case .surrogate: "Cs"
        case .lowercaseLetter: "Ll"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .titlecaseLetter: "Lt"
        case .uppercaseLetter: "Lu"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .nonspacingMark: "Mn"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .closePunctuation: "Pe"
        case .finalPunctuation: "Pf"
        case .initialPunctuation: "Pi"
        case .otherPunctuation: "Po"
        case .openPunctuation: "Ps"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .mathSymbol: "Sm"
        case .otherSymbol: "So"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .spaceSeparator: "Zs"
        @unknown default: "Cn"
        }
    }
}

/// Numbers written with the digits of base64url, five bits at a time from the lowest on; a digit of 32 or more says
/// that another follows.
struct PackedNumbers: Sequence, IteratorProtocol {
    private var digits: Substring.UTF8View

    init(_ text: Substring) { digits = text.utf8 }

    mutating func next() -> UInt32? {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while let character = digits.popFirst(), let digit = PackedNumbers.value(of: character) {
            value |= (digit & 31) << shift
            if digit < 32 { return value }
            shift += 5
        }
        return nil
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
