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
        return flag(named: name).map { flag in ScalarSet { $0.properties[keyPath: flag] } }
    }

    private static func flag(named name: String) -> KeyPath<Unicode.Scalar.Properties, Bool>? {
        switch name {
        case "ASCII_Hex_Digit", "AHex": \.isASCIIHexDigit
        case "Alphabetic", "Alpha": \.isAlphabetic
        case "Bidi_Control", "Bidi_C": \.isBidiControl
        case "Bidi_Mirrored", "Bidi_M": \.isBidiMirrored
        case "Case_Ignorable", "CI": \.isCaseIgnorable
        case "Cased": \.isCased
        case "Changes_When_Casefolded", "CWCF": \.changesWhenCaseFolded
        case "Changes_When_Casemapped", "CWCM": \.changesWhenCaseMapped
        case "Changes_When_Lowercased", "CWL": \.changesWhenLowercased
        case "Changes_When_NFKC_Casefolded", "CWKCF": \.changesWhenNFKCCaseFolded
        case "Changes_When_Titlecased", "CWT": \.changesWhenTitlecased
        case "Changes_When_Uppercased", "CWU": \.changesWhenUppercased
        case "Dash": \.isDash
        case "Default_Ignorable_Code_Point", "DI": \.isDefaultIgnorableCodePoint
        case "Deprecated", "Dep": \.isDeprecated
        case "Diacritic", "Dia": \.isDiacritic
        case "Emoji": \.isEmoji
        case "Emoji_Modifier", "EMod": \.isEmojiModifier
        case "Emoji_Modifier_Base", "EBase": \.isEmojiModifierBase
        case "Emoji_Presentation", "EPres": \.isEmojiPresentation
        case "Extender", "Ext": \.isExtender
        case "Grapheme_Base", "Gr_Base": \.isGraphemeBase
        case "Grapheme_Extend", "Gr_Ext": \.isGraphemeExtend
        case "Hex_Digit", "Hex": \.isHexDigit
        case "IDS_Binary_Operator", "IDSB": \.isIDSBinaryOperator
        case "IDS_Trinary_Operator", "IDST": \.isIDSTrinaryOperator
        case "ID_Continue", "IDC": \.isIDContinue
        case "ID_Start", "IDS": \.isIDStart
        case "Ideographic", "Ideo": \.isIdeographic
        case "Join_Control", "Join_C": \.isJoinControl
        case "Logical_Order_Exception", "LOE": \.isLogicalOrderException
        case "Lowercase", "Lower": \.isLowercase
        case "Math": \.isMath
        case "Noncharacter_Code_Point", "NChar": \.isNoncharacterCodePoint
        case "Pattern_Syntax", "Pat_Syn": \.isPatternSyntax
        case "Pattern_White_Space", "Pat_WS": \.isPatternWhitespace
        case "Quotation_Mark", "QMark": \.isQuotationMark
        case "Radical": \.isRadical
        case "Sentence_Terminal", "STerm": \.isSentenceTerminal
        case "Soft_Dotted", "SD": \.isSoftDotted
        case "Terminal_Punctuation", "Term": \.isTerminalPunctuation
        case "Unified_Ideograph", "UIdeo": \.isUnifiedIdeograph
        case "Uppercase", "Upper": \.isUppercase
        case "Variation_Selector", "VS": \.isVariationSelector
        case "White_Space", "space": \.isWhitespace
        case "XID_Continue", "XIDC": \.isXIDContinue
        case "XID_Start", "XIDS": \.isXIDStart
        default: nil
        }
    }
}
