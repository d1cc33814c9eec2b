import ECMAPatterns
import Testing

@Suite struct `A Unicode property` {
    @Test(arguments: [
        PatternCase("^\\p{L}$", matches: ["a", "é", "中", "𝒜"], not: ["1", "_", "\u{301}"]),
        PatternCase("^\\p{Letter}$", matches: ["a"], not: ["1"]),
        PatternCase("^\\p{General_Category=Uppercase_Letter}$", matches: ["A", "É"], not: ["a"]),
        PatternCase("^\\p{gc=Lu}\\p{Ll}$", matches: ["Aa"], not: ["aA"]),
        PatternCase("^\\p{LC}$", matches: ["a", "A", "ǅ"], not: ["中"]),
        PatternCase("^\\P{L}$", matches: ["1", "\n"], not: ["a"]),
        PatternCase("^[\\p{Nd}\\p{Pd}]+$", matches: ["٣-4"], not: ["½"]),
        PatternCase("^[^\\p{Z}]$", matches: ["a"], not: ["\u{A0}", "\u{2028}"]),
        PatternCase("^\\p{digit}\\p{punct}\\p{Sc}\\p{cntrl}$", matches: ["1!€\u{7}"]),
        PatternCase("^\\p{Cn}$", matches: ["\u{378}", "\u{10FFFF}"], not: ["a", "\u{E000}"]),
        PatternCase("^\\p{Co}$", matches: ["\u{E000}", "\u{10FFFD}"], not: ["a"]),
        PatternCase("\\p{Cs}", not: ["a", "😀"]),
    ])
    func `of General_Category has long and short names`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^\\p{Script=Greek}$", matches: ["α", "Ω"], not: ["a", "а"]),
        PatternCase("^\\p{sc=Grek}$", matches: ["α"], not: ["a"]),
        PatternCase("^\\p{sc=Latin}+$", matches: ["aéẞ"], not: ["1", "а"]),
        PatternCase("^\\p{sc=Qaac}$", matches: ["Ⲁ"]),
        PatternCase("^\\p{Script=Han}$", matches: ["中", "々", "𠀀"], not: ["ア", "、"]),
        PatternCase("^\\p{scx=Hani}$", matches: ["中", "、"], not: ["ア"]),
        PatternCase("^\\p{Script_Extensions=Hiragana}$", matches: ["あ", "ー"], not: ["ア"]),
        PatternCase("^\\p{sc=Hira}$", matches: ["あ"], not: ["ー"]),
        PatternCase("^\\p{sc=Zyyy}$", matches: ["1", "ー", "😀"], not: ["a"]),
        PatternCase("^\\p{scx=Common}$", matches: ["1", "😀"], not: ["ー", "a"]),
        PatternCase("^\\P{scx=Thaana}$", matches: ["a"], not: ["ހ", "،"]),
    ])
    func `of scripts has long and short names`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        PatternCase("^\\p{Any}$", matches: ["a", "\u{10FFFF}"], not: [""]),
        PatternCase("^\\p{ASCII}$", matches: ["a", "\u{7F}"], not: ["\u{80}"]),
        PatternCase("^\\p{Assigned}$", matches: ["a"], not: ["\u{378}"]),
        PatternCase("^\\p{Alphabetic}\\p{Alpha}$", matches: ["aⅣ"], not: ["a1"]),
        PatternCase("^\\p{White_Space}\\p{space}$", matches: [" \u{85}"], not: [" \u{FEFF}"]),
        PatternCase("^\\p{Emoji}$", matches: ["😀", "1"], not: ["a"]),
        PatternCase("^\\p{Emoji_Presentation}\\p{EPres}$", matches: ["😀😀"], not: ["😀1"]),
        PatternCase("^\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}$", matches: ["👍🏽"], not: ["😀🏽"]),
        PatternCase("^\\p{Emoji_Component}\\p{EComp}$", matches: ["#\u{200D}"], not: ["#a"]),
        PatternCase("^\\p{Extended_Pictographic}\\p{ExtPict}$", matches: ["😀©"], not: ["😀1"]),
        PatternCase("^\\p{RI}{2}$", matches: ["🇩🇪"], not: ["DE"]),
        PatternCase("^\\p{Lowercase}\\p{Upper}$", matches: ["aA"], not: ["Aa"]),
        PatternCase("^\\p{ID_Start}\\p{XIDC}*$", matches: ["é1"], not: ["1é"]),
        PatternCase("^\\p{Changes_When_Casefolded}\\p{CWKCF}$", matches: ["A\u{AD}"], not: ["a\u{AD}"]),
        PatternCase("^\\p{Ideographic}\\p{Hex_Digit}\\p{Dash}\\p{Math}$", matches: ["中Ａ‐+"]),
    ])
    func `that holds or does not has its names`(_ example: PatternCase) throws { try example.check() }

    @Test(arguments: [
        "lu", "letter", "Letters", "IsGreek", "Greek", "InBasicLatin", "Script=", "=Greek", "script=Greek", "sc=greek",
        "gc=Greek", "Block=Latin", "General_Category", "Alphabetic=Yes", "RGI_Emoji", "Full_Composition_Exclusion",
        "Zzzz", "",
    ])
    func `that ECMAScript does not know is an error`(_ name: String) {
        #expect(throws: ECMAPatternError.self) { try ECMAPattern("\\p{\(name)}") }
    }

    @Test func `of every name in the standard is known`() throws {
        let names = """
            ASCII_Hex_Digit AHex Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased CWCF
            Changes_When_Casemapped CWCM Changes_When_Lowercased CWL Changes_When_NFKC_Casefolded
            Changes_When_Titlecased CWT Changes_When_Uppercased CWU Default_Ignorable_Code_Point DI Deprecated Dep
            Diacritic Dia EMod EBase Extender Ext Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex IDS_Binary_Operator
            IDSB IDS_Trinary_Operator IDST ID_Continue IDC IDS Ideo Join_Control Join_C Logical_Order_Exception LOE
            Lower Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS Quotation_Mark QMark
            Radical Regional_Indicator Sentence_Terminal STerm Soft_Dotted SD Terminal_Punctuation Term
            Unified_Ideograph UIdeo Uppercase Variation_Selector VS XID_Continue XID_Start XIDS
            """
        for name in names.split(whereSeparator: \.isWhitespace) {
            #expect(throws: Never.self, "\(name)") { try ECMAPattern("\\p{\(name)}") }
        }
    }
}
