/// The rules for characters that are valid beside certain others only (RFC 5892, appendix A).
enum ContextRule {
    static func accepts(_ label: [Unicode.Scalar], at index: Int) -> Bool {
        let before = index > 0 ? label[index - 1] : nil
        let after = index + 1 < label.count ? label[index + 1] : nil
        switch label[index].value {
        // Zero width non-joiner and joiner.
        case 0x200C: return isVirama(before) || joins(label, around: index)
        case 0x200D: return isVirama(before)
        // The middle dot of Catalan, between two l.
        case 0xB7: return before == "l" && after == "l"
        // The Greek lower numeral sign.
        case 0x375: return after.map(Script.isGreek) ?? false
        // Hebrew geresh and gershayim.
        case 0x5F3, 0x5F4: return before.map(Script.isHebrew) ?? false
        // The Katakana middle dot.
        case 0x30FB: return label.contains(where: Script.isJapanese)
        // The two sets of Arabic digits never stand in one label.
        case 0x660...0x669: return !label.contains { 0x6F0...0x6F9 ~= $0.value }
        case 0x6F0...0x6F9: return !label.contains { 0x660...0x669 ~= $0.value }
        default: return false
        }
    }

    private static func isVirama(_ scalar: Unicode.Scalar?) -> Bool {
        scalar?.properties.canonicalCombiningClass == .virama
    }

    /// Whether letters on both sides would join across the place, were it not for what stands there.
    private static func joins(_ label: [Unicode.Scalar], around index: Int) -> Bool {
        let before = label[..<index].last { !JoiningType.isTransparent($0) }.flatMap(JoiningType.init)
        let after = label[(index + 1)...].first { !JoiningType.isTransparent($0) }.flatMap(JoiningType.init)
        return (before == .left || before == .dual) && (after == .right || after == .dual)
    }
}
