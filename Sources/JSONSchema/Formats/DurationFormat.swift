/// Durations by the grammar of RFC 3339, appendix A.
///
/// It is narrower than ISO 8601: no fractions, no units left out in between (`P1Y2D`), weeks alone.
enum DurationFormat {
    private static let week: [UInt8] = [0x57]
    private static let dateUnits: [UInt8] = [0x59, 0x4D, 0x44]
    private static let timeUnits: [UInt8] = [0x48, 0x4D, 0x53]

    static func accepts(_ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        guard rest.popFirst() == 0x50 else { return false }
        var weeks = rest
        if takeUnits(week, from: &weeks), weeks.isEmpty { return true }
        let hasDate = takeUnits(dateUnits, from: &rest)
        guard !rest.isEmpty else { return hasDate }
        guard rest.popFirst() == 0x54 else { return false }
        return takeUnits(timeUnits, from: &rest) && rest.isEmpty
    }

    /// Takes numbers with neighbouring units from anywhere in the list on; says whether there was one at least.
    private static func takeUnits(_ units: [UInt8], from rest: inout ArraySlice<UInt8>) -> Bool {
        var expected = units[...]
        var isFirst = true
        while let unit = takeNumberedUnit(from: rest, among: isFirst ? expected : expected.prefix(1)) {
            rest = unit.rest
            expected = expected[(unit.index + 1)...]
            isFirst = false
        }
        return !isFirst
    }

    private static func takeNumberedUnit(
        from bytes: ArraySlice<UInt8>,
        among units: ArraySlice<UInt8>
    ) -> (index: Int, rest: ArraySlice<UInt8>)? {
        let rest = bytes.drop(while: FormatByte.isDigit)
        guard rest.count < bytes.count, let unit = rest.first, let index = units.firstIndex(of: unit) else {
            return nil
        }
        return (index, rest.dropFirst())
    }
}
