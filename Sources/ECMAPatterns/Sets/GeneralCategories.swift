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
